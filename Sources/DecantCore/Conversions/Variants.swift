// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Tagged unions: a member says which of several models stands here.
//
//   {"type": "circle", "radius": 1}                 the model beside its tag     .model(Shape.circle)
//   {"type": "circle", "data": {"radius": 1}}       the model at a key           .model(at: "data", Shape.circle)

internal import CDecantIndex

/// The cases of a tagged union, by the discriminator that tells them apart.
///
///     enum Shape: JSONDecodable {
///       case circle(Circle), square(Square), unknown(String, JSONValue)
///
///       static let variants = Variants<Shape>(
///         by: "type", ["circle": .model(Shape.circle), "square": .model(Shape.square)],
///         otherwise: Shape.unknown)
///
///       static func decode(_ json: JSON) -> Decoded<Shape> { variants.decode(json) }
///     }
///
/// Without `otherwise:` an unknown discriminator is an error that lists the known ones.
public struct Variants<Model>: Sendable {
  private let discriminator: JSONKey
  private let conversions: [String: Conversion<Model>]
  private let names: [String]
  private let fallback: (@Sendable (String, JSONValue) -> Model)?

  /// - Parameters:
  ///   - discriminator: the key or path of the tag, a string.
  ///   - cases: how the model is made for each tag. Of two entries with one tag the first counts.
  ///   - otherwise: makes the model for any other tag, from the tag and the whole value as it came.
  public init(
    by discriminator: JSONKey, _ cases: KeyValuePairs<String, Conversion<Model>>,
    otherwise fallback: (@Sendable (String, JSONValue) -> Model)? = nil
  ) {
    self.discriminator = discriminator
    self.fallback = fallback
    names = cases.map { $0.key }
    conversions = Dictionary(cases.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Decodes the case that the discriminator names.
  public func decode(_ json: JSON) -> Decoded<Model> {
    switch json.decode(discriminator, as: String.self) {
    case .failure(let error): return .failure(error)
    case .success(let name):
      if let conversion = conversions[name] { return conversion.decode(json) }
      guard let fallback else { return .failure(unknown(in: json)) }
      return JSONValue.decode(json).map { fallback(name, $0) }
    }
  }

  private func unknown(in json: JSON) -> DecodeError {
    let node = json.node(at: discriminator)
    let tag = JSON(node, within: json)
    let error = DecodeError.notOne(of: names.map(quoted), in: tag)
    return json.placed(error, at: node, of: discriminator)
  }
}

extension DecodeError {
  /// The value is none of a list, of which the error shows as many as a line can bear.
  static func notOne(
    of accepted: @escaping @autoclosure () -> [String], in json: JSON
  ) -> DecodeError {
    let error = json.failure(.invalidValue, expected: nil)
    if error.storage.code == .invalidValue {
      error.storage.remark = {
        let accepted = accepted()
        let list = accepted.prefix(20).joined(separator: ", ")
        return "is not one of \(list)\(accepted.count > 20 ? ", …" : "")"
      }
    }
    return error
  }
}
