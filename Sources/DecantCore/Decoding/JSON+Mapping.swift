// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The verbs of Mapper: fields by dotted name, alternatives, and `optionalFrom`, which forgives anything.

extension JSON {
  /// Decodes the value at a dotted field such as `phone.verified`, or throws; `""` is this value.
  ///
  /// A step through a value that is no object counts as missing. Keys that contain dots are reached by
  /// ``get(_:as:)``.
  @inlinable
  public func from<Model: JSONDecodable>(
    _ field: String, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model { try decode(JSONKey(dotted: field)).get() }

  /// Decodes the first of several fields that works, or throws the last one's error.
  @inlinable
  public func from<Model: JSONDecodable>(
    _ fields: [String], as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model {
    for field in fields.dropLast() {
      if let model: Model = optionalFrom(field) { return model }
    }
    return try from(fields.last ?? "")
  }

  /// Decodes the value at a dotted field; nil whatever goes wrong: absent, `null`, of a wrong type, of an
  /// unknown raw value.
  @inlinable
  public func optionalFrom<Model: JSONDecodable>(
    _ field: String, as type: Model.Type = Model.self
  ) -> Model? {
    if case .success(let model) = decode(JSONKey(dotted: field), as: Model.self) { return model }
    return nil
  }

  /// Decodes the first of several fields that works; nil if none does.
  @inlinable
  public func optionalFrom<Model: JSONDecodable>(
    _ fields: [String], as type: Model.Type = Model.self
  ) -> Model? {
    for field in fields {
      if let model: Model = optionalFrom(field) { return model }
    }
    return nil
  }
}

extension JSONKey {
  /// The path of a name whose steps are joined by dots; `""` is the empty path.
  @usableFromInline
  package init(dotted name: String) {
    if name.utf8.isEmpty {
      self.init(path: [])
    } else if !name.utf8.contains(UInt8(ascii: ".")) {
      self.init(name)
    } else {
      self.init(
        path: name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
          .map { JSONKey(String(decoding: $0, as: UTF8.self)) })
    }
  }
}
