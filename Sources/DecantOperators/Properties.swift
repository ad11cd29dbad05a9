// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The properties that `<|?`, `<||` and `<||?` decode. If the operators returned `Decoded<Model?>` and `Decoded<[Model]>`, the
// compiler would blame the whole initializer for a property that is not an optional or an array. A missing conformance is
// reported at the operator:
//
//   json <|? "id"     operator function '<|?' requires that 'Int' conform to 'OptionalProperty'

public import DecantCore

/// A property that `<|?` decodes: an optional.
public protocol OptionalProperty: JSONDecodable {
  /// Decodes the value at a key; absent or `null` is nil.
  static func decodeIfPresent(_ json: JSON, _ key: JSONKey) -> Decoded<Self>
}

/// A property that `<||` decodes: an array.
public protocol ArrayProperty: JSONDecodable {}

/// A property that `<||?` decodes: an optional array.
public protocol OptionalArrayProperty: OptionalProperty {}

extension Optional: OptionalProperty where Wrapped: JSONDecodable {
  /// Decodes the value at a key; absent or `null` is nil.
  @_alwaysEmitIntoClient @inline(__always)
  public static func decodeIfPresent(_ json: JSON, _ key: JSONKey) -> Decoded<Wrapped?> {
    json.decodeIfPresent(key)
  }
}

extension Array: ArrayProperty where Element: JSONDecodable {}

extension Optional: OptionalArrayProperty where Wrapped: ArrayProperty {}

// `build` counts parts of this type if it has fewer than the initializer has parameters: BuildMiscounted.Generated.swift.
extension JSONValue: ArrayProperty {}
extension Optional: ArrayProperty where Wrapped == JSONValue {}
