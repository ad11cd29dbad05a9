// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// A users document of at least `size` bytes: the shape of users.json, the same bytes every time.
func generatedUsers(atLeast size: Int) -> [UInt8] {
  let first = ["Ada", "Björn", "Chiara", "Dan", "Eleni", "Farid", "Gr\\u00e1inne", "Hiroshi", "田中"]
  let last = ["Okafor", "Lindqvist", "Conti", "O'Neill", "Pappa", "Haddad", "Mwangi", "Tanaka"]
  let roles = ["[]", #"["reader"]"#, #"["editor", "reader"]"#, #"["admin"]"#]
  var random = Numbers()
  var bytes = Array(#"{"page": 1, "users": ["#.utf8)
  var id = 0
  while id == 0 || bytes.count + 3 < size {
    if id > 0 { bytes.append(UInt8(ascii: ",")) }
    id += 1
    let email =
      switch random.next(below: 8) {
      case 0: ""
      case 1: #" "email": null,"#
      default: #" "email": "user\#(id)@example.com","#
      }
    bytes +=
      """
      \n  {"id": \(id), "name": "\(random.pick(first)) \(random.pick(last))",\(email) \
      "active": \(random.next(below: 5) > 0), "score": \(random.next(below: 10_000)).\
      \(random.next(below: 90) + 10), "roles": \(random.pick(roles)), \
      "address": {"city": "City \(random.next(below: 500))", "geo": \
      {"lat": \(random.next(below: 180) - 90).5, "lng": \(random.next(below: 360) - 180).25}}}
      """.utf8
  }
  return bytes + Array("\n]}\n".utf8)
}

/// The linear congruential generator of Knuth's MMIX: poor, and the same everywhere.
private struct Numbers {
  private var state: UInt64 = 2014

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  mutating func pick(_ choices: [String]) -> String { choices[next(below: choices.count)] }
}
