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
      guard let column = index(name).map({ column($0) }), Value.accepts(column) else { return nil }
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

    private func column(_ index: Int) -> ColumnStorage {
      // SAFETY: a child for each name.
      unsafe ColumnStorage(array.pointee.children[index]!, schema.pointee.children[index]!, owner)
    }
  }

  /// The values of a column.
  public struct ColumnValues<Value: ColumnValue>: RandomAccessCollection, Sendable {
    private let column: ColumnStorage

    init(_ column: ColumnStorage) { self.column = column }

    public var startIndex: Int { 0 }
    public var endIndex: Int { column.count }

    public subscript(row: Int) -> Value {
      precondition(row >= 0 && row < column.count, "row \(row) of \(column.count)")
      return Value.value(column, row)
    }
  }

  /// A type that columns have values of: booleans, integers, `Float`, `Double` and `String`, optionals of them, and
  /// arrays of these.
  public protocol ColumnValue: Sendable {
    /// Whether a column has values of this type.
    static func accepts(_ column: ColumnStorage) -> Bool
    /// The value in a row.
    static func value(_ column: ColumnStorage, _ row: Int) -> Self
  }

  /// A column as Arrow has it.
  @safe
  public struct ColumnStorage: @unchecked Sendable {
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
    var ignoringNulls: ColumnStorage {
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
        return unsafe ColumnStorage(names, types, owner).text(Int(load(Int32.self, row)))
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
    var elements: ColumnStorage? {
      guard unsafe array.pointee.n_children == 1, let elements = unsafe array.pointee.children[0],
        let schema = unsafe schema.pointee.children[0]
      else { return nil }
      return unsafe ColumnStorage(elements, schema, owner)
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

  extension ColumnStorage {
    fileprivate func has(_ formats: String...) -> Bool {
      !isNullable && !isDictionary && formats.contains(format)
    }
  }

  extension Bool: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("b") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Bool { column.bit(row) }
  }

  extension Int8: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("c") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Int8 {
      column.load(Int8.self, row)
    }
  }

  extension Int16: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("s") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Int16 {
      column.load(Int16.self, row)
    }
  }

  extension Int32: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("i") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Int32 {
      column.load(Int32.self, row)
    }
  }

  extension Int64: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("l") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Int64 {
      column.load(Int64.self, row)
    }
  }

  extension Int: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool {
      column.has(MemoryLayout<Int>.size == 8 ? "l" : "i")
    }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Int {
      column.load(Int.self, row)
    }
  }

  extension UInt8: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("C") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> UInt8 {
      column.load(UInt8.self, row)
    }
  }

  extension UInt16: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("S") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> UInt16 {
      column.load(UInt16.self, row)
    }
  }

  extension UInt32: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("I") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> UInt32 {
      column.load(UInt32.self, row)
    }
  }

  extension UInt64: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("L") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> UInt64 {
      column.load(UInt64.self, row)
    }
  }

  extension Float: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("f") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Float {
      column.load(Float.self, row)
    }
  }

  extension Double: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool { column.has("g") }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Double {
      column.load(Double.self, row)
    }
  }

  extension String: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool {
      !column.isNullable && (column.isDictionary || column.has("vu", "u"))
    }
    public static func value(_ column: ColumnStorage, _ row: Int) -> String { column.text(row) }
  }

  extension Optional: ColumnValue where Wrapped: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool {
      Wrapped.accepts(column.ignoringNulls)
    }
    public static func value(_ column: ColumnStorage, _ row: Int) -> Wrapped? {
      column.isNull(row) ? nil : Wrapped.value(column, row)
    }
  }

  extension Array: ColumnValue where Element: ColumnValue {
    public static func accepts(_ column: ColumnStorage) -> Bool {
      let format = column.format
      guard !column.isNullable, format == "+l" || format.hasPrefix("+w:") else { return false }
      return column.elements.map { Element.accepts($0) } ?? false
    }
    public static func value(_ column: ColumnStorage, _ row: Int) -> [Element] {
      guard let elements = column.elements else { return [] }
      return column.elements(row).map { Element.value(elements, $0) }
    }
  }

#endif
