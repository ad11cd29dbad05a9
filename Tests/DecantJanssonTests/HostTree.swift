// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Trees that a program using libjansson has already.

import CJansson
import Decant
import DecantJansson
import DecantTestSupport
import Testing

private struct User: JSONDecodable, Equatable {
  let id: Int
  let name: String
  let email: String?
  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

private struct Team: JSONDecodable, Equatable {
  let lead: User
  let members: [User]
  static func decode(_ json: JSON) -> Decoded<Team> {
    build(Team.init, json <| "lead", json <| ["org", "members"])
  }
}

/// A tree for a body's length; the body sees a reference count of 1.
private func withTree<Result>(
  _ json: String, _ body: (UnsafeMutablePointer<json_t>) throws -> Result
) throws -> Result {
  let tree = unsafe try #require(json_loads(json, 0, nil), "\(json)")
  defer { unsafe json_decref(tree) }
  return unsafe try body(tree)
}

@Suite("libjansson's trees")
struct HostTreeTests {
  @Test("decode from a tree, which keeps its count")
  func decoding() throws {
    unsafe try withTree(#"{"id":5,"name":"Tester","email":null}"#) { tree in
      let user = unsafe User.decode(jansson: tree)
      #expect(user.value == User(id: 5, name: "Tester", email: nil))
      #expect(unsafe tree.pointee.refcount == 1)
    }
    let user = unsafe try withTree(#"{"user":{"id":1,"name":"A","email":"a@b.c"}}"#) { tree in
      unsafe User.decode(jansson: json_object_get(tree, "user"))
    }
    #expect(user.value == User(id: 1, name: "A", email: "a@b.c"))
  }

  @Test("a null pointer is an invalid argument")
  func null() {
    let error = unsafe User.decode(jansson: nil).error
    #expect(error?.code == .invalidArgument)
    #expect(error?.code.category == .input)
    #expect(error?.description == "no tree: a null pointer")
    #expect(unsafe JSONValue(jansson: nil) == nil)
  }

  @Test("errors carry the whole path and no place")
  func paths() throws {
    let json = #"""
      {"lead":{"id":"1"},"org":{"members":[{"id":1,"name":"A"},{"id":2.5,"name":null}, 7]}}
      """#
    let expected = [
      Failure(.typeMismatch, "", "/lead/id", #"expected an integer, found the string "1""#),
      Failure(.missingKey, "", "/lead/name", "the key is missing"),
      Failure(
        .notAnInteger, "", "/org/members/1/id", "not an integer: 2.5"),
      Failure(
        .missingKey, "", "/org/members/1/name", "expected a string, found null"),
      Failure(
        .typeMismatch, "", "/org/members/2", "expected an object, found the number 7"),
    ]
    let fromTree = unsafe try withTree(json) { unsafe Team.decode(jansson: $0) }
    #expect(failures(of: fromTree) == expected)
    let fromText = Team.decode(from: json, options: .on(.jansson))
    #expect(failures(of: fromText) == expected)
    let native = Team.decode(from: json)
    #expect(failures(of: native).map(\.withoutPlace) == expected)
  }

  @Test(
    "paths through chained subscripts are found in the tree, and left out where they are not one")
  func searchedPaths() throws {
    struct Flag: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Flag> {
        json["a"][1]["b"].decode("c", as: Int.self).map { _ in Flag() }
      }
    }
    struct Bare: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Bare> {
        Int.decode(json["a"][0]).map { _ in Bare() }
      }
    }
    let flag = Flag.decode(from: #"{"a":[0,{"b":{"c":true}}],"z":true}"#, options: .on(.jansson))
    #expect(failures(of: flag).map(\.path) == ["/a/1/b/c"])
    let one = Bare.decode(from: #"{"a":[true]}"#, options: .on(.jansson))
    #expect(failures(of: one).map(\.path) == ["/a/0"])
    // libjansson has one `true`: which of the two this is, nobody can tell.
    let two = Bare.decode(from: #"{"a":[true,true]}"#, options: .on(.jansson))
    #expect(failures(of: two).map(\.path) == [""])
  }

  @Test(
    "an error that a model kept tells nothing of a value that the tree does not have any more")
  func keptErrors() throws {
    struct Forgetful: JSONDecodable {
      nonisolated(unsafe) static var kept: DecodeError?
      static func decode(_ json: JSON) -> Decoded<Forgetful> {
        if let kept = unsafe kept { return .failure(kept) }
        unsafe kept = Int.decode(json["a"]).error
        return .success(Forgetful())
      }
    }
    unsafe try withTree(#"{"a":"gone"}"#) { tree in
      #expect(unsafe Forgetful.decode(jansson: tree).error == nil)
      // A reference to the value, so that to read it would be no crash.
      let value = unsafe json_incref(json_object_get(tree, "a"))
      defer { unsafe json_decref(value) }
      unsafe json_object_clear(tree)
      let error = unsafe Forgetful.decode(jansson: tree)
      #expect(failures(of: error) == [Failure(.typeMismatch, "", "", "expected an integer")])
    }
  }

  @Test("a value takes a reference of its own and gives it back")
  func reference() throws {
    var inner: JSONValue?
    unsafe try withTree(#"{"a":[1,{"b":"x"}]}"#) { tree in
      var value = unsafe JSONValue(jansson: tree)
      #expect(unsafe tree.pointee.refcount == 2)
      #expect(value?["a"][1]["b"].string == "x")
      inner = value?["a"][1]
      value = nil
      #expect(unsafe tree.pointee.refcount == 2)
    }
    #expect(inner?["b"].string == "x")
    inner = nil
    unsafe try withTree("[]") { tree in
      for _ in 0..<3 { _ = unsafe JSONValue(jansson: tree) }
      #expect(unsafe tree.pointee.refcount == 1)
    }
  }

  @Test("a value over a tree behaves as any other")
  func values() throws {
    let json = #"{"b":[1,2.5,"é\u0000"],"a":{"x":null,"y":true}}"#
    let flags = decant_jansson_allow_nul()
    let tree = unsafe try #require(json_loads(json, flags, nil))
    defer { unsafe json_decref(tree) }
    let value = unsafe try #require(JSONValue(jansson: tree))
    #expect(value == (try JSONValue(parsing: json)))
    #expect(value.hashValue == (try JSONValue(parsing: json)).hashValue)
    #expect(value.text() == #"{"b":[1,2.5,"é\u0000"],"a":{"x":null,"y":true}}"#)
    #expect(value.members?.map(\.key) == ["b", "a"])
    #expect(value["b"][2].string == "é\0")
    #expect(value["a"]["x"].isNull)
    #expect(value["c"].error?.path.text == "/c")
    let kept = try value.decode([String: JSONValue].self)
    #expect(kept["a"]?["y"].bool == true)
  }

  @Test("a model can keep a part of a borrowed tree, as a copy of its own")
  func copies() throws {
    let kept = unsafe try withTree(#"{"a":{"x":[1,2]}}"#) { tree in
      unsafe [String: JSONValue].decode(jansson: tree)
    }
    #expect(kept.value?["a"]?["x"][1].int == 2)
    #expect(kept.value?["a"]?.text() == #"{"x":[1,2]}"#)
  }

  @Test("a raw NUL byte is refused wherever it is")
  func rawNUL() {
    let inString = #"byte 0x00 must be escaped in a string, as \u0000"#
    let texts = [
      ("[1\0,2]", "expected ',' or ']', found byte 0x00"),
      ("[true\0]", "expected ',' or ']', found byte 0x00"),
      ("1\0", "expected the end of the input, found byte 0x00"),
      ("\0", "expected a value, found byte 0x00"), ("[\"a\0\"]", inString),
      ("{\"a\0\":1}", inString), ("[]\0", "expected the end of the input, found byte 0x00"),
      ("]}[\0", "expected a value or ']', found byte 0x00"), ("{]}{\"\0", inString),
    ]
    for (text, message) in texts {
      let error = JSONValue.parse(text, options: .on(.jansson)).error
      #expect(error?.code == .unexpectedByte, "\(text.debugDescription)")
      #expect(error?.message == message)
      #expect(
        error?.location?.offset
          == text.utf8.firstIndex(of: 0).map { text.utf8.distanceFromStart(to: $0) })
    }
  }

  @Test("more than 2048 levels are too deep whatever the limit")
  func depth() {
    let options = DecodingOptions(engine: .jansson, maximumDepth: 100_000)
    let text = { (levels: Int) in
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(JSONValue.parse(text(2_047), options: options).error == nil)
    #expect(JSONValue.parse(text(2_049), options: options).error?.code == .tooDeep)
    #expect(JSONValue.parse(text(1_000_000), options: options).error?.code == .tooDeep)
    // What the native engine refuses is counted all the same, but for the brackets in strings.
    let refused = #"[x,"\"[[",{"#
    #expect(
      JSONValue.parse(refused + text(2_046), options: options).error?.code == .unexpectedByte)
    #expect(JSONValue.parse(refused + text(2_047), options: options).error?.code == .tooDeep)
  }
}

extension String.UTF8View {
  fileprivate func distanceFromStart(to index: Index) -> Int {
    distance(from: startIndex, to: index)
  }
}
