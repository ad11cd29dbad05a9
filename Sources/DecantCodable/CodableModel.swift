// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A Codable type inside a pipeline model, and a pipeline value inside a Codable model. (A `JSONDecodable` model inside
// a Codable one needs nothing: it is decoded by its `decode(_:)`.)

internal import CDecantIndex
public import DecantCore

/// Makes a `Decodable` type `JSONDecodable`.
///
///     let when: CodableModel<Date> = try json.get("when")
///     when.model
///
///     json.convert("when", using: .codable(Date.self, by: decoder))     // without the wrapper
public struct CodableModel<Model: Decodable>: JSONDecodable {
  /// The model.
  public let model: Model

  /// Wraps a model.
  public init(_ model: Model) { self.model = model }

  /// Decodes like a ``DecantDecoder`` without options.
  public static func decode(_ json: JSON) -> Decoded<CodableModel> {
    plainDecoder.decoded(Model.self, from: json).map { CodableModel($0) }
  }
}

extension CodableModel: Equatable where Model: Equatable {}
extension CodableModel: Hashable where Model: Hashable {}
extension CodableModel: Sendable where Model: Sendable {}

extension CodableModel: CustomStringConvertible {
  /// The model's description.
  public var description: String { String(describing: model) }
}

/// A decoder whose options are never set.
private let plainDecoder = DecantDecoder()

extension JSONConversion where Value: Decodable & SendableMetatype {
  /// Decodes a `Decodable` type, by your decoder, or by one without options.
  ///
  ///     json.convert("meeting", using: .codable(Meeting.self, by: decoder))
  public static func codable(
    _ type: Value.Type = Value.self, by decoder: DecantDecoder? = nil
  ) -> JSONConversion {
    JSONConversion { (decoder ?? plainDecoder).decoded(type, from: $0) }
  }
}

extension DecodeError {
  /// The error that a Codable model threw, at the value that it is about.
  ///
  /// - Parameters:
  ///   - depth: how many keys of the error's path lead to `json`.
  ///   - message: the error's text about a node, without the node's place.
  init(
    _ error: any Error, in json: JSON, _ settings: Settings, below depth: Int = 0,
    _ message: (UInt64, String) -> String = { $1 }
  ) {
    guard let error = error as? DecodingError else {
      if let error = error as? DecodeError {
        self = json.inFlight(ofInner: error) ?? error.resolved(in: json)
      } else {
        self = json.failure(.custom, message: String(describing: error))
      }
      return
    }
    guard let parts = error.parts else {
      self = .custom(String(describing: error))
      return
    }
    let context = parts.context
    var code = parts.code
    var view = json
    var steps: [JSONPointer.Token] = []
    var isField = false
    for (depth, key) in context.codingPath.enumerated().dropFirst(depth) {
      guard let child = view.child(at: key, settings.keys, below: context.codingPath, depth)
      else { break }
      steps.append(child.step)
      isField = view.kind == .object
      view = JSON(child.node, within: json)
    }
    if let error = context.underlyingError as? DecodeError {
      self = error
      return
    }
    if case .keyNotFound(let key, _) = error, view.member(key.stringValue) == DECANT_NODE_NONE {
      self = view.absence(of: JSONKey(key.stringValue))
      return
    }
    // A null field counts as missing, also for a Bool, where JSONDecoder reports a wrong type. A null element or root is
    // present.
    if view.isNull, code == .missingKey || code == .typeMismatch {
      code = isField ? .missingKey : .typeMismatch
    }
    let text = message(view.node, context.debugDescription)
    self = json.reached(view.failure(code, message: text), by: steps)
  }
}

extension DecodingError {
  /// The code of a `DecodeError`, and the context.
  var parts: (code: DecodeError.Code, context: Context)? {
    switch self {
    case .typeMismatch(_, let context): (.typeMismatch, context)
    case .valueNotFound(_, let context), .keyNotFound(_, let context): (.missingKey, context)
    case .dataCorrupted(let context): (.invalidValue, context)
    @unknown default: nil
    }
  }
}

extension JSON {
  /// The child at a coding key, and the step that leads to it; of members whose keys a strategy converts, the first with
  /// that key.
  @inline(never)
  fileprivate func child(
    at key: any CodingKey, _ keys: DecantDecoder.KeyDecodingStrategy,
    below path: [any CodingKey], _ depth: Int
  ) -> (step: JSONPointer.Token, node: UInt64)? {
    if kind == .array {
      let index = key.intValue ?? -1
      return found(element(index), .index(index))
    }
    let name = key.stringValue
    // Keys of dictionaries are not converted.
    if let child = found(member(name), .key(name)) { return child }
    if keys.isDefault { return nil }
    let convert = keys.conversion(below: Array(path.prefix(depth)))
    var members = ChildCursor(self)
    while members.next(in: self) != nil {
      let key = members.key(in: self)
      if convert(key) == name { return found(member(key), .key(key)) }
    }
    return nil
  }

  private func found(
    _ node: UInt64, _ step: JSONPointer.Token
  ) -> (step: JSONPointer.Token, node: UInt64)? {
    node == DECANT_NODE_NONE ? nil : (step, node)
  }
}
