// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Objects of tens of thousands of keys, asked with keys that are known at run time. Scanning for each
// would take minutes here; Tests/Index/lookup_tests.c measures the time. Under a sanitizer and in another
// locale, they have thousands.

import Decant
import DecantTestSupport
import Testing

/// `{"k0":{"n":0},"k1":{"n":1},…}`, and then every seventh key once more.
private func wideDocument(_ count: Int, duplicates: Bool) -> String {
  var text = "{"
  for place in 0..<count { text += "\"k\(place)\":{\"n\":\(place)}," }
  if duplicates {
    for place in stride(from: 0, to: count, by: 7) { text += "\"\\u006b\(place)\":{\"n\":-1}," }
  }
  text.removeLast()
  return text + "}"
}

/// Places in an order of no pattern, each once.
private func shuffledPlaces(_ count: Int) -> [Int] {
  var random = SeededRandom(printing: "places in wide objects")
  return Array(0..<count).shuffled(using: &random)
}

@Suite("Wide objects")
struct WideObjectTests {
  private static let count = rounds(40_000)
  private let count = Self.count

  @Test("run-time keys in any order, through values and views", arguments: engines)
  func everyKey(engine: Engine) throws {
    let value = try JSONValue(
      parsing: wideDocument(count, duplicates: false), options: .on(engine))
    for place in shuffledPlaces(count) { #expect(value["k\(place)"]["n"].int == place) }
    let sum = value.withView { json in
      var sum = 0
      for place in shuffledPlaces(count) { sum += json["k\(place)"]["n"].int ?? 0 }
      return sum
    }
    #expect(sum == count * (count - 1) / 2)
    for place in shuffledPlaces(2_000) {
      #expect(try value["k\(place)"].decode([String: Int].self) == ["n": place])
    }
  }

  @Test("the rule for duplicates holds, before an object has its directory and after")
  func duplicates() throws {
    let text = wideDocument(count, duplicates: true)
    for rule in [DecodingOptions.DuplicateKeys.first, .last] {
      let value = try JSONValue(parsing: text, options: DecodingOptions(duplicateKeys: rule))
      for place in shuffledPlaces(count) {
        let expected = rule == .last && place % 7 == 0 ? -1 : place
        #expect(value["k\(place)"]["n"].int == expected)
      }
    }
  }

  @Test("keys that are not there, in the scoped form", arguments: engines)
  func missingKeys(engine: Engine) throws {
    struct Model: JSONDecodable {
      let found: Int
      static func decode(_ json: JSON) -> Decoded<Model> {
        let count = WideObjectTests.count
        var found = 0
        for place in 0..<count {
          found += json.contains(JSONKey("missing \(place)")) ? 1 : 0
          found += json.contains(JSONKey("k\((place * 7919) % count)")) ? 1 : 0
        }
        return .success(Model(found: found))
      }
    }
    let text = wideDocument(count, duplicates: false)
    #expect(try Model(decoding: text, options: .on(engine)).found == count)
  }

  @Test("threads that look into one document at once", arguments: engines)
  func sharing(engine: Engine) async throws {
    let value = try JSONValue(parsing: wideDocument(3_000, duplicates: false), options: .on(engine))
    let sums = await withTaskGroup(of: Int.self) { group in
      for start in 0..<4 {
        group.addTask {
          var sum = 0
          for step in 0..<3_000 {
            let name = "k\((step * 7 + start * 701) % 3_000)"
            let number =
              step % 2 == 0 ? value[name]["n"].int : value.withView { $0[name]["n"].int }
            sum += number ?? 0
          }
          return sum
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 3_000 * 2_999 / 2, count: 4))
  }
}
