// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Inverses write what conversions read. An inverse has the name of its conversion, so one word reads and writes a field:
//
//   conversion               reads              inverse writes
//   .epochSeconds            1709209800         1709209800
//   .fromString              "5"                "5"
//   .value.inRange(0...9)    5                  5
//
// They are types of their own, so that the compiler reports a conversion without an inverse at the field that needs one.

/// Writes a value that a conversion has read.
///
///     object.field("created", created, using: .epochSeconds)
///
/// For a conversion of your own, write the inverse beside it, under the same name:
///
///     extension JSONConversion<Double> {
///       static var celsius: JSONConversion { .value.map { ($0 - 32) / 1.8 } }
///     }
///     extension JSONInverse<Double> {
///       static var celsius: JSONInverse { JSONInverse { $1.value($0 * 1.8 + 32) } }
///     }
public struct JSONInverse<Value>: Sendable {
  private let body: @Sendable (Value, inout JSONOutput) -> Void

  /// An inverse by a function, which writes one value.
  public init(_ body: @escaping @Sendable (Value, inout JSONOutput) -> Void) { self.body = body }

  @usableFromInline
  func write(_ value: Value, to json: inout JSONOutput) { body(value, &json) }
}

extension JSONInverse where Value: JSONWritable & SendableMetatype {
  /// The type's own text.
  public static var value: JSONInverse { JSONInverse { $0.write(to: &$1) } }

  /// The value's own text, as by ``value``: for `.value.or(.constant(0))`, which reads any other value as `0`.
  public static func constant(_ value: Value) -> JSONInverse { .value }
}

extension JSONInverse {
  /// Writes a checked value unchanged.
  public func validated(
    _ message: String, _ accepts: @escaping @Sendable (Value) -> Bool
  ) -> JSONInverse { self }

  /// Writes a value in the range unchanged.
  public func inRange<Bounds: RangeExpression & Sendable>(_ range: Bounds) -> JSONInverse
  where Bounds.Bound == Value { self }

  /// Writes values of both conversions by the inverse of the first.
  public func or(_ other: JSONInverse) -> JSONInverse { self }

  /// The elements, each by its inverse.
  public static func array<Element>(of element: JSONInverse<Element>) -> JSONInverse
  where Value == [Element] {
    JSONInverse { values, json in
      json.array { array in
        for value in values { array.element(value, using: element) }
      }
    }
  }

  /// The elements that were read, each by its inverse.
  public static func lossyArray<Element>(of element: JSONInverse<Element>) -> JSONInverse
  where Value == LossyArray<Element> {
    JSONInverse { JSONInverse<[Element]>.array(of: element).write($0.elements, to: &$1) }
  }

  /// `null` for nil.
  public static func optional<Wrapped>(_ wrapped: JSONInverse<Wrapped>) -> JSONInverse
  where Value == Wrapped? {
    JSONInverse { value, json in
      if let value { wrapped.write(value, to: &json) } else { json.null() }
    }
  }
}

extension JSONInverse where Value: Collection {
  /// Writes a value that is not empty unchanged.
  public var nonEmpty: JSONInverse { self }
}

extension JSONInverse where Value: FixedWidthInteger & JSONWritable & SendableMetatype {
  /// The number in a string.
  public static var fromString: JSONInverse { JSONInverse { $1.string(String($0)) } }
  /// The number.
  public static var numberOrString: JSONInverse { .value }
  /// The number, as an integer.
  public static var integral: JSONInverse { .value }
}

extension JSONInverse where Value: BinaryFloatingPoint & JSONWritable & SendableMetatype {
  /// The number's shortest text in a string.
  public static var fromString: JSONInverse { JSONInverse { $1.string($0.jsonText()) } }
  /// The number.
  public static var numberOrString: JSONInverse { .value }
}

extension JSONInverse where Value == Bool {
  /// `0` or `1`.
  public static var zeroOrOne: JSONInverse { JSONInverse { $1.integer($0 ? 1 : 0) } }
  /// `true` or `false`.
  public static var boolOrZeroOrOne: JSONInverse { .value }
  /// `"true"` or `"false"`.
  public static var fromString: JSONInverse { JSONInverse { $1.string($0 ? "true" : "false") } }
}

// MARK: - Verbs

extension JSONObjectOutput {
  /// Writes a member by the inverse of the conversion that reads it.
  @_alwaysEmitIntoClient
  public mutating func field<Value>(
    _ key: JSONKey, _ value: Value, using inverse: JSONInverse<Value>
  ) {
    begin(key)
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    inverse.write(value, to: &output)
    end(key, output.isWritten)
  }

  /// Writes a member by the inverse of the conversion that reads it, or nothing if the value is nil.
  @_alwaysEmitIntoClient
  public mutating func fieldIfPresent<Value>(
    _ key: JSONKey, _ value: Value?, using inverse: JSONInverse<Value>
  ) {
    if let value { field(key, value, using: inverse) }
  }

  /// Writes the entries of a dictionary as members of this object.
  @_alwaysEmitIntoClient
  public mutating func fields<Key: JSONObjectKey>(_ members: [Key: some JSONWritable]) {
    for (key, value) in members { field(JSONKey(key.jsonKey), value) }
  }

  /// Writes a value's members as members of this object. The value must write an object.
  ///
  ///     object.field("type", "circle")
  ///     object.members(of: circle)          // {"type":"circle","radius":1}
  @_alwaysEmitIntoClient
  public mutating func members(of value: borrowing some JSONWritable) {
    state.pointee.join()
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    value.write(to: &output)
    state.pointee.endJoining()
  }
}

extension JSONArrayOutput {
  /// Writes an element by an inverse.
  @_alwaysEmitIntoClient
  public mutating func element<Value>(_ value: Value, using inverse: JSONInverse<Value>) {
    begin()
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    inverse.write(value, to: &output)
    end(output.isWritten)
  }
}
