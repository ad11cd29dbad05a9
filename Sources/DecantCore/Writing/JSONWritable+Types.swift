// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What decodes, writes: the types of the standard library and of this one.

extension Bool: JSONWritable {
  public func write(to json: inout JSONOutput) { json.bool(self) }
}

extension Int: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(Int64(self)) }
}
extension Int8: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(Int64(self)) }
}
extension Int16: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(Int64(self)) }
}
extension Int32: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(Int64(self)) }
}
extension Int64: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(self) }
}
extension UInt: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(UInt64(self)) }
}
extension UInt8: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(UInt64(self)) }
}
extension UInt16: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(UInt64(self)) }
}
extension UInt32: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(UInt64(self)) }
}
extension UInt64: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(self) }
}
extension Int128: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(self) }
}
extension UInt128: JSONWritable {
  public func write(to json: inout JSONOutput) { json.integer(self) }
}

extension Double: JSONWritable {
  public func write(to json: inout JSONOutput) { json.number(self) }
}
extension Float: JSONWritable {
  public func write(to json: inout JSONOutput) { json.number(self) }
}

extension String: JSONWritable {
  public func write(to json: inout JSONOutput) { json.string(self) }
}
extension Substring: JSONWritable {
  public func write(to json: inout JSONOutput) { json.string(String(self)) }
}
extension Character: JSONWritable {
  public func write(to json: inout JSONOutput) { json.string(String(self)) }
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
  /// The raw value.
  @inlinable
  public func write(to json: inout JSONOutput) { rawValue.write(to: &json) }
}

// MARK: - Containers

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// `null` for nil.
  @inlinable @inline(__always)
  public func write(to json: inout JSONOutput) {
    if let value = self { value.write(to: &json) } else { json.null() }
  }
}

extension JSONOutput {
  /// Writes the elements of a sequence as an array.
  @inlinable
  public mutating func elements(_ values: some Sequence<some JSONWritable>) {
    array { array in
      for value in values { array.element(value) }
    }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  @inlinable @inline(__always)
  public func write(to json: inout JSONOutput) { json.elements(self) }
}

extension ArraySlice: JSONWritable where Element: JSONWritable {
  @inlinable
  public func write(to json: inout JSONOutput) { json.elements(self) }
}

extension Set: JSONWritable where Element: JSONWritable {
  /// The elements in no particular order.
  @inlinable
  public func write(to json: inout JSONOutput) { json.elements(self) }
}

extension Dictionary: JSONWritable where Key: JSONObjectKey, Value: JSONWritable {
  /// The members in no particular order, or sorted by ``JSONWritingOptions/sortsKeys``.
  @inlinable
  public func write(to json: inout JSONOutput) {
    json.object { object in
      for (key, value) in self { object.field(JSONKey(key.jsonKey), value) }
    }
  }
}

// MARK: - This library's

extension JSONPresence: JSONWritable where Value: JSONWritable {
  public func write(to json: inout JSONOutput) { json.value(value) }

  /// True for `.absent`: the member is left out.
  public var _isAbsent: Bool {
    if case .absent = self { return true }
    return false
  }
}

extension OpenEnum: JSONWritable where Known.RawValue: JSONWritable {
  public func write(to json: inout JSONOutput) { json.value(rawValue) }
}

extension JSONNumber: JSONWritable {
  /// The number's text.
  public func write(to json: inout JSONOutput) {
    json.number(spelled: text)
  }
}
