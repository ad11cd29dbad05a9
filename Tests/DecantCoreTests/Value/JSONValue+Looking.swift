// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private let document = #"""
  {"user":{"name":"Tester","ids":[7,8,9],"on":true,"none":null,"pi":3.5},"empty":{}}
  """#

@Suite("JSONValue, the owner")
struct JSONValueTests {
  private func value(_ json: String = document, _ engine: Engine) throws -> JSONValue {
    try JSONValue(parsing: json, options: .on(engine))
  }

  @Test("subscripts and accessors", arguments: engines)
  func subscripts(engine: Engine) throws {
    let value = try value(document, engine)
    #expect(value["user"]["name"].string == "Tester")
    #expect(value["user"]["ids"][0].int == 7)
    #expect(value["user"]["on"].bool == true)
    #expect(value["user"]["pi"].double == 3.5)
    #expect(value["user"]["none"].isNull)
    #expect(value[["user", "ids", 2]].int == 9)
    #expect(value[pointer: "/user/ids/1"].int == 8)
    let (name, place) = ("user", 1)
    #expect(value[name]["ids"][place].int == 8)
    #expect(value["user"]["ids"].count == 3)
    #expect(value["user"].count == 5)
    #expect(value["user"]["ids"].array?.map(\.int) == [7, 8, 9])
    #expect(value["user"].members?.map(\.key) == ["name", "ids", "on", "none", "pi"])
    #expect(value["user"].object?["name"]?.string == "Tester")
    #expect(value["user"].array == nil)
    #expect(value["user"]["ids"].members == nil)
    #expect(value["user"]["ids"].object == nil)
    #expect(value["empty"].members?.isEmpty == true)
    #expect(value["user"]["pi"].numberText == "3.5")
    #expect(value["user"]["name"].numberText == nil)
    #expect(value.contains("user"))
    #expect(!value.contains("x"))
    #expect(value["user"]["ids"].kind == .array)
    #expect(value.view["user"]["name"].string == "Tester")
  }

  @Test("a missing value is no model's, not even a JSONValue", arguments: engines)
  func missingModel(engine: Engine) throws {
    let error = try value(document, engine).withView {
      $0["user"]["x"].decoded(JSONValue.self).error
    }
    #expect(error?.code == .missingKey)
    #expect(try value(document, engine)["user"]["ids"][pointer: "/x"].exists == false)
    #expect(try value(document, engine).withView { $0[pointer: "/user/ids/x"].exists } == false)
    #expect(try value(document, engine).withView { $0[pointer: "/user/ids/02"].exists } == false)
  }

  @Test("a value outlives the value it was taken from", arguments: engines)
  func ownership(engine: Engine) throws {
    var whole: JSONValue? = try value(document, engine)
    let ids = try #require(whole)["user"]["ids"]
    whole = nil
    #expect(ids[2].int == 9)
    #expect(try ids.decode([Int].self) == [7, 8, 9])
  }

  @Test("a missing value remembers what was missing", arguments: engines)
  func missing(engine: Engine) throws {
    let value = try value(document, engine)
    typealias Row = (value: JSONValue, path: String, code: DecodeError.Code, message: String)
    let rows: [Row] = [
      (value["x"], "/x", .missingKey, "the key is missing"),
      (value["x"]["y"][3], "/x", .missingKey, "the key is missing"),
      (value["user"]["age"]["y"], "/user/age", .missingKey, "the key is missing"),
      (value["user"]["ids"][3], "/user/ids/3", .missingElement, "the element is missing"),
      (value[["user", "ids", 3, "x"]], "/user/ids/3", .missingElement, "the element is missing"),
      (
        value["user"]["name"]["first"], "/user/name", .typeMismatch,
        #"expected an object, found the string "Tester""#
      ),
      (value[pointer: "/user/zip"], "/user/zip", .missingKey, "the key is missing"),
      (
        value[pointer: "nonsense"], "", .invalidPointer,
        #""nonsense" is not a JSON Pointer (RFC 6901)"#
      ),
    ]
    for row in rows {
      #expect(row.value.kind == .missing)
      #expect(!row.value.exists)
      #expect(!row.value.isNull)
      #expect(row.value.string == nil)
      #expect(row.value.array == nil)
      let error = try #require(row.value.error)
      #expect(Failure(error) == Failure(try #require(row.value.decoded(Int.self).error)))
      #expect(error.path.text == row.path)
      #expect(error.code == row.code)
      #expect(error.message == row.message)
    }
    #expect(value["user"].error == nil)
  }

  @Test("decoding models from values, with the whole document's paths", arguments: engines)
  func decoding(engine: Engine) throws {
    let value = try value(document, engine)
    #expect(try value.decode("user", as: [String: JSONValue].self)["name"]?.string == "Tester")
    #expect(try value["user"]["ids"].decode([Int].self) == [7, 8, 9])
    #expect(try value.decode(["user", "ids", 0], as: Int.self) == 7)
    #expect(try value.decodeIfPresent("nobody", as: Int.self) == nil)
    #expect(try value.decodeIfPresent(["user", "none"], as: Int.self) == nil)
    let inner = value["user"]["ids"].decoded([String].self)
    #expect(failures(of: inner).map(\.path) == ["/user/ids/0", "/user/ids/1", "/user/ids/2"])
    let wrong = value["user"]["on"].decoded(Int.self)
    #expect(failures(of: wrong).map(\.message) == ["expected an integer, found true"])
    #expect(failures(of: wrong).map(\.path) == ["/user/on"])
  }

  @Test("errors of a value know the options that it was parsed with", arguments: engines)
  func optionsKept(engine: Engine) throws {
    let options = DecodingOptions(engine: engine, maximumErrors: 2, sourceName: "list.json")
    let value = try JSONValue(parsing: #"["a","b","c"]"#, options: options)
    let error = try #require(value.decoded([Int].self).error)
    #expect(error.underlying.count == 2)
    #expect(error.omittedCount == 1)
    #expect(error.description.hasPrefix("list.json:"))
    #expect(error.description.hasSuffix("\n… and 1 more error"))
  }

  @Test("matching on content", arguments: engines)
  func content(engine: Engine) throws {
    let value = try value(#"[null,true,-1.5,"x",[1],{"k":2}]"#, engine)
    var seen: [String] = []
    for element in (try #require(value.array)) + [value[9]] {
      switch element.content {
      case .missing: seen.append("missing")
      case .null: seen.append("null")
      case .bool(let bool): seen.append("\(bool)")
      case .number(let text): seen.append(text)
      case .string(let text): seen.append(text)
      case .array(let elements): seen.append("array \(elements.count)")
      case .object(let members): seen.append("object \(members.map(\.key))")
      }
    }
    #expect(seen == ["null", "true", "-1.5", "x", "array 1", #"object ["k"]"#, "missing"])
    var strings: [String] = []
    for case .string(let text) in value.array?.map(\.content) ?? [] { strings.append(text) }
    #expect(strings == ["x"])
  }

  @Test("a model keeps a part of its input as it came", arguments: engines)
  func insideModels(engine: Engine) throws {
    struct Envelope: JSONDecodable {
      let id: Int
      let payload: JSONValue
      let note: JSONValue?
      static func decode(_ json: JSON) -> Decoded<Envelope> {
        curry(Envelope.init) <^> json <| "id" <*> json <| "payload" <*> json <|? "note"
      }
    }
    let json = #"{"payload": {"a" :[1, 2.50e1],"b":"\u00e9"} , "id":1,"note":null}"#
    let envelope = try Envelope(decoding: json, options: .on(engine))
    #expect(envelope.note == nil)
    #expect(envelope.payload["a"][1].double == 25)
    #expect(envelope.payload["b"].string == "é")
    if engine == .native { #expect(envelope.payload.text() == #"{"a" :[1, 2.50e1],"b":"\u00e9"}"#) }
    let whole = try JSONValue(parsing: json, options: .on(engine))
    let inner = try whole.decode(Envelope.self).payload
    #expect(inner == envelope.payload)
    #expect(inner["b"].string == "é")
    let missing = Envelope.decode(from: #"{"id":1}"#, options: .on(engine))
    #expect(failures(of: missing).map(\.path) == ["/payload"])
    #expect(failures(of: missing).map(\.code) == [.missingKey])
  }

  @Test("a part that a model keeps is read by the document's rules", arguments: engines)
  func rulesInsideModels(engine: Engine) throws {
    var options = DecodingOptions(engine: engine, duplicateKeys: .last, redactsInput: true)
    let parts = try [JSONValue](decoding: #"[{"a":1,"a":2}]"#, options: options)
    #expect(parts[0]["a"].int == 2)
    let decoder = DecantDecoder()
    decoder.options = options
    #expect(try decoder.decode([JSONValue].self, from: #"[{"a":1,"a":2}]"#)[0]["a"].int == 2)
    let error = parts[0]["a"].decoded(String.self).error
    #expect(error?.found == "a number")
    guard engine == .native else { return }
    options.relaxations = [.comments, .trailingCommas, .nonFiniteNumbers, .loneSurrogates]
    let text = #"{"a": [1, /* one */ -Infinity,], "b": NaN, "c": "\ud800"}"#
    let relaxed = try [String: JSONValue](decoding: text, options: options)
    #expect(relaxed["a"]?.text() == "[1, /* one */ -Infinity,]")
    #expect(relaxed["a"]?[1].double == -.infinity)
    #expect(relaxed["b"]?.double?.isNaN == true)
    #expect(relaxed["c"]?.string == "\u{FFFD}")
  }

  @Test(
    "null is a value for a JSONValue, as an element and as a required field", arguments: engines)
  func nulls(engine: Engine) throws {
    let value = try [JSONValue](decoding: "[null,1]", options: .on(engine))
    #expect(value.map(\.kind) == [.null, .number])
    let keyed = try [String: JSONValue](decoding: #"{"a":null}"#, options: .on(engine))
    #expect(keyed["a"]?.isNull == true)
    let document = try self.value(#"{"a":null}"#, engine)
    #expect(try document.decode("a", as: JSONValue.self).isNull)
  }

  @Test("values are sent and shared across tasks", arguments: engines)
  func sharing(engine: Engine) async throws {
    let members = (0..<500).map { #""k\#($0)":{"n":\#($0)}"# }.joined(separator: ",")
    let value = try JSONValue(parsing: "{\(members)}", options: .on(engine))
    let sums = await withTaskGroup(of: Int.self) { group in
      for start in 0..<8 {
        group.addTask {
          var sum = 0
          for place in 0..<500 {
            sum += value["k\((place * 7 + start) % 500)"]["n"].int ?? -1_000_000
          }
          return sum
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 124_750, count: 8))
  }
}
