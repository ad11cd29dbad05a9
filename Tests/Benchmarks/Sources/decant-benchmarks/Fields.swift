// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The kinds of fields that models have, a thousand of each, in both directions: no kind is to be left behind where the
// documents of other benchmarks do not have it.

import Contenders
import Corpora
import Decant
import DecantFoundation
import Foundation

enum Fields {
  static func text(seconds: Double) throws -> String {
    let rows = try all()
    var watches = try rows.map { try $0.ways.map { try Stopwatch($0) } }
    let deadline = now() + seconds * 1e9
    while now() < deadline {
      for row in watches.indices {
        for way in watches[row].indices { try watches[row][way].run(for: 1e6) }
      }
    }
    return try ["decoding", "encoding"].enumerated().map { direction, name in
      var table = Table(
        ["\(name), ns an element"] + (direction == 0 ? decoding : encoding)
          + ["Codable, times faster"])
      for (row, watches) in zip(rows, watches) {
        let times = watches[direction * 3..<direction * 3 + 3].map { $0.best / Double(count) }
        guard times.count == 3 else { throw InvalidContest(description: row.name) }
        table.add([row.name] + times.map { digits($0) } + [digits(times[2] / times[1])])
      }
      return table.text
    }.joined(separator: "\n\n")
  }

  private static let count = 1000
  private static let decoding = ["JSONDecodable", "DecantDecoder", "JSONDecoder"]
  private static let encoding = ["JSONWritable", "DecantEncoder", "JSONEncoder"]

  private struct Row {
    let name: String
    /// Decoding and encoding, as the heads of the tables say.
    let ways: [(_ times: Int) throws -> Void]
  }

  private typealias Model = Codable & Equatable & JSONDecodable & JSONWritable

  /// Numbers, texts and containers, made from the numbers from 0 on.
  private static func all() throws -> [Row] {
    [
      try row("Int", elements { $0 * 31 }),
      try row("Double", elements { Double($0) / 7 }),
      try row("Float", elements { Float($0) / 8 }),
      try row("UInt8", elements { UInt8(truncatingIfNeeded: $0) }),
      try row("Int?", elements { $0.isMultiple(of: 3) ? nil : $0 }),
      try row("Bool", elements { $0.isMultiple(of: 3) }),
      try row("String", elements { "text \($0)" }),
      try row("enum of strings", elements { Kind.allCases[$0 * $0 % 4] }),
      try row("enum of integers", elements { Level(rawValue: $0 * $0 % 3)! }),
      try row("[Int]", elements { [$0, 1, 2] }),
      try row(
        "member of [String: Int]",
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })),
      try row("[String: String] of two", elements { ["name": "n\($0)", "kind": "tag"] }),
      try row("UUID", elements { UUID(number: UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }),
      try row("Date by RFC 3339", elements { Date(timeIntervalSince1970: Double($0) * 1e6) }),
      try row("Decimal", elements { Decimal($0) / 4 }),
      try row("URL", elements { URL(string: "https://example.com/items/\($0)?page=1")! }),
      try row("Data in base64", elements { Data("some bytes, number \($0)".utf8) }),
    ]
  }

  private static func elements<Element>(_ element: (Int) -> Element) -> [Element] {
    (0..<count).map(element)
  }

  /// All ways to decode and encode one value, after it has been checked that they agree.
  private static func row<Value: Model>(_ name: String, _ value: Value) throws -> Row {
    let (decoder, foundationDecoder) = (DecantDecoder(), JSONDecoder())
    let (encoder, foundationEncoder) = (DecantEncoder(), JSONEncoder())
    decoder.dateDecodingStrategy = .iso8601
    foundationDecoder.dateDecodingStrategy = .iso8601
    encoder.dateEncodingStrategy = .iso8601
    foundationEncoder.dateEncodingStrategy = .iso8601
    let data = try foundationEncoder.encode(value)
    let bytes = [UInt8](data)
    for text: [UInt8] in [bytes, try value.checkedJSONBytes(), try encoder.encode(value)] {
      guard try Value(decoding: text) == value, try decoder.decode(Value.self, from: text) == value,
        try foundationDecoder.decode(Value.self, from: Data(text)) == value
      else { throw InvalidContest(description: "\(name): the values differ") }
    }
    func times(_ body: @escaping () throws -> Void) -> (Int) throws -> Void {
      { for _ in 0..<$0 { try body() } }
    }
    return Row(
      name: name,
      ways: [
        times { _ = try Value(decoding: bytes) },
        times { _ = try decoder.decode(Value.self, from: bytes) },
        times { _ = try foundationDecoder.decode(Value.self, from: data) },
        times { _ = try value.checkedJSONBytes() },
        times { _ = try encoder.encode(value) },
        times { _ = try foundationEncoder.encode(value) },
      ])
  }
}

private enum Kind: String, Codable, CaseIterable, JSONDecodable, JSONWritable {
  case alpha, beta, gamma, delta
}

private enum Level: Int, Codable, JSONDecodable, JSONWritable { case low, middle, high }

extension UUID {
  fileprivate init(number: UInt64) {
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt64($0 % 8 * 8)) ^ UInt8($0) }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
