// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Mapper's conversions by type (`Convertible`), and its functions for `transformation:`.

public import DecantCore

/// A type that throwing code makes from a JSON value: Mapper's name for `JSONDecodable`, for types that cannot have an
/// initializer of that form. An error that is not a `DecodeError` becomes one, as in ``materialize(_:)``.
///
///     extension Coordinate: Convertible {
///       static func from(_ json: JSON) throws -> Coordinate {
///         Coordinate(
///           latitude: try json.from(["lat", "latitude"]),
///           longitude: try json.from(["lng", "longitude"]))
///       }
///     }
public protocol Convertible: JSONDecodable {
  /// Makes a value from `json`, or throws.
  static func from(_ json: JSON) throws -> Self
}

extension Convertible {
  /// The outcome of `from(_:)`.
  public static func decode(_ json: JSON) -> Decoded<Self> {
    materialize { try from(json) }
  }
}

/// Functions for `transformation:`.
public enum Transform {
  /// The models of an array by a key. If several models have the same key, the last one counts. A value that is not
  /// an array is an error, and so is an element that is not a model.
  @_alwaysEmitIntoClient
  public static func toDictionary<Key: Hashable, Model: JSONDecodable>(
    key: @escaping (Model) -> Key
  ) -> (JSON) throws(DecodeError) -> [Key: Model] {
    { (json: JSON) throws(DecodeError) -> [Key: Model] in
      let models = try [Model].decode(json).get()
      var dictionary: [Key: Model] = [:]
      for model in models { dictionary[key(model)] = model }
      return dictionary
    }
  }
}
