// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The verbs of Mapper: fields by dotted name, alternatives, transformations, and `optionalFrom`, which
// turns every failure into nil.

public import DecantCore

extension JSON {
  /// Decodes the value at a dotted field such as `phone.verified`, or throws; `""` is this value.
  ///
  /// A component that leads through a value that is not an object counts as missing. Keys that contain dots
  /// are reached by `get(_:as:)`.
  @_alwaysEmitIntoClient
  public func from<Model: JSONDecodable>(
    _ field: String, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model { try decode(JSONKey(dotted: field)).get() }

  /// Decodes the first of several fields that works, or throws the last one's error. An empty list of fields is an
  /// error.
  @_alwaysEmitIntoClient
  public func from<Model: JSONDecodable>(
    _ fields: [String], as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model {
    for field in fields.dropLast() {
      if let model: Model = optionalFrom(field) { return model }
    }
    guard let field = fields.last else { throw noFields() }
    return try from(field)
  }

  /// Decodes an array of raw values; an unknown raw value becomes the default.
  ///
  /// An element of another kind is an error. Without a default, an unknown raw value is an error, too:
  /// Mapper drops it.
  @_alwaysEmitIntoClient
  public func from<Model: JSONDecodable & RawRepresentable>(
    _ field: String, defaultValue: Model
  ) throws(DecodeError) -> [Model] where Model.RawValue: JSONDecodable {
    try decode(JSONKey(dotted: field), as: [Model.RawValue].self)
      .map { values in values.map { Model(rawValue: $0) ?? defaultValue } }.get()
  }

  /// Converts the JSON at a dotted field by a function, or throws. An error that is not a `DecodeError` becomes one, as in
  /// ``materialize(_:)``.
  ///
  ///     try json.from("hints", transformation: Transform.toDictionary { $0.id })
  @_alwaysEmitIntoClient
  public func from<Model, Failure>(
    _ field: String, transformation: (JSON) throws(Failure) -> Model
  ) throws(DecodeError) -> Model {
    try decode(JSONKey(dotted: field)) { json in
      materialize { () throws(Failure) in try transformation(json) }
    }.get()
  }

  /// Makes a value from the first of several fields for which the function does not fail, or throws the last
  /// one's error.
  @_alwaysEmitIntoClient
  public func from<Model, Failure>(
    _ fields: [String], transformation: (JSON) throws(Failure) -> Model
  ) throws(DecodeError) -> Model {
    for field in fields.dropLast() {
      if let model = optionalFrom(field, transformation: transformation) { return model }
    }
    guard let field = fields.last else { throw noFields() }
    return try from(field, transformation: transformation)
  }

  @usableFromInline
  func noFields() -> DecodeError { failure(.missingKey, expected: "at least one key") }
}

// MARK: - nil whatever goes wrong

extension JSON {
  /// Decodes the value at a dotted field; nil if it is absent, `null`, of a wrong type, or an unknown raw
  /// value.
  @_alwaysEmitIntoClient
  public func optionalFrom<Model: JSONDecodable>(
    _ field: String, as type: Model.Type = Model.self
  ) -> Model? {
    try? from(field, as: type)
  }

  /// Decodes the first of several fields that works; nil if none does.
  @_alwaysEmitIntoClient
  public func optionalFrom<Model: JSONDecodable>(
    _ fields: [String], as type: Model.Type = Model.self
  ) -> Model? {
    try? from(fields, as: type)
  }

  /// Makes a value from the JSON at a dotted field by a function; every failure is nil.
  @_alwaysEmitIntoClient
  public func optionalFrom<Model, Failure>(
    _ field: String, transformation: (JSON) throws(Failure) -> Model
  ) -> Model? {
    try? from(field, transformation: transformation)
  }

  /// Makes a value from the first of several fields for which the function does not fail; nil if there is
  /// none.
  @_alwaysEmitIntoClient
  public func optionalFrom<Model, Failure>(
    _ fields: [String], transformation: (JSON) throws(Failure) -> Model
  ) -> Model? {
    try? from(fields, transformation: transformation)
  }
}

extension JSONKey {
  /// The path of a name whose components are joined by dots; `""` is the empty path.
  @usableFromInline
  init(dotted name: String) {
    for byte in name.utf8 where byte == UInt8(ascii: ".") {
      self.init(componentsOf: name)
      return
    }
    if name.utf8.isEmpty { self.init(path: []) } else { self.init(name) }
  }

  private init(componentsOf name: String) {
    var path: [JSONKey] = []
    var component: [UInt8] = []
    for byte in name.utf8 {
      if byte != UInt8(ascii: ".") {
        component.append(byte)
        continue
      }
      path.append(JSONKey(String(decoding: component, as: UTF8.self)))
      component = []
    }
    path.append(JSONKey(String(decoding: component, as: UTF8.self)))
    self.init(path: path)
  }
}
