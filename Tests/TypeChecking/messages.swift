// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The wrong spellings of the page "What the compiler says", in its order. `run` looks for its messages.

import Decant

struct Absent: JSONDecodable {
  let x: Int
  let y: String

  static func decode(_ json: JSON) -> Decoded<Absent> {
    build(Absent.init, json.decodeIfPresent("x"), json.decode("y"))
  }
}

struct Nullable: JSONDecodable {
  let x: Int
  let y: String

  static func decode(_ json: JSON) -> Decoded<Nullable> {
    curry(Nullable.init) <^> json <|? "x" <*> json <| "y"
  }
}

struct Many: JSONDecodable {
  let x: String
  let y: String

  static func decode(_ json: JSON) -> Decoded<Many> {
    curry(Many.init) <^> json <|| "x" <*> json <| "y"
  }
}

struct Default: JSONDecodable {
  let admin: Bool

  static func decode(_ json: JSON) -> Decoded<Default> {
    build(Default.init, json.decode("admin", default: 0))
  }
}

struct A {
  let id: Int
  let name: String
  let admin: Bool
}

func fieldLess(_ json: JSON) -> Decoded<A> { build(A.init, json.decode("id"), json.decode("name")) }

func runTimeKey(_ json: JSON, _ name: String) -> Decoded<Int> { json.decode(name) }

enum Color: String { case red }

struct Paint: JSONDecodable {
  let color: Color
  let name: String

  static func decode(_ json: JSON) -> Decoded<Paint> {
    curry(Paint.init) <^> json <| "color" <*> json <| "name"
  }
}

func conversion(_ json: JSON) -> Decoded<Int> { json.decode("n", using: .fromString) }

func untyped(_ json: JSON) throws { let id = try json.get("id") }

struct Envelope { let payload: JSON }

func payload(_ json: JSON) -> JSON { json["payload"] }

func loop(_ json: JSON) { for row in json["rows"] { print(row) } }

func sum(_ json: JSON) throws(DecodeError) -> Int {
  var n = 0
  try json.forEach { n += try $0.get("n") }
  return n
}

extension A: JSONInitializable {
  init(json: JSON) throws { self.init(id: try json.get("id"), name: "", admin: false) }
}

class Animal: JSONInitializable {
  required init(json: JSON) throws(DecodeError) {}
}
