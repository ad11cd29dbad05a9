// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Conformances to JSONWritable: all decodable types of the standard library and of this one.

extension Bool: JSONWritable {
  /// `true` or `false`.
  public func write(to json: inout JSONOutput) { json.bool(self) }

  /// Key and value in one step.
  @_alwaysEmitIntoClient @inline(__always)
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    object.add(key, self)
  }
}

extension JSONWritable where Self: FixedWidthInteger {
  /// All digits, whatever the width.
  @_alwaysEmitIntoClient
  public func write(to json: inout JSONOutput) {
    if let value = Int64(exactly: self) { json.integer(value) } else { json.wide(self) }
  }

  /// Key and value in one step.
  @_alwaysEmitIntoClient @inline(__always)
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    if let value = Int64(exactly: self) {
      object.add(key, value)
    } else {
      object.field(key) { $0.wide(self) }
    }
  }

  /// The elements, one by one: the step is compiled once for all widths.
  @_alwaysEmitIntoClient
  public static func _writeElements(
    _ values: UnsafeBufferPointer<Self>, to array: inout JSONArrayOutput
  ) {
    for place in values.indices {
      if let value = unsafe Int64(exactly: values[place]) {
        array.add(value)
      } else {
        unsafe array.add(wide: values[place])
      }
    }
  }
}

extension Int: JSONWritable {
  /// The elements of an array in one step.
  @_alwaysEmitIntoClient
  public static func _writeElements(
    _ values: UnsafeBufferPointer<Int>, to array: inout JSONArrayOutput
  ) {
    // SAFETY: where they are of one size, they are the same bits.
    if MemoryLayout<Int>.size == MemoryLayout<Int64>.size {
      unsafe values.withMemoryRebound(to: Int64.self) { unsafe array.add($0) }
    } else {
      for place in values.indices { unsafe array.element(Int64(values[place])) }
    }
  }
}
extension Int8: JSONWritable {}
extension Int16: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONWritable {}
extension UInt: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONWritable {}

extension Double: JSONWritable {
  /// The shortest decimal that reads back as the same number.
  public func write(to json: inout JSONOutput) { json.number(self) }

  /// Key and value in one step.
  @_alwaysEmitIntoClient @inline(__always)
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    object.add(key, self)
  }

  /// The elements of an array in one step.
  @_alwaysEmitIntoClient
  public static func _writeElements(
    _ values: UnsafeBufferPointer<Double>, to array: inout JSONArrayOutput
  ) { unsafe array.add(values) }
}

extension Float: JSONWritable {
  /// The shortest decimal that reads back as the same number.
  public func write(to json: inout JSONOutput) { json.number(self) }
}

extension String: JSONWritable {
  /// A string, with the escapes that JSON needs.
  public func write(to json: inout JSONOutput) { json.string(self) }
  /// Key and value in one step.
  @_alwaysEmitIntoClient @inline(__always)
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    object.add(key, self)
  }
  /// The elements of an array in one step.
  @_alwaysEmitIntoClient
  public static func _writeElements(
    _ values: UnsafeBufferPointer<String>, to array: inout JSONArrayOutput
  ) { unsafe array.add(values) }
}
extension Substring: JSONWritable {
  /// A string, with the escapes that JSON needs.
  public func write(to json: inout JSONOutput) { json.string(String(self)) }
}
extension Character: JSONWritable {
  /// A string, with the escapes that JSON needs.
  public func write(to json: inout JSONOutput) { json.string(String(self)) }
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
  /// The raw value.
  @_alwaysEmitIntoClient
  public func write(to json: inout JSONOutput) { rawValue.write(to: &json) }
}

// MARK: - Containers

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// `null` for nil.
  @_alwaysEmitIntoClient @inline(__always)
  public func write(to json: inout JSONOutput) {
    if let value = self { value.write(to: &json) } else { json.null() }
  }

  /// Key and value in one step.
  @_alwaysEmitIntoClient @inline(__always)
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    if let value = self { value._writeMember(key, to: &object) } else { object.addNull(key) }
  }
}

extension JSONOutput {
  /// Writes the elements of a sequence as an array.
  @_alwaysEmitIntoClient
  package mutating func elements(_ values: some Sequence<some JSONWritable>) {
    array { array in
      for value in values { array.element(value) }
    }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// The elements in their order.
  @_alwaysEmitIntoClient
  public func write(to json: inout JSONOutput) {
    unsafe withUnsafeBufferPointer { values in
      json.array { unsafe Element._writeElements(values, to: &$0) }
    }
  }

  /// Arrays of numbers in one step each.
  @_alwaysEmitIntoClient
  public static func _writeElements(
    _ values: UnsafeBufferPointer<[Element]>, to array: inout JSONArrayOutput
  ) {
    guard let start = values.baseAddress else { return }
    unsafe start.withMemoryRebound(to: BorrowedElement<[Element]>.self, capacity: values.count) {
      for place in values.indices {
        if unsafe !$0[place].writeNumbers(to: &array) { unsafe $0[place].write(to: &array) }
      }
    }
  }
}

extension ArraySlice: JSONWritable where Element: JSONWritable {
  /// The elements in their order.
  @_alwaysEmitIntoClient
  public func write(to json: inout JSONOutput) {
    unsafe withUnsafeBufferPointer { values in
      json.array { unsafe Element._writeElements(values, to: &$0) }
    }
  }
}

extension Set: JSONWritable where Element: JSONWritable {
  /// The elements in no particular order.
  @_alwaysEmitIntoClient
  public func write(to json: inout JSONOutput) { json.elements(self) }
}

extension Dictionary: JSONWritable where Key: JSONObjectKey, Value: JSONWritable {
  /// The members in no particular order, or sorted by ``JSONWritingOptions/sortsKeys``.
  @_alwaysEmitIntoClient
  public func write(to json: inout JSONOutput) {
    json.object { object in
      for (key, value) in self { object.field(JSONKey(key.jsonKey), value) }
    }
  }
}

// MARK: - This library's

extension JSONPresence: JSONWritable where Value: JSONWritable {
  /// The value, or `null`.
  public func write(to json: inout JSONOutput) { json.value(value) }

  /// Leaves the member out for `.absent`.
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    if case .absent = self { return }
    object.field(key, value)
  }
}

extension LossyArray: JSONWritable where Element: JSONWritable {
  /// The elements that were decoded.
  public func write(to json: inout JSONOutput) { json.elements(elements) }
}

extension LossyDictionary: JSONWritable where Key: JSONObjectKey, Value: JSONWritable {
  /// The members that were decoded.
  public func write(to json: inout JSONOutput) { elements.write(to: &json) }
}

extension JSONTimestamp: JSONWritable {
  /// ``rfc3339``. Years that have none are a failure with the code ``JSONWritingError/Code/invalidValue``.
  public func write(to json: inout JSONOutput) {
    if let text = rfc3339 { json.string(text) } else { json.failInvalidValue() }
  }
}

extension OpenEnum: JSONWritable where Known.RawValue: JSONWritable {
  /// The raw value.
  public func write(to json: inout JSONOutput) { json.value(rawValue) }
}

extension JSONNumber: JSONWritable {
  /// The number's text.
  public func write(to json: inout JSONOutput) {
    json.number(spelled: text)
  }
}
