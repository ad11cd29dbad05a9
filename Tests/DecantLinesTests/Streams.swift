// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The streams of these tests, and what one thread makes of a whole stream, without JSONLines: each line is decoded as
// a document after as many line feeds as there are before it, so that places and texts count from the stream's
// beginning.

import Decant
import DecantLines
import DecantTestSupport

struct Event: Equatable {
  let id: Int
  let name: String
  let scores: [Double]
  let tags: LossyArray<Int>

  static func == (left: Event, right: Event) -> Bool {
    left.id == right.id && left.name == right.name && left.scores == right.scores
      && left.tags.elements == right.tags.elements
  }
}

extension Event: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Event> {
    build(
      Event.init, json <| "id", json <| "name", json.decode("scores", default: []),
      json.decode("tags", default: LossyArray.empty))
  }
}

extension LossyArray<Int> {
  static var empty: LossyArray {
    (try? LossyArray(decoding: "[]")) ?? { fatalError("not an empty array") }()
  }
}

/// What became of a line, in all that a reader sees of it.
struct Outcome: Hashable, CustomStringConvertible {
  let number: Int
  let offset: Int
  let text: String

  var description: String { "\(number) at \(offset): \(text)" }
}

extension Outcome {
  init<Model>(_ line: JSONLines<Model>.Line, _ show: (Model) -> String = { "\($0)" }) {
    number = line.number
    offset = line.offset
    switch line.result {
    case .success(let model): text = show(model)
    case .failure(let error): text = Outcome.text(of: error, shift: 0)
    }
  }

  /// The error's text, and each error's code, place and path.
  static func text(of error: DecodeError, shift: Int) -> String {
    let parts = error.underlying.isEmpty ? [error] : error.underlying
    let places = parts.map { part in
      let place = part.location.map { "\($0.offset + shift)=\($0.line):\($0.column)" } ?? "-"
      return "\(part.code.rawValue) \(place) \(part.path)"
    }
    return "\(error)\n\(places)"
  }
}

/// Shows an event with the errors that it keeps.
func show(_ event: Event, shift: Int = 0) -> String {
  let kept = event.tags.skipped.map { Outcome.text(of: $0.error, shift: shift) }
  return "\(event.id) \(event.name) \(event.scores) \(event.tags.elements) \(kept)"
}

/// What becomes of each line, one by one.
func outcomes<Model: JSONDecodable>(
  _ type: Model.Type, of bytes: [UInt8], options: DecodingOptions = DecodingOptions(),
  _ show: (Model, _ shift: Int) -> String
) -> [Outcome] {
  var outcomes: [Outcome] = []
  var offset = 0
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  for (index, line) in lines.enumerated() {
    defer { offset += line.count + 1 }
    if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
    let shift = offset - index
    let padded = [UInt8](repeating: 0x0A, count: index) + line
    let text =
      switch Model.decode(from: padded, options: options) {
      case .success(let model): show(model, shift)
      case .failure(let error): Outcome.text(of: error, shift: shift)
      }
    outcomes.append(Outcome(number: index + 1, offset: offset, text: text))
  }
  return outcomes
}

func outcomes(of bytes: [UInt8], options: DecodingOptions = DecodingOptions()) -> [Outcome] {
  outcomes(Event.self, of: bytes, options: options) { show($0, shift: $1) }
}

enum Streams {
  /// A stream of many lines, and what becomes of them, which takes longer than what is tested with it.
  static let many = mixed + [0x0A] + events(max(3000, rounds(9000)), badEvery: 13)
  static let outcomesOfMany = outcomes(of: many)

  /// Good lines and bad ones, of every kind that has ever mattered.
  static let mixed: [UInt8] =
    Array(
      #"""
      {"id":1,"name":"Ann","scores":[1.5,2],"tags":[1,"x",3]}

      {"id":"2","name":"Bob"}
      {"id":3,"name":"Cécile \"C\" 😀","tags":[true,"né",null]}
      \#t\#t
      {"id":4,"name":"Dan"}TRAILER
      {"id":5,"name":"Eve","scores":[1,
      {"id":6}
      [{"id":7}]
      {"id":8,"name":"Hélène","scores":[1,"2",3e999]}
      {"id":9,"name":"\ud800"}
      nul
      {"id":10,"name":"Ida"} {"id":10}
      """#.utf8) + [0x0D, 0x0A] + Array(#"{"id":11,"name":""#.utf8) + [0xC3] + Array("\"}\n".utf8)
    + Array(#"{"id":12,"name":"a"#.utf8) + [0] + Array("b\"}\r\n\r\n".utf8)
    + Array(#"{"id":13,"name":"last"}"#.utf8)

  /// `count` lines, of which every `period`-th fails.
  static func events(_ count: Int, badEvery period: Int = 7) -> [UInt8] {
    var bytes: [UInt8] = []
    for id in 0..<count {
      let isBad = id % period == period - 1
      let value = isBad ? #""\#(id)""# : "\(id)"
      bytes += Array(#"{"id":\#(value),"name":"event \#(id)","scores":[\#(id).5]}"#.utf8)
      bytes += id % 5 == 0 ? [0x0A, 0x0A] : [0x0A]
    }
    return bytes
  }
}
