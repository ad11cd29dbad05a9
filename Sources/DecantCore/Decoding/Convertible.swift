// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The rest of Mapper's verbs: conversions by type (`Convertible`) and by field (`transformation:`).

/// A type that is made from a JSON value by code that throws: Mapper's name for ``JSONDecodable``, for types
/// that cannot have an initialiser of that form.
///
///     extension Coordinate: Convertible {
///       static func from(_ json: JSON) throws(DecodeError) -> Coordinate {
///         Coordinate(
///           latitude: try json.from(["lat", "latitude"]),
///           longitude: try json.from(["lng", "longitude"]))
///       }
///     }
public protocol Convertible: JSONDecodable {
  static func from(_ json: JSON) throws(DecodeError) -> Self
}

extension Convertible {
  public static func decode(_ json: JSON) -> Decoded<Self> {
    do throws(DecodeError) { return .success(try from(json)) } catch { return .failure(error) }
  }
}

extension JSON {
  /// Makes a value from the JSON at a dotted field by a function, or throws.
  ///
  ///     try json.from("hints", transformation: Transform.toDictionary { $0.id })
  public func from<Model>(
    _ field: String, transformation: (JSON) throws(DecodeError) -> Model
  ) throws(DecodeError) -> Model {
    try decode(JSONKey(dotted: field), by: { json in outcome(of: transformation, json) }).get()
  }

  /// Makes a value from the JSON at a dotted field by a function; nil whatever goes wrong.
  public func optionalFrom<Model>(
    _ field: String, transformation: (JSON) throws(DecodeError) -> Model
  ) -> Model? {
    decode(JSONKey(dotted: field), by: { json in outcome(of: transformation, json) }).value
  }

  /// Converts the value at a dotted field, or throws.
  public func from<Value>(
    _ field: String, using conversion: Conversion<Value>
  ) throws(DecodeError) -> Value { try decode(JSONKey(dotted: field), using: conversion).get() }

  /// Converts the value at a dotted field; nil whatever goes wrong.
  public func optionalFrom<Value>(_ field: String, using conversion: Conversion<Value>) -> Value? {
    decode(JSONKey(dotted: field), using: conversion).value
  }
}

private func outcome<Model>(
  of body: (JSON) throws(DecodeError) -> Model, _ json: JSON
) -> Decoded<Model> {
  do throws(DecodeError) { return .success(try body(json)) } catch { return .failure(error) }
}

/// Functions for `transformation:`.
public enum Transform {
  /// Models of an array by a key of theirs; of models with one key the last stays. A value that is no
  /// array is an error, and so is an element that is no model.
  public static func toDictionary<Key: Hashable, Model: JSONDecodable>(
    key: @escaping (Model) -> Key
  ) -> (JSON) throws(DecodeError) -> [Key: Model] {
    { (json: JSON) throws(DecodeError) -> [Key: Model] in
      let models = try json.get(as: [Model].self)
      return Dictionary(models.map { (key($0), $0) }) { _, last in last }
    }
  }
}
