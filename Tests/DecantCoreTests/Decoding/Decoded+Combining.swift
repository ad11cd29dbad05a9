// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

private func failing<Model>(_ message: String) -> Decoded<Model> { .customError(message) }

/// The messages of an error's parts.
private func messages<Model>(_ result: Decoded<Model>) -> [String] {
  failures(of: result).map(\.message)
}

@Suite("Decoded")
struct DecodedTests {
  @Test("pure, value, error, dematerialize")
  func basics() throws {
    let success = pure(5)
    #expect(success.value == 5)
    #expect(success.error == nil)
    #expect(try success.dematerialize() == 5)
    let failure: Decoded<Int> = failing("no")
    #expect(failure.value == nil)
    #expect(failure.error?.code == .custom)
    #expect(failure.error?.code.category == .data)
    #expect(failure.error?.description == "no")
    #expect { try failure.dematerialize() } throws: { ($0 as? DecodeError)?.message == "no" }
  }

  @Test("fromOptional asks for its error only without a value")
  func fromOptional() {
    var asked = 0
    func error() -> DecodeError {
      asked += 1
      return .custom("none")
    }
    #expect(Decoded<Int>.fromOptional(1, error()).value == 1)
    #expect(asked == 0)
    #expect(messages(Decoded<Int>.fromOptional(nil, error())) == ["none"])
    #expect(asked == 1)
  }

  @Test("or and <|> evaluate their right side only after a failure")
  func laziness() {
    var asked = 0
    func other() -> Decoded<Int> {
      asked += 1
      return pure(2)
    }
    #expect(pure(1).or(other()).value == 1)
    #expect((pure(1) <|> other()).value == 1)
    #expect(asked == 0)
    #expect(failing("x").or(other()).value == 2)
    #expect((failing("x") <|> other()).value == 2)
    #expect(asked == 2)
    #expect(
      messages(failing("x").or(failing("y") as Decoded<Int>)) == ["none of 2 alternatives: x; y"])
  }

  @Test(">>- and -<< stop at a failure")
  func binding() {
    var calls = 0
    func half(_ number: Int) -> Decoded<Int> {
      calls += 1
      return number % 2 == 0 ? pure(number / 2) : failing("\(number) is odd")
    }
    #expect((pure(8) >>- half >>- half).value == 2)
    #expect((half -<< half -<< pure(8)).value == 2)
    #expect(calls == 4)
    #expect(messages(pure(6) >>- half >>- half >>- half) == ["3 is odd"])
    #expect(calls == 6)
  }

  @Test("materialize keeps what typed throws threw")
  func materialization() {
    #expect(materialize { () throws(DecodeError) in 5 }.value == 5)
    let failed = materialize { () throws(DecodeError) -> Int in throw .custom("thrown") }
    #expect(messages(failed) == ["thrown"])
  }

  @Test("apply and <*> keep the errors of both sides, left to right, flat")
  func applying() {
    func triple(_ a: Int, _ b: Int, _ c: Int) -> [Int] { [a, b, c] }
    let make = curry(triple)
    #expect((make <^> pure(1) <*> pure(2) <*> pure(3)).value == [1, 2, 3])
    #expect(messages(make <^> failing("a") <*> failing("b") <*> failing("c")) == ["a", "b", "c"])
    #expect(messages(make <^> pure(1) <*> failing("b") <*> failing("c")) == ["b", "c"])
    #expect(messages(make <^> failing("a") <*> pure(2) <*> failing("c")) == ["a", "c"])
    let one = make <^> pure(1) <*> failing("b") <*> pure(3)
    #expect(one.error?.code == .custom)
    #expect(one.error?.underlying.count == 0)
    let two = make <^> failing("a") <*> failing("b") <*> pure(3)
    #expect(two.error?.code == .multiple)
    #expect(two.error?.description == "a\nb")
    #expect(two.error?.message == "2 errors")
    let function: Decoded<(Int) -> Int> = failing("f")
    #expect(messages(function.apply(failing("x"))) == ["f", "x"])
    #expect(Decoded<(Int) -> Int>.success { $0 + 1 }.apply(pure(1)).value == 2)
  }

  @Test("build evaluates every part and keeps all errors")
  func building() {
    func pair(_ a: Int, _ b: String) -> String { "\(a)\(b)" }
    #expect(build(pair, pure(1), pure("b")).value == "1b")
    #expect(messages(build(pair, failing("a"), failing("b"))) == ["a", "b"])
    #expect(messages(build(pair, pure(1), failing("b"))) == ["b"])
    #expect(build(pair, pure(1), failing("b")).error?.underlying.count == 0)
  }

  @Test("catDecoded, sequence and flatReduce")
  func folding() {
    let mixed: [Decoded<Int>] = [pure(1), failing("b"), pure(3), failing("d")]
    #expect(catDecoded(mixed) == [1, 3])
    #expect(messages(sequence(mixed)) == ["b", "d"])
    #expect(sequence([pure(1), pure(2)]).value == [1, 2])
    #expect(sequence([Decoded<Int>]()).value == [])
    #expect(sequence(["a": pure(1)]).value == ["a": 1])
    let named: [String: Decoded<Int>] = ["z": failing("z"), "a": failing("a"), "m": pure(1)]
    #expect(messages(sequence(named)) == ["a", "z"])
    #expect(catDecoded(["a": pure(1), "b": failing("b")]) == ["a": 1])
    var seen: [Int] = []
    let sum = [1, 2, -3, 4].flatReduce(0) { sum, number -> Decoded<Int> in
      seen.append(number)
      return number < 0 ? failing("\(number)") : pure(sum + number)
    }
    #expect(messages(sum) == ["-3"])
    #expect(seen == [1, 2, -3])
    #expect([1, 2].flatReduce(0) { pure($0 + $1) }.value == 3)
  }

  @Test("combining is associative and counts what it leaves out")
  func combining() throws {
    let errors = (0..<5).map { DecodeError.custom("\($0)") }
    let left = errors.dropFirst().reduce(errors[0]) { .combining($0, $1) }
    let right = errors.dropLast().reversed().reduce(errors[4]) { .combining($1, $0) }
    #expect(left.underlying.map(\.message) == ["0", "1", "2", "3", "4"])
    #expect(right.underlying.map(\.message) == ["0", "1", "2", "3", "4"])
    let many = (0..<1_030).map { _ in failing("x") as Decoded<Int> }
    let error = try #require(sequence(many).error)
    #expect(error.underlying.count == 1_024)
    #expect(error.omittedCount == 6)
  }

  /// By halves: one by one, each error would be copied as often as there are others behind it.
  private static func combined(_ errors: ArraySlice<DecodeError>) -> DecodeError {
    if errors.count == 1 { return errors[errors.startIndex] }
    let half = errors.startIndex + errors.count / 2
    return .combining(combined(errors[..<half]), combined(errors[half...]))
  }

  @Test("errors behind the first 1,024 are counted, by each outcome for itself")
  func counting() {
    let errors = (0..<1_030).map { DecodeError.custom("\($0)") }
    let full = Self.combined(errors[..<1_024])
    let more = DecodeError.combining(full, errors[1_024])
    let twice = DecodeError.combining(more, errors[1_025])
    let other = DecodeError.combining(more, .combining(errors[1_026], errors[1_027]))
    let both = DecodeError.combining(twice, other)
    let all = [full, more, twice, other, both]
    #expect(all.map(\.count) == [1_024, 1_025, 1_026, 1_027, 2_053])
    for error in all { #expect(error.underlying.map(\.message) == errors[..<1_024].map(\.message)) }
  }

  @Test("so are those of a fold, with their paths", arguments: engines)
  func folding(engine: Engine) throws {
    let json = #"{"a":{"b":["# + String(repeating: "1,", count: 1_100) + "true]}}"
    let options = DecodingOptions(engine: engine, maximumErrors: 2_000)
    let error = try #require(Folded.decode(from: json, options: options).error)
    #expect(error.count == 1_100)
    #expect(error.underlying.map(\.path) == (0..<1_024).map { JSONPointer("/a/b/\($0)") })
  }

  @Test("an error that is used twice is reported at both places", arguments: engines)
  func sharedErrors(engine: Engine) {
    let json = #"{"a":[1,-2],"b":{"c":-3}}"#
    for _ in 0..<2 {
      let result = [String: Positives].decode(from: json, options: .on(engine))
      #expect(failures(of: result).map(\.path) == ["/a/1", "/b/c"])
      #expect(failures(of: result).map(\.message) == ["negative", "negative"])
    }
    let lone = Positive.decode(from: "-1", options: .on(engine))
    #expect(failures(of: lone).map(\.path) == [""])
  }
}

/// Fails with one and the same error.
private struct Positive: JSONDecodable {
  static let negative = DecodeError.custom("negative")

  static func decode(_ json: JSON) -> Decoded<Positive> {
    Int.decode(json) >>- { $0 < 0 ? .failure(negative) : pure(Positive()) }
  }
}

private struct Positives: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Positives> {
    if json.kind == .array { return [Positive].decode(json).map { _ in Positives() } }
    return json.decode("c", as: Positive.self).map { _ in Positives() }
  }
}

/// The flags of the array at /a/b, counted by a fold.
private struct Folded: JSONDecodable {
  let count: Int

  static func decode(_ json: JSON) -> Decoded<Folded> {
    json.decode("a", as: Inner.self).map { Folded(count: $0.count) }
  }

  struct Inner: JSONDecodable {
    let count: Int

    static func decode(_ json: JSON) -> Decoded<Inner> {
      var count: Decoded<Int> = .success(0)
      json["b"].forEach { flag in
        count = curry { (sum: Int, flag: Bool) in flag ? sum + 1 : sum } <^> count
          <*> Bool.decode(flag)
      }
      return count.map { Inner(count: $0) }
    }
  }
}
