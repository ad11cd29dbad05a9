// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Columns in Swift: views of the batches of decant_read_arrow_from(), in Arrow's layout. No model is needed.

internal import CDecant
public import DecantCore

/// Some rows of a stream, column by column.
///
///     var sum = 0.0
///     for batch in try JSONColumns(bytes, schema) {
///       for score in batch["score", as: Double.self] { sum += score }
///     }
///
/// A batch keeps its columns alive, and outlives the stream.
public struct ColumnBatch: Sendable {
  private let columns: _ColumnStorage

  init(_ columns: _ColumnStorage) { self.columns = columns }

  /// How many rows there are.
  public var count: Int { columns.count }

  /// The names of the columns, in the order of the schema.
  public var names: [String] { (0..<columns.childCount).map { columns.childName($0) } }

  private func column(_ name: String) -> _ColumnStorage? {
    (0..<columns.childCount).first { columns.childName($0) == name }.flatMap { columns.child($0) }
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
    guard let column = column(name), Value._accepts(column) else { return nil }
    return ColumnValues(column)
  }

  /// The columns of a record, a row for each row of this batch; nil if there is no such column. Where the record is
  /// null, its values are zeros and nulls.
  public func record(_ name: String) -> ColumnBatch? {
    guard let column = column(name), column.format == "+s" else { return nil }
    return ColumnBatch(column)
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

  /// The value in a row. Takes constant time, except for texts, which are copied.
  public subscript(row: Int) -> Value {
    precondition(row >= 0 && row < column.count, "row \(row) of \(column.count)")
    return Value._value(column, row)
  }
}

/// A type that columns have values of: booleans, integers, `Float`, `Double`, `String` and `JSONTimestamp`, optionals of
/// them, and arrays of these; `[UInt8]` of bytes by base64 and of UUIDs. `Int64` is also what times are made of, in their unit, and `Int32` dates, in days since 1970.
public protocol ColumnValue: Sendable {
  /// Whether a column has values of this type.
  static func _accepts(_ column: _ColumnStorage) -> Bool
  /// The value in a row.
  static func _value(_ column: _ColumnStorage, _ row: Int) -> Self
}

/// What ArrowSchema and ArrowArray have in common.
protocol ArrowStruct {
  var children: UnsafeMutablePointer<UnsafeMutablePointer<Self>?>! { get }
  var dictionary: UnsafeMutablePointer<Self>! { get }
  /// Calls `release`, if there is one.
  mutating func callRelease()
}

extension ArrowSchema: ArrowStruct {
  mutating func callRelease() { unsafe release?(&self) }
}

extension ArrowArray: ArrowStruct {
  mutating func callRelease() { unsafe release?(&self) }
}

/// Owns a struct of Arrow's, and releases it.
@safe
final class ArrowOwner<Struct: ArrowStruct>: @unchecked Sendable {
  // SAFETY: this object's, and released with it. Nothing writes to what the struct has.
  let pointer: UnsafeMutablePointer<Struct>

  init(_ exported: Struct) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: exported)
  }

  deinit {
    unsafe pointer.pointee.callRelease()
    unsafe pointer.deallocate()
  }
}

/// A column as Arrow has it.
@safe
public struct _ColumnStorage: @unchecked Sendable {
  // SAFETY: an array and its schema, which the owners keep, and to which nothing writes. Rows are inside of it, and
  // the array has the buffers that its format asks for.
  private let array: UnsafeMutablePointer<ArrowArray>
  private let schema: UnsafeMutablePointer<ArrowSchema>
  private let owner: ArrowOwner<ArrowArray>
  private let types: ArrowOwner<ArrowSchema>
  private var ignoresNulls = false

  init(_ owner: ArrowOwner<ArrowArray>, _ types: ArrowOwner<ArrowSchema>) {
    unsafe (array, schema) = (owner.pointer, types.pointer)
    (self.owner, self.types) = (owner, types)
  }

  /// A column inside of another one; nil for NULL.
  private init?(
    _ array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
    in parent: _ColumnStorage
  ) {
    guard let array = unsafe array, let schema = unsafe schema else { return nil }
    unsafe (self.array, self.schema) = (array, schema)
    (owner, types) = (parent.owner, parent.types)
  }

  var count: Int { unsafe Int(array.pointee.length) }
  var format: String { unsafe String(cString: schema.pointee.format) }
  var isNullable: Bool {
    unsafe schema.pointee.flags & Int64(ARROW_FLAG_NULLABLE) != 0 && !ignoresNulls
  }

  var childCount: Int { unsafe Int(schema.pointee.n_children) }

  /// The column of a record's field, or of a list's elements.
  func child(_ index: Int) -> _ColumnStorage? {
    unsafe _ColumnStorage(
      array.pointee.children[index], schema.pointee.children[index], in: self)
  }

  func childName(_ index: Int) -> String {
    unsafe schema.pointee.children[index]?.pointee.name.map { unsafe String(cString: $0) } ?? ""
  }

  /// The column for who looks at nulls first.
  var ignoringNulls: _ColumnStorage {
    var column = self
    column.ignoresNulls = true
    return column
  }

  private var names: _ColumnStorage? {
    unsafe _ColumnStorage(array.pointee.dictionary, schema.pointee.dictionary, in: self)
  }
  var isDictionary: Bool { unsafe schema.pointee.dictionary != nil }

  func isNull(_ row: Int) -> Bool {
    guard let bits = unsafe array.pointee.buffers[0] else { return false }
    return unsafe bits.load(fromByteOffset: row / 8, as: UInt8.self) >> UInt8(row % 8) & 1 == 0
  }

  func bit(_ row: Int) -> Bool { load(UInt8.self, row / 8) >> UInt8(row % 8) & 1 != 0 }

  @inline(__always)
  func load<Value: BitwiseCopyable>(_ type: Value.Type, _ row: Int) -> Value {
    unsafe array.pointee.buffers[1].unsafelyUnwrapped
      .loadUnaligned(fromByteOffset: row * MemoryLayout<Value>.stride, as: type)
  }

  func text(_ row: Int) -> String {
    if let names { return names.text(Int(load(Int32.self, row))) }
    return unsafe withBytes(row) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a row.
  func bytes(_ row: Int) -> [UInt8] { unsafe withBytes(row) { unsafe [UInt8]($0) } }

  /// Calls `body` with the bytes of a text, or of bytes.
  private func withBytes<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if format == "u" || format == "z" {
      let (start, end) = (Int(load(Int32.self, row)), Int(load(Int32.self, row + 1)))
      return unsafe body(bytes(2, start, end - start))
    }
    if let width { return unsafe body(bytes(1, row * width, width)) }
    // A view: the length, and the text, or four bytes of it and where it is.
    let length = Int(load(Int32.self, row * 4))
    if length <= 12 { return unsafe body(bytes(1, row * 16 + 4, length)) }
    let (buffer, offset) = (load(Int32.self, row * 4 + 2), load(Int32.self, row * 4 + 3))
    return unsafe body(bytes(2 + Int(buffer), Int(offset), length))
  }

  // SAFETY: of a buffer of the array, for as long as a call.
  private func bytes(_ index: Int, _ offset: Int, _ length: Int) -> UnsafeRawBufferPointer {
    let buffer = unsafe array.pointee.buffers[index]
    return unsafe UnsafeRawBufferPointer(
      start: buffer.map { unsafe $0 + offset }, count: buffer == nil ? 0 : length)
  }

  /// How many bytes each row has, if all have as many.
  private var width: Int? { format.hasPrefix("w:") ? Int(format.dropFirst(2)) : nil }

  /// Whether the values are bytes: of base64, or of a UUID.
  var isBinary: Bool { !isNullable && isBytes }
  var isBytes: Bool { width != nil || format == "z" || format == "vz" }

  /// The column of a list's elements.
  var elements: _ColumnStorage? { childCount == 1 ? child(0) : nil }

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
    guard let format else { return false }
    return column.has(format) || format == "l" && column.isTime
      || format == "i" && column.has("tdD")
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

  /// Whether the values are numbers of a unit of time since 1970.
  fileprivate var isTime: Bool { !isNullable && format.hasPrefix("ts") }

  /// How many of these units are a second.
  fileprivate var unitsOfSecond: Int64 {
    switch format.dropFirst(2).first {
    case "s": 1
    case "m": 1000
    case "u": 1_000_000
    default: 1_000_000_000
    }
  }
}

extension JSONTimestamp: ColumnValue {
  /// Whether a column has values of this type.
  public static func _accepts(_ column: _ColumnStorage) -> Bool { column.isTime }
  /// The value in a row.
  public static func _value(_ column: _ColumnStorage, _ row: Int) -> JSONTimestamp {
    let (count, units) = (column.load(Int64.self, row), column.unitsOfSecond)
    // Rounded down, also before 1970.
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: units)
    let isBefore = rest < 0
    return JSONTimestamp(
      seconds: isBefore ? seconds - 1 : seconds,
      nanoseconds: Int32((isBefore ? rest + units : rest) * (1_000_000_000 / units)))
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
    if Self.self == [UInt8].self, column.isBinary { return true }
    let format = column.format
    guard !column.isNullable, format == "+l" || format.hasPrefix("+w:") else { return false }
    return column.elements.map { Element._accepts($0) } ?? false
  }
  /// The value in a row.
  public static func _value(_ column: _ColumnStorage, _ row: Int) -> [Element] {
    if column.isBytes, let bytes = column.bytes(row) as? [Element] { return bytes }
    guard let elements = column.elements else { return [] }
    return column.elements(row).map { Element._value(elements, $0) }
  }
}
