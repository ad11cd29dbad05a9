// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Tagged unions: a member says which of several models the value is.
//
//   {"type": "circle", "radius": 1}                 the model beside its tag     .model(Shape.circle)
//   {"type": "circle", "data": {"radius": 1}}       the model at a key           .model(at: "data", Shape.circle)

extension JSONConversion {
  /// A tagged union: the discriminator chooses the conversion.
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
  /// Without `otherwise:` an unknown discriminator is an error that lists the known ones. The model beside the
  /// discriminator does not count it as an unknown member.
  ///
  /// - Parameters:
  ///   - discriminator: the key or path of the tag, a string.
  ///   - cases: the conversion for each tag. Of two entries with the same tag the first counts.
  ///   - otherwise: makes the model for any other tag, from the tag and the whole value.
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
      switch json.decodeTag(discriminator) {
      case .failure(let error): return .failure(error)
      case .success(let name):
        if let conversion = conversions[name] {
          var known = KnownKeys([discriminator])
          return json.part(&known, conversion.convert).and(json.checkMembers(known: known))
        }
        guard let fallback else {
          return .failure(json.unknownCase(at: discriminator, of: names))
        }
        return JSONValue.decode(json).map { fallback(name, $0) }
      }
    }
  }
}
