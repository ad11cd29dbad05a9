// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A use is a loop that a program writes around a verb, over a document of any size. Whatever one turn of
// the loop does, finds or fails to find, its cost must not grow with the document: the whole is linear.
//
//   use    for e in value.array { e["nick"].string ?? "-" }     finds nothing
//   twin   for e in value.array { e["name"].string ?? "-" }     the same, and succeeds
//
// A use may take at most ten times as long as its twin, at any size.

import CUses
import Decant

struct Use: Sendable {
  let name: String
  /// The name of the use that does the same and succeeds. Nil for a use that succeeds.
  let twin: String?
  /// What a record of the document looks like, and how records make a document.
  let make: @Sendable (Int) -> [UInt8]
  /// Runs the loop over a document; the result depends on the work.
  let run: @Sendable ([UInt8], DecodingOptions) -> Int

  init(
    _ name: String, _ document: Text, twin: String? = nil,
    run: @escaping @Sendable ([UInt8], DecodingOptions) -> Int
  ) {
    self.name = name
    self.twin = twin
    self.make = { document.bytes($0) }
    self.run = run
  }
}

/// Documents of records.
enum Text: Sendable {
  /// An array of these, again and again.
  case array(String)
  /// A record a line.
  case lines(String)
  /// An object whose keys are numbered.
  case object(String)
  /// An array of objects of one member, whose keys are numbered.
  case numbered(String)
  /// An object with keys that Swift's strings take for one: a number's bits, as two ways to write é.
  case spellings(String)
  /// An array of these, below a key that is as long as the array.
  case belowKey(String)
  /// These, again and again, between others; `last` takes the place of their last byte.
  case framed(String, String, last: String)
  /// `open` and `close` as often as fits, around `inner`.
  case nested(String, String, _ inner: String = "")

  static let short = Text.array(#"{"id":1234567,"name":"Ann"}"#)
  static let records = Text.array(
    #"{"id":1234567,"name":"Ann Example","on":true,"tags":["a","b"],"at":{"x":1.5,"y":-2}}"#)

  func bytes(_ size: Int) -> [UInt8] {
    switch self {
    case .array(let record): repeated("[", size, "]") { _ in record + "," }
    case .lines(let record): repeated("", size, "\n") { _ in record + "\n" }
    case .framed(let first, let record, let last): repeated(first, size, last) { _ in record }
    case .object(let value): repeated("{", size, "}") { "\"k\($0)\":\(value)," }
    case .numbered(let value): repeated("[", size, "]") { "{\"k\($0)\":\(value)}," }
    case .belowKey(let record):
      repeated("{\"" + String(repeating: "k", count: size / 2) + "\":[", size, "]}") { _ in
        record + ","
      }
    case .spellings(let value):
      repeated("{", size, "}") { number in
        let bits = (0..<20).map { number >> $0 & 1 == 0 ? "\u{E9}" : "e\u{301}" }
        return "\"\(bits.joined())\":\(value),"
      }
    case .nested(let open, let close, let inner):
      Array(String(repeating: open, count: size / (open + close).utf8.count).utf8)
        + Array(inner.utf8)
        + Array(String(repeating: close, count: size / (open + close).utf8.count).utf8)
    }
  }

  /// `last` takes the place of the last byte, which separates two records.
  private func repeated(
    _ first: String, _ size: Int, _ last: String, _ record: (Int) -> String
  ) -> [UInt8] {
    var bytes = Array(first.utf8)
    bytes.reserveCapacity(size + 128)
    var number = 0
    while bytes.count < size {
      bytes += Array(record(number).utf8)
      number += 1
    }
    bytes.removeLast()
    return bytes + Array(last.utf8)
  }
}

let uses =
  usesOfViews + usesOfValues + usesOfCodable + usesOfLines + usesOfErrors + usesOfFaults + usesInC
