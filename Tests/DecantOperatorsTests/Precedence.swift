// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

@Suite("Operators")
struct OperatorTests {
  private struct Pair: Equatable, Sendable {
    let a: Int
    let b: String
  }

  @Test("<| binds tighter than <^> and <*>, those tighter than <|> and >>-", arguments: engines)
  func precedence(engine: Engine) {
    let rows: [Row<Pair>] = [
      Row(#"{"a":1,"b":"x"}"#, is: Pair(a: 1, b: "x")),
      Row(#"{"a":1,"c":"y"}"#, is: Pair(a: 1, b: "y")),
      Row(#"{"a":-1,"c":"y"}"#, fails: .custom, "", "", "negative"),
      Row(
        #"{"a":1}"#, fails: .invalidValue, "", "",
        "none of 2 alternatives: /b: the key is missing; /c: the key is missing"),
    ]
    check(rows, on: engine) { json in
      curry(Pair.init) <^> json <| "a" <*> json <| "b"
        <|> curry(Pair.init) <^> json <| "a" <*> json <| "c"
        >>- { $0.a < 0 ? .customError("negative") : pure($0) }
    }
  }

  @Test("each glyph is its named twin", arguments: engines)
  func twins(engine: Engine) throws {
    let json = #"{"n":1,"list":[1,2],"none":null}"#
    try JSONValue(parsing: json, options: .on(engine)).withView { json in
      let n: Decoded<Int> = json <| "n"
      #expect(n.value == 1)
      let optional: Decoded<Int?> = json <|? "none"
      #expect(optional.value == .some(nil))
      let list: Decoded<[Int]> = json <|| "list"
      #expect(list.value == [1, 2])
      let absent: Decoded<[Int]?> = json <||? "absent"
      #expect(absent.value == .some(nil))
      let doubled = { $0 * 2 } <^> n
      #expect(doubled.value == 2)
    }
  }

  @Test("curry and build take 20 fields, and report all 20 that are missing", arguments: engines)
  func twentyFields(engine: Engine) throws {
    let members = (0..<20).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let json = "{\(members)}"
    for decode in [twentyByOperators, twentyByBuild] {
      let value = try JSONValue(parsing: json, options: .on(engine))
      #expect(value.outcome(decode).value == Array(0..<20))
      let empty = try JSONValue(parsing: "{}", options: .on(engine))
      #expect(failures(of: empty.outcome(decode)).map(\.path) == (0..<20).map { "/k\($0)" })
    }
  }
}

private func list(
  _ k0: Int, _ k1: Int, _ k2: Int, _ k3: Int, _ k4: Int, _ k5: Int, _ k6: Int, _ k7: Int,
  _ k8: Int, _ k9: Int, _ k10: Int, _ k11: Int, _ k12: Int, _ k13: Int, _ k14: Int, _ k15: Int,
  _ k16: Int, _ k17: Int, _ k18: Int, _ k19: Int
) -> [Int] {
  [
    k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19,
  ]
}

private func twentyByOperators(_ json: JSON) -> Decoded<[Int]> {
  curry(list) <^> json <| "k0" <*> json <| "k1" <*> json <| "k2" <*> json <| "k3"
    <*> json <| "k4" <*> json <| "k5" <*> json <| "k6" <*> json <| "k7" <*> json <| "k8"
    <*> json <| "k9" <*> json <| "k10" <*> json <| "k11" <*> json <| "k12" <*> json <| "k13"
    <*> json <| "k14" <*> json <| "k15" <*> json <| "k16" <*> json <| "k17" <*> json <| "k18"
    <*> json <| "k19"
}

private func twentyByBuild(_ json: JSON) -> Decoded<[Int]> {
  build(
    list, json <| "k0", json <| "k1", json <| "k2", json <| "k3", json <| "k4", json <| "k5",
    json <| "k6", json <| "k7", json <| "k8", json <| "k9", json <| "k10", json <| "k11",
    json <| "k12", json <| "k13", json <| "k14", json <| "k15", json <| "k16", json <| "k17",
    json <| "k18", json <| "k19")
}
