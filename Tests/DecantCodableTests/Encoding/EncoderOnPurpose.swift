// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The encoder's differences on purpose, each shown on both encoders, unless JSONEncoder would stop the program.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

private enum Key: String, CodingKey { case a, b, c }

/// Encodes by a function.
private struct By: Encodable {
  let body: (any Encoder) throws -> Void
  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private func ours(_ value: some Encodable, _ set: (DecantEncoder) -> Void = { _ in }) -> String? {
  let encoder = DecantEncoder()
  set(encoder)
  return (try? encoder.encode(value) as Data).map { String(decoding: $0, as: UTF8.self) }
}

private func theirs(_ value: some Encodable, _ set: (JSONEncoder) -> Void = { _ in }) -> String? {
  let encoder = JSONEncoder()
  set(encoder)
  return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
}

/// What a strategy for keys was asked.
private final class Paths: @unchecked Sendable {
  var all: Set<String> = []
  func key(_ path: [any CodingKey]) -> any CodingKey {
    all.insert(path.map(\.stringValue).joined(separator: "/"))
    return path[path.count - 1]
  }
}

/// The paths that the strategies for keys of both encoders are asked about.
private func paths(_ value: some Encodable) -> (ours: Set<String>, theirs: Set<String>) {
  let (own, other) = (Paths(), Paths())
  _ = ours(value) { $0.keyEncodingStrategy = .custom { own.key($0) } }
  _ = theirs(value) { $0.keyEncodingStrategy = .custom { other.key($0) } }
  return (own.all, other.all)
}

@Suite("Differences on purpose of DecantEncoder")
struct EncoderOnPurpose {
  struct Row: Sendable, CustomTestStringConvertible {
    let value: String
    let show: @Sendable () throws -> Void
    var testDescription: String { value }
    init(_ value: String, _ show: @escaping @Sendable () throws -> Void) {
      (self.value, self.show) = (value, show)
    }
  }

  private struct Point: Encodable { let x = 1 }

  static let rows: [Row] = [
    Row("members, without `.sortedKeys`") {
      let names = (0..<40).map { "k\($0)" }
      let value = By {
        var container = $0.container(keyedBy: Name.self)
        for name in names { try container.encode(1, forKey: Name(stringValue: name)) }
      }
      let ordered = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
      #expect(ours(value) == ordered && theirs(value) != ordered)
    },
    Row("keys, with `.sortedKeys`") {
      let value = ["b": 1, "a": 2, "é": 3, "B": 4, "10": 5, "9": 6, "a b": 7]
      let found = ours(value) { $0.outputFormatting = .sortedKeys }
      #expect(found == theirs(value) { $0.outputFormatting = .sortedKeys })
    },
    Row("`Decimal.nan`") {
      #expect(theirs([Decimal.nan]) == "[NaN]" && ours([Decimal.nan]) == nil)
    },
    Row(
      "a `Date` that is not finite, in seconds or milliseconds since 1970, where infinities are "
        + "strings"
    ) {
      for seconds in [Double.infinity, -.infinity, .nan] {
        let dates = [Date(timeIntervalSinceReferenceDate: seconds)]
        for inMilliseconds in [false, true] {
          let found = ours(dates) {
            $0.dateEncodingStrategy = inMilliseconds ? .millisecondsSince1970 : .secondsSince1970
            $0.nonConformingFloatEncodingStrategy = .convertToString(
              positiveInfinity: "+", negativeInfinity: "-", nan: "n")
          }
          let expected = theirs(dates) {
            $0.dateEncodingStrategy = inMilliseconds ? .millisecondsSince1970 : .secondsSince1970
            $0.nonConformingFloatEncodingStrategy = .convertToString(
              positiveInfinity: "+", negativeInfinity: "-", nan: "n")
          }
          #expect(found == (seconds.isNaN ? #"["n"]"# : seconds < 0 ? #"["-"]"# : #"["+"]"#))
          #expect(expected == nil)
          let decoder = JSONDecoder()
          decoder.dateDecodingStrategy =
            inMilliseconds ? .millisecondsSince1970 : .secondsSince1970
          decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "n")
          let date = try decoder.decode([Date].self, from: Data((found ?? "").utf8))[0]
          #expect("\(date.timeIntervalSinceReferenceDate)" == "\(seconds)")
        }
      }
    },
    Row("two values, or containers of two kinds, for one encoder") {
      let twice = By {
        var container = $0.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
      let kinds = By {
        _ = $0.unkeyedContainer()
        _ = $0.container(keyedBy: Key.self)
      }
      #expect(ours([twice]) == nil && ours([kinds]) == nil)
    },
    Row("an object and then a single value, for one encoder") {
      let value = By {
        var object = $0.container(keyedBy: Key.self)
        try object.encode(1, forKey: .a)
        try Point().encode(to: $0)
        var single = $0.singleValueContainer()
        try single.encode(Point())
      }
      #expect(theirs([value]) != nil && ours([value]) == nil)
    },
    Row("a nested container under the key of a value of another kind") {
      let value = By {
        var object = $0.container(keyedBy: Key.self)
        try object.encode(1, forKey: .a)
        var nested = object.nestedUnkeyedContainer(forKey: .a)
        try nested.encode(2)
      }
      #expect(ours(value) == #"{"a":[2]}"#)
    },
    Row("512 arrays or objects inside one another") {
      func nested(_ depth: Int) -> By {
        By {
          var container = $0.unkeyedContainer()
          if depth > 1 { try container.encode(nested(depth - 1)) }
        }
      }
      #expect(theirs(nested(511)) == ours(nested(511)) && ours(nested(511)) != nil)
      #expect(theirs(nested(512)) == nil && ours(nested(512))?.utf8.count == 1024)
      #expect(ours(nested(513)) == nil)
      let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
      let read = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
      #expect(read.array?.count == 1)
    },
    Row("a cycle of classes") {
      final class Link: Encodable { var next: Link? }
      let link = Link()
      link.next = link
      defer { link.next = nil }
      #expect(ours(link) == nil)
    },
    Row(
      "an encoder or a container that is kept, and written to after its `encode(to:)` has returned"
    ) {
      final class Kept { var container: KeyedEncodingContainer<Key>? }
      let kept = Kept()
      let value = By {
        kept.container = $0.container(keyedBy: Key.self)
        try kept.container?.encode(1, forKey: .a)
      }
      #expect(theirs(value) == ours(value))
      #expect(throws: EncodingError.self) { try kept.container?.encode(2, forKey: .b) }
    },
    Row(#"`é` and `e\u0301` as keys of one object"#) {
      let value = By {
        var container = $0.container(keyedBy: Name.self)
        try container.encode(1, forKey: Name(stringValue: "é"))
        try container.encode(2, forKey: Name(stringValue: "e\u{301}"))
      }
      #expect(theirs(value)?.utf8.filter { $0 == UInt8(ascii: ":") }.count == 1)
      #expect(ours(value) == "{\"é\":1,\"e\u{301}\":2}")
    },
    Row(
      "paths inside a nested container: of errors, as `codingPath`, and for a custom key strategy"
    ) {
      let value = By {
        var object = $0.container(keyedBy: Key.self)
        var nested = object.nestedContainer(keyedBy: Key.self, forKey: .a)
        try nested.encode(Point(), forKey: .b)
      }
      let found = paths(value)
      #expect(found.ours.contains("a/b/x") && !found.theirs.contains("a/b/x"))
    },
    Row("paths inside a dictionary, for a custom key strategy") {
      let inModel = By {
        var object = $0.container(keyedBy: Key.self)
        try object.encode(["k": Point()], forKey: .a)
      }
      let asked = paths(inModel)
      #expect(asked.ours == ["a", "a/k/x"] && asked.theirs == ["a", "k/x"])
    },
    Row("several values that cannot be encoded") {
      let value = By {
        var container = $0.container(keyedBy: Name.self)
        for place in 0..<40 {
          try container.encode([Double.nan], forKey: Name(stringValue: "k\(place)"))
        }
      }
      let error = try #require(throws: EncodingError.self) {
        try DecantEncoder().encode(value) as Data
      }
      guard case .invalidValue(_, let context) = error else { throw error }
      #expect(context.codingPath.first?.stringValue == "k0")
    },
  ]

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("are listed in the documentation, and each has a test here")
  func page() throws {
    #expect(
      try firstCells(after: "What differs on purpose:") == EncoderOnPurpose.rows.map(\.value))
  }

  @Test("are what they are said to be", arguments: rows)
  func shown(_ row: Row) throws { try row.show() }

  @Test("what is written to a container around a value comes before it, and its key is the value's")
  func around() {
    final class Outer {
      var object: KeyedEncodingContainer<Key>?
      var array: (any UnkeyedEncodingContainer)?
    }
    for key in [Key.a, .b, .c] {
      let outer = Outer()
      let inner = By {
        var object = $0.container(keyedBy: Key.self)
        try object.encode(1, forKey: .a)
        var around = outer.object
        try around?.encode("around", forKey: key)
        try object.encode(2, forKey: .b)
      }
      let value = By {
        var object = $0.container(keyedBy: Key.self)
        outer.object = object
        try object.encode("first", forKey: .a)
        try object.encode(inner, forKey: .b)
      }
      let expected =
        switch key {
        case .a: #"{"a":"around","b":{"a":1,"b":2}}"#
        case .b: #"{"a":"first","b":{"a":1,"b":2}}"#
        case .c: #"{"a":"first","c":"around","b":{"a":1,"b":2}}"#
        }
      #expect(ours(value) == expected)
      // The values are JSONEncoder's.
      #expect(
        ours(value) { $0.outputFormatting = .sortedKeys }
          == theirs(value) { $0.outputFormatting = .sortedKeys })
    }
    let outer = Outer()
    let inner = By {
      var array = $0.unkeyedContainer()
      try array.encode(1)
      var around = outer.array
      try around?.encode("around")
    }
    let value = By {
      var array = $0.unkeyedContainer()
      outer.array = array
      try array.encode(inner)
    }
    #expect(ours(value) == #"["around",[1]]"# && theirs(value) == ours(value))
  }
}
