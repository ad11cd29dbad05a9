// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Columns in Swift: the batches of decant_read_arrow_from(), looked into as Arrow lays them out. No model is needed.

#if !hasFeature(Embedded)

  internal import CDecant

  /// Some rows of a stream, column by column.
  ///
  ///     var sum = 0.0
  ///     for batch in try JSONColumns(bytes, schema) {
  ///       for score in batch["score", as: Double.self] { sum += score }
  ///     }
  ///
  /// A batch keeps its columns alive, and outlives the stream.
  @safe
  public struct ColumnBatch: @unchecked Sendable {
    // SAFETY: columns and their types, which `owner` keeps, and to which nothing writes.
    private let array: UnsafePointer<ArrowArray>
    private let schema: UnsafePointer<ArrowSchema>
    private let owner: Owner

    /// What a batch was handed out as.
    @safe
    final class Owner: @unchecked Sendable {
      // SAFETY: both are this object's, and released with it.
      let array: UnsafeMutablePointer<ArrowArray>
      let schema: SchemaOwner

      init(_ batch: ArrowArray, _ schema: SchemaOwner) {
        unsafe array = .allocate(capacity: 1)
        unsafe array.initialize(to: batch)
        self.schema = schema
      }

      deinit {
        if let release = unsafe array.pointee.release { unsafe release(array) }
        unsafe array.deallocate()
      }
    }

    /// The types of a stream's columns.
    @safe
    final class SchemaOwner: @unchecked Sendable {
      // SAFETY: this object's, and released with it.
      let schema: UnsafeMutablePointer<ArrowSchema>

      init(_ schema: ArrowSchema) {
        unsafe self.schema = .allocate(capacity: 1)
        unsafe self.schema.initialize(to: schema)
      }

      deinit {
        if let release = unsafe schema.pointee.release { unsafe release(schema) }
        unsafe schema.deallocate()
      }
    }

    init(_ owner: Owner) {
      unsafe self.init(UnsafePointer(owner.array), UnsafePointer(owner.schema.schema), owner)
    }

    @unsafe
    private init(
      _ array: UnsafePointer<ArrowArray>, _ schema: UnsafePointer<ArrowSchema>, _ owner: Owner
    ) {
      unsafe self.array = array
      unsafe self.schema = schema
      self.owner = owner
    }

    /// How many rows there are.
    public var count: Int { Int(unsafe array.pointee.length) }

    /// The names of the columns, in the order of the schema.
    public var names: [String] {
      (0..<Int(unsafe schema.pointee.n_children)).map { name($0) }
    }

    private func name(_ index: Int) -> String {
      unsafe schema.pointee.children[index]?.pointee.name.map { unsafe String(cString: $0) } ?? ""
    }

    private func index(_ name: String) -> Int? {
      (0..<Int(unsafe schema.pointee.n_children)).first { self.name($0) == name }
    }

    /// The values of a column, an element for each row.
    ///
    /// - Precondition: There is a column of this name, and its values are of this type: `Optional` if the field of the
    ///   schema is. `values(_:as:)` tells.
    /// - Complexity: O(columns); O(1) for each value, and O(bytes) for each string.
    public subscript<Value: ColumnValue>(name: String, as type: Value.Type) -> ColumnValues<Value> {
      guard let values = values(name, as: type) else {
        preconditionFailure("no column \"\(name)\" of \(type) in \(names)")
      }
      return values
    }

    /// The values of a column; nil if there is no column of this name, or if its values are of another type.
    public func values<Value: ColumnValue>(
      _ name: String, as type: Value.Type
    ) -> ColumnValues<Value>? {
      guard let column = index(name).map({ column($0) }), Value._accepts(column) else { return nil }
      return ColumnValues(column)
    }

    /// The columns of a record, a row for each row of this batch; nil if there is no such column. Where the record is
    /// null, its values are zeros and nulls.
    public func record(_ name: String) -> ColumnBatch? {
      guard let index = index(name), column(index).format == "+s",
        let array = unsafe array.pointee.children[index],
        let schema = unsafe schema.pointee.children[index]
      else { return nil }
      return unsafe ColumnBatch(array, schema, owner)
    }

    private func column(_ index: Int) -> _ColumnStorage {
      // SAFETY: a child for each name.
      unsafe _ColumnStorage(array.pointee.children[index]!, schema.pointee.children[index]!, owner)
    }
  }

  /// The values of a column.
  public struct ColumnValues<Value: ColumnValue>: RandomAccessCollection, Sendable {
    private let column: _ColumnStorage

    init(_ column: _ColumnStorage) { self.column = column }

    /// The first row, 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { column.count }

    /// The value in a row. In constant time, but for texts, which are copied.
    public subscript(row: Int) -> Value {
      precondition(row >= 0 && row < column.count, "row \(row) of \(column.count)")
      return Value._value(column, row)
    }
  }

  /// A type that columns have values of: booleans, integers, `Float`, `Double` and `String`, optionals of them, and
  /// arrays of these.
  public protocol ColumnValue: Sendable {
    /// Whether a column has values of this type.
    static func _accepts(_ column: _ColumnStorage) -> Bool
    /// The value in a row.
    static func _value(_ column: _ColumnStorage, _ row: Int) -> Self
  }

  /// A column as Arrow has it.
  @safe
  public struct _ColumnStorage: @unchecked Sendable {
    // SAFETY: an array and its schema, which `owner` keeps, and to which nothing writes. Rows are inside of it.
    private let array: UnsafePointer<ArrowArray>
    private let schema: UnsafePointer<ArrowSchema>
    private let owner: ColumnBatch.Owner
    private var ignoresNulls = false

    @unsafe
    init(
      _ array: UnsafePointer<ArrowArray>, _ schema: UnsafePointer<ArrowSchema>,
      _ owner: ColumnBatch.Owner
    ) {
      unsafe self.array = array
      unsafe self.schema = schema
      self.owner = owner
    }

    var count: Int { Int(unsafe array.pointee.length) }
    var format: String { unsafe String(cString: schema.pointee.format) }
    var isNullable: Bool {
      unsafe schema.pointee.flags & Int64(ARROW_FLAG_NULLABLE) != 0 && !ignoresNulls
    }

    /// The column for who looks at nulls first.
    var ignoringNulls: _ColumnStorage {
      var column = self
      column.ignoresNulls = true
      return column
    }

    var isDictionary: Bool { unsafe schema.pointee.dictionary != nil }

    func isNull(_ row: Int) -> Bool {
      guard let bits = unsafe array.pointee.buffers[0]?.assumingMemoryBound(to: UInt8.self) else {
        return false
      }
      return unsafe bits[row / 8] >> UInt8(row % 8) & 1 == 0
    }

    func bit(_ row: Int) -> Bool { load(UInt8.self, row / 8) >> UInt8(row % 8) & 1 != 0 }

    @inline(__always)
    func load<Value: BitwiseCopyable>(_ type: Value.Type, _ row: Int) -> Value {
      unsafe array.pointee.buffers[1].unsafelyUnwrapped.load(
        fromByteOffset: row * MemoryLayout<Value>.stride, as: type)
    }

    func text(_ row: Int) -> String {
      if let names = unsafe array.pointee.dictionary, let types = unsafe schema.pointee.dictionary {
        return unsafe _ColumnStorage(names, types, owner).text(Int(load(Int32.self, row)))
      }
      if format == "u" {
        let (start, end) = (Int(load(Int32.self, row)), Int(load(Int32.self, row + 1)))
        return unsafe text(array.pointee.buffers[2], start, end - start)
      }
      // A view: the length, and the text, or four bytes of it and where it is.
      let length = Int(load(Int32.self, row * 4))
      if length <= 12 { return unsafe text(array.pointee.buffers[1], row * 16 + 4, length) }
      let (buffer, offset) = (load(Int32.self, row * 4 + 2), load(Int32.self, row * 4 + 3))
      return unsafe text(array.pointee.buffers[2 + Int(buffer)], Int(offset), length)
    }

    @unsafe
    private func text(_ bytes: UnsafeRawPointer?, _ offset: Int, _ length: Int) -> String {
      guard let bytes = unsafe bytes else { return "" }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: bytes + offset, count: length), as: UTF8.self)
    }

    /// The column of a list's elements.
    var elements: _ColumnStorage? {
      guard unsafe array.pointee.n_children == 1, let elements = unsafe array.pointee.children[0],
        let schema = unsafe schema.pointee.children[0]
      else { return nil }
      return unsafe _ColumnStorage(elements, schema, owner)
    }

    /// Which elements are a row's.
    func elements(_ row: Int) -> Range<Int> {
      if format == "+l" {
        return Int(load(Int32.self, row))..<Int(load(Int32.self, row + 1))
      }
      let width = Int(format.dropFirst(3)) ?? 0
      return row * width..<(row + 1) * width
    }
  }

  // MARK: - Types

  /// Numbers: one value after another in the column's memory.
  extension ColumnValue where Self: BitwiseCopyable {
    /// Whether a column has numbers of this type.
    public static func _accepts(_ column: _ColumnStorage) -> Bool {
      format.map { column.has($0) } ?? false
    }
    /// The number in a row.
    public static func _value(_ column: _ColumnStorage, _ row: Int) -> Self {
      column.load(Self.self, row)
    }

    /// What Arrow calls the type.
    private static var format: String? {
      switch self {
      case is Int8.Type: "c"
      case is Int16.Type: "s"
      case is Int32.Type: "i"
      case is Int64.Type: "l"
      case is Int.Type: MemoryLayout<Int>.size == 8 ? "l" : "i"
      case is UInt8.Type: "C"
      case is UInt16.Type: "S"
      case is UInt32.Type: "I"
      case is UInt64.Type: "L"
      case is Float.Type: "f"
      case is Double.Type: "g"
      default: nil
      }
    }
  }

  extension _ColumnStorage {
    fileprivate func has(_ formats: String...) -> Bool {
      !isNullable && !isDictionary && formats.contains(format)
    }
  }

  extension Bool: ColumnValue {
    /// Whether a column has values of this type.
    public static func _accepts(_ column: _ColumnStorage) -> Bool { column.has("b") }
    /// The value in a row.
    public static func _value(_ column: _ColumnStorage, _ row: Int) -> Bool { column.bit(row) }
  }

  extension Int8: ColumnValue {}
  extension Int16: ColumnValue {}
  extension Int32: ColumnValue {}
  extension Int64: ColumnValue {}
  extension Int: ColumnValue {}
  extension UInt8: ColumnValue {}
  extension UInt16: ColumnValue {}
  extension UInt32: ColumnValue {}
  extension UInt64: ColumnValue {}
  extension Float: ColumnValue {}
  extension Double: ColumnValue {}

  extension String: ColumnValue {
    /// Whether a column has values of this type.
    public static func _accepts(_ column: _ColumnStorage) -> Bool {
      !column.isNullable && (column.isDictionary || column.has("vu", "u"))
    }
    /// The value in a row.
    public static func _value(_ column: _ColumnStorage, _ row: Int) -> String { column.text(row) }
  }

  extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// Whether a column has values of this type.
    public static func _accepts(_ column: _ColumnStorage) -> Bool {
      Wrapped._accepts(column.ignoringNulls)
    }
    /// The value in a row.
    public static func _value(_ column: _ColumnStorage, _ row: Int) -> Wrapped? {
      column.isNull(row) ? nil : Wrapped._value(column, row)
    }
  }

  extension Array: ColumnValue where Element: ColumnValue {
    /// Whether a column has values of this type.
    public static func _accepts(_ column: _ColumnStorage) -> Bool {
      let format = column.format
      guard !column.isNullable, format == "+l" || format.hasPrefix("+w:") else { return false }
      return column.elements.map { Element._accepts($0) } ?? false
    }
    /// The value in a row.
    public static func _value(_ column: _ColumnStorage, _ row: Int) -> [Element] {
      guard let elements = column.elements else { return [] }
      return column.elements(row).map { Element._value(elements, $0) }
    }
  }

#endif
