// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

@Suite("Errors past the limit")
struct ErrorsPastTheLimitTests {
  private static let rows =
    "[\((0..<200).map { #"{"id":"x\#($0)","tags":[1,"a",null]}"# }.joined(separator: ","))]"

  /// Keeps what each element's decoder saw.
  private enum Seen {
    @TaskLocal static var errors = Box()
    final class Box: @unchecked Sendable { var list: [DecodeError] = [] }
  }

  /// Both fields are wrong in every row; looks at the errors before it fails with them.
  private struct Looking: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Looking> {
      let id = json.decode("id", as: Int.self)
      let name = json.decode("name", as: String.self)
      Seen.errors.list += [id.error, name.error].compactMap { $0 }
      return build({ (_: Int, _: String) in Looking() }, id, name)
    }
  }

  @Test("are counted, and whoever catches one sees what it is, then and later", arguments: engines)
  func seen(_ engine: Engine) throws {
    let seen = Seen.Box()
    let options = DecodingOptions(engine: engine, maximumErrors: 3)
    let error = try #require(
      Seen.$errors.withValue(seen) { [Looking].decode(from: Self.rows, options: options).error })
    #expect(error.count == 400)
    #expect(error.underlying.map(\.path.text) == ["/0/id", "/0/name", "/1/id"])
    #expect(error.omittedCount == 397)
    #expect(seen.list.count == 400)
    for (place, error) in seen.list.enumerated() {
      #expect(error.code == (place % 2 == 0 ? .typeMismatch : .missingKey), "\(place)")
      #expect(error.expected == (place % 2 == 0 ? "an integer" : nil), "\(place)")
    }
  }

  /// The first field is wrong in every row and forgiven in several ways; `last` is missing.
  private struct Forgiving: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Forgiving> {
      let id = json.decode("id", as: Int.self).map { "\($0)" }.or(json.decode("id"))
      let absent = json.decode("absent", as: Int.self).optional
      let coded = json.decode("id", as: Int.self).error?.code == .typeMismatch
      let tags = json.decode("tags", as: LossyArray<String>.self)
      guard case .success(let text) = id, case .success(nil) = absent, coded,
        case .success(let list) = tags, list.elements == ["a"], text.first == "x"
      else { return .failure(.custom("not forgiven")) }
      return build({ (_: Int) in Forgiving() }, json.decode("last"))
    }
  }

  @Test("do not hinder what catches errors inside an element", arguments: engines)
  func caught(_ engine: Engine) throws {
    for limit in [1, 2, 64] {
      let options = DecodingOptions(engine: engine, maximumErrors: limit)
      let error = try #require([Forgiving].decode(from: Self.rows, options: options).error)
      #expect(error.count == (limit == 1 ? 1 : 200), "\(limit)")
      let all = limit == 1 ? [error] : error.underlying
      #expect(all.count == limit, "\(limit)")
      #expect(all.allSatisfy { $0.code == .missingKey }, "\(limit)")
      #expect(all.last?.path.text == "/\(limit - 1)/last", "\(limit)")
    }
  }

  /// An error that is kept from one element and is another's too.
  private struct Repeating: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Repeating> {
      if Seen.errors.list.isEmpty, let error = json.decode("name", as: Int.self).error {
        Seen.errors.list = [error]
      }
      return build(
        { (_: Int, _: Int) in Repeating() }, .failure(Seen.errors.list[0]), json.decode("id"))
    }
  }

  @Test("leave an error as it is that somebody keeps", arguments: engines)
  func kept(_ engine: Engine) throws {
    let seen = Seen.Box()
    let options = DecodingOptions(engine: engine, maximumErrors: 2)
    let error = try #require(
      Seen.$errors.withValue(seen) { [Repeating].decode(from: Self.rows, options: options).error })
    #expect(error.count == 400)
    #expect(seen.list[0].code == .missingKey)
    #expect(seen.list[0].count == 1)
    #expect(error.underlying.map(\.code) == [.missingKey, .typeMismatch])
  }
}
