// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Tagged unions: a member says which of several models the value is.
//
//   {"type": "circle", "radius": 1}                 the model beside its tag     .model(Shape.circle)
//   {"type": "circle", "data": {"radius": 1}}       the model at a key           .model(at: "data", Shape.circle)

internal import CDecantIndex

extension JSONConversion {
  /// A tagged union: the discriminator tells how the value is converted.
  ///
  ///     enum Shape: JSONDecodable {
  ///       case circle(Circle), square(Square), unknown(String, JSONValue)
  ///
  ///       static let variants = JSONConversion<Shape>.variants(
  ///         by: "type", ["circle": .model(Shape.circle), "square": .model(Shape.square)],
  ///         otherwise: Shape.unknown)
  ///
  ///       static func decode(_ json: JSON) -> Decoded<Shape> { json.converted(using: variants) }
  ///     }
  ///
  /// Without `otherwise:` an unknown discriminator is an error that lists the known ones.
  ///
  /// - Parameters:
  ///   - discriminator: the key or path of the tag, a string.
  ///   - cases: how the model is made for each tag. Of two entries with one tag the first counts.
  ///   - otherwise: makes the model for any other tag, from the tag and the whole value as it came.
  public static func variants(
    by discriminator: JSONKey, _ cases: KeyValuePairs<String, JSONConversion>,
    otherwise fallback: (@Sendable (String, JSONValue) -> Value)? = nil
  ) -> JSONConversion {
    var names: [String] = []
    var conversions = [String: JSONConversion]()
    for (name, conversion) in cases {
      names.append(name)
      if conversions[name] == nil { conversions[name] = conversion }
    }
    return JSONConversion { [conversions, names] json in
      switch json.decode(discriminator, as: String.self) {
      case .failure(let error): return .failure(error)
      case .success(let name):
        if let conversion = conversions[name] { return conversion.convert(json) }
        guard let fallback else {
          return .failure(json.unknownVariant(at: discriminator, of: names))
        }
        return JSONValue.decode(json).map { fallback(name, $0) }
      }
    }
  }
}

extension JSON {
  fileprivate func unknownVariant(at discriminator: JSONKey, of names: [String]) -> DecodeError {
    let node = node(at: discriminator)
    let error = DecodeError.notOne(of: names.map(quoted), in: JSON(node, within: self))
    return placed(error, at: node, of: discriminator)
  }
}
