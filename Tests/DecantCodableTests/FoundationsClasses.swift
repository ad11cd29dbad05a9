// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// DecantJSONDecoder and DecantJSONEncoder as the JSONDecoder and JSONEncoder that they are: each setting of Foundation's
// classes, set on both, gives the same values, texts and kinds of error.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

private let formatter = {
  let formatter = DateFormatter()
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(secondsFromGMT: 0)
  formatter.dateFormat = "yyyy-MM"
  return formatter
}()

private let word = CodingUserInfoKey(rawValue: "word")!

/// Says what its coder's `userInfo` has.
private struct Word: Codable, Equatable {
  let text: String
  init() { text = "" }
  init(from decoder: any Decoder) throws {
    text = "\(decoder.userInfo[word] ?? "none") \(decoder.userInfo.count)"
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(encoder.userInfo[word] ?? "none") \(encoder.userInfo.count)")
  }
}

private struct Model: Codable, Equatable {
  var userName: String?
  var homeURL: URL?
  var at: Date?
  var bytes: Data?
  var ratio: Double?
  var byKey: [String: Int]?
  var price: Decimal?
  var id: UUID?
}

@Suite("Foundation's classes by Decant")
struct FoundationsClasses {
  struct Setting<Coder>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Coder) -> Void
    init(_ name: String, _ apply: @escaping @Sendable (Coder) -> Void) {
      (testDescription, self.apply) = (name, apply)
    }
  }

  static let decoderSettings: [Setting<JSONDecoder>] = [
    Setting("default") { _ in },
    Setting("dates deferredToDate") { $0.dateDecodingStrategy = .deferredToDate },
    Setting("dates secondsSince1970") { $0.dateDecodingStrategy = .secondsSince1970 },
    Setting("dates millisecondsSince1970") { $0.dateDecodingStrategy = .millisecondsSince1970 },
    Setting("dates iso8601") { $0.dateDecodingStrategy = .iso8601 },
    Setting("dates formatted") { $0.dateDecodingStrategy = .formatted(formatter) },
    Setting("dates custom") {
      $0.dateDecodingStrategy = .custom {
        Date(timeIntervalSince1970: try Double(String(from: $0).count))
      }
    },
    Setting("data deferredToData") { $0.dataDecodingStrategy = .deferredToData },
    Setting("data base64") { $0.dataDecodingStrategy = .base64 },
    Setting("data custom") {
      $0.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) }
    },
    Setting("keys useDefaultKeys") { $0.keyDecodingStrategy = .useDefaultKeys },
    Setting("keys convertFromSnakeCase") { $0.keyDecodingStrategy = .convertFromSnakeCase },
    Setting("keys custom") {
      $0.keyDecodingStrategy = .custom { path in
        let key = path[path.count - 1]
        return key.stringValue == "x" ? Named("userName") : key
      }
    },
    Setting("floats throw") { $0.nonConformingFloatDecodingStrategy = .throw },
    Setting("floats convertFromString") {
      $0.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "+", negativeInfinity: "-", nan: "n")
    },
    Setting("allowsJSON5") { $0.allowsJSON5 = true },
    Setting("assumesTopLevelDictionary") { $0.assumesTopLevelDictionary = true },
    Setting("JSON5, assumed dictionary") {
      $0.allowsJSON5 = true
      $0.assumesTopLevelDictionary = true
    },
    Setting("userInfo") { $0.userInfo = [word: "set"] },
  ]

  private struct Named: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private static let documents: [Data] =
    [
      "{}", "[]", "null", "", " ", "{", #"{"userName":"A"}"#, #"{"user_name":"B","home_url":"/b"}"#,
      #"{"x":"C"}"#, #"{"homeURL":"https://example.com/a b"}"#, #"{"homeURL":""}"#, #"{"at":1.5}"#,
      #"{"at":"2024-02"}"#, #"{"at":"2024-02-29T12:30:00Z"}"#, #"{"at":null}"#, #"{"at":true}"#,
      #"{"bytes":"AQID"}"#, #"{"bytes":[1,2]}"#, #"{"bytes":"%"}"#, #"{"bytes":{}}"#,
      #"{"ratio":0.1}"#, #"{"ratio":"+"}"#, #"{"ratio":"-"}"#, #"{"ratio":"?"}"#, #"{"ratio":1}"#,
      #"{"byKey":{"a_b":1}}"#, #"{"byKey":{"x":2}}"#, #"{"by_key":{"a_b":1}}"#, #"{"price":1.10}"#,
      #"{"price":"1"}"#, #"{"id":"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"}"#, #"{"id":"5"}"#,
      #"{"userName":"A",}"#, #"{userName:'A'}"#, #"{"ratio":NaN}"#, #"{"ratio":+Infinity}"#,
      #"{"ratio":.5}"#, #"{"ratio":0x10}"#, "// c\n{}", #"{/*c*/"userName":"A"}"#,
      #""userName":"A""#, #""ratio":1,"userName":"A""#, "userName:'A'", "\u{FEFF}{}",
    ].map { Data($0.utf8) }
    + [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian]
    .compactMap { #"{"userName":"é"}"#.data(using: $0) }

  @Test("every setting of JSONDecoder counts", arguments: decoderSettings)
  func decoding(_ setting: Setting<JSONDecoder>) {
    let (theirs, ours) = (JSONDecoder(), DecantJSONDecoder())
    setting.apply(theirs)
    setting.apply(ours)
    for document in FoundationsClasses.documents {
      let expected = Outcome { "\(try theirs.decode(Model.self, from: document))" }
      let found = Outcome { "\(try (ours as JSONDecoder).decode(Model.self, from: document))" }
      #expect(found.agrees(with: expected), "\(String(decoding: document, as: UTF8.self))")
      let word = Data(#"[1]"#.utf8)
      #expect(
        (try? ours.decode([Word].self, from: word)) == (try? theirs.decode([Word].self, from: word))
      )
    }
  }

  @Test("settings that change between calls count, also on a decoder that was used")
  func changes() throws {
    let ours: JSONDecoder = DecantJSONDecoder()
    for _ in 0..<2 {
      for setting in FoundationsClasses.decoderSettings {
        let theirs = JSONDecoder()
        setting.apply(theirs)
        ours.dateDecodingStrategy = .deferredToDate
        ours.dataDecodingStrategy = .base64
        ours.keyDecodingStrategy = .useDefaultKeys
        ours.nonConformingFloatDecodingStrategy = .throw
        ours.allowsJSON5 = false
        ours.assumesTopLevelDictionary = false
        ours.userInfo = [:]
        setting.apply(ours)
        for document in FoundationsClasses.documents {
          let expected = Outcome { "\(try theirs.decode(Model.self, from: document))" }
          let found = Outcome { "\(try ours.decode(Model.self, from: document))" }
          #expect(found.agrees(with: expected), "\(setting.testDescription)")
        }
      }
    }
  }

  @Test(
    "what Decant reads itself has a place in its errors, and what is left to Foundation has none")
  func whose() {
    func hasPlace(_ json: String, _ set: (DecantJSONDecoder) -> Void = { _ in }) -> Bool {
      let decoder = DecantJSONDecoder()
      set(decoder)
      do {
        _ = try decoder.decode([String: Int].self, from: Data(json.utf8))
      } catch DecodingError.typeMismatch(_, let context) {
        return context.debugDescription.hasPrefix("1:")
      } catch {}
      return false
    }
    #expect(hasPlace(#"{"a":"x"}"#))
    for setting in FoundationsClasses.decoderSettings {
      #expect(hasPlace(#"{"a":"x"}"#) { setting.apply($0) }, "\(setting.testDescription)")
    }
    #expect(hasPlace(#"{"a":"x",}"#))
    #expect(hasPlace("{/**/\"a\":\"x\"}") { $0.allowsJSON5 = true })
    // Single quotes are Foundation's to read.
    #expect(!hasPlace("{'a':'x'}") { $0.allowsJSON5 = true })
  }

  // MARK: - Encoding

  static let encoderSettings: [Setting<JSONEncoder>] = [
    Setting("default") { _ in },
    Setting("sorted") { $0.outputFormatting = .sortedKeys },
    Setting("pretty") { $0.outputFormatting = [.prettyPrinted, .sortedKeys] },
    Setting("slashes") { $0.outputFormatting = [.withoutEscapingSlashes, .sortedKeys] },
    Setting("pretty, slashes") {
      $0.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    },
    Setting("a format of later") { $0.outputFormatting = [.init(rawValue: 1 << 20), .sortedKeys] },
    Setting("dates secondsSince1970") { $0.dateEncodingStrategy = .secondsSince1970 },
    Setting("dates millisecondsSince1970") { $0.dateEncodingStrategy = .millisecondsSince1970 },
    Setting("dates iso8601") { $0.dateEncodingStrategy = .iso8601 },
    Setting("dates formatted") { $0.dateEncodingStrategy = .formatted(formatter) },
    Setting("dates custom") {
      $0.dateEncodingStrategy = .custom { date, encoder in
        try ["d": date.timeIntervalSince1970].encode(to: encoder)
      }
    },
    Setting("data deferredToData") { $0.dataEncodingStrategy = .deferredToData },
    Setting("data base64") { $0.dataEncodingStrategy = .base64 },
    Setting("data custom") {
      $0.dataEncodingStrategy = .custom { data, encoder in try data.count.encode(to: encoder) }
    },
    Setting("keys convertToSnakeCase") { $0.keyEncodingStrategy = .convertToSnakeCase },
    Setting("keys custom") {
      $0.keyEncodingStrategy = .custom { Named($0[$0.count - 1].stringValue.uppercased()) }
    },
    Setting("floats throw") { $0.nonConformingFloatEncodingStrategy = .throw },
    Setting("floats convertToString") {
      $0.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+", negativeInfinity: "-", nan: "n")
    },
    Setting("userInfo") { $0.userInfo = [word: "set"] },
  ]

  private static let models: [Model] = [
    Model(), Model(userName: "a/b\u{e9}"), Model(homeURL: URL(string: "https://example.com/a")),
    Model(at: Date(timeIntervalSince1970: 1.5)), Model(bytes: Data([1, 2, 250])),
    Model(ratio: 0.1), Model(ratio: .infinity), Model(ratio: -.infinity), Model(ratio: .nan),
    Model(byKey: ["aB": 1]), Model(byKey: [:]), Model(price: Decimal(string: "1.10")),
    Model(id: UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")),
  ]

  /// The text, or the error's path.
  private func text(_ value: some Encodable, _ encoder: JSONEncoder) -> String {
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch EncodingError.invalidValue(_, let context) {
      return "\(context.codingPath.map(\.stringValue))"
    } catch { return "\(error)" }
  }

  @Test("every setting of JSONEncoder counts", arguments: encoderSettings)
  func encoding(_ setting: Setting<JSONEncoder>) {
    let (theirs, ours) = (JSONEncoder(), DecantJSONEncoder())
    setting.apply(theirs)
    setting.apply(ours)
    for model in FoundationsClasses.models {
      #expect(text(model, ours) == text(model, theirs))
      #expect(text([model], ours) == text([model], theirs))
    }
    #expect(text([Word()], ours) == text([Word()], theirs))
    #expect(text("a/b", ours) == text("a/b", theirs))
    let whole = Model(
      userName: "a", homeURL: URL(string: "/b"), at: Date(timeIntervalSince1970: 0),
      bytes: Data([1]), ratio: 1.5, byKey: ["k": 1], price: 2, id: UUID())
    if theirs.outputFormatting.contains(.sortedKeys) {
      #expect(text(whole, ours) == text(whole, theirs))
    }
  }

  @Test("settings of an encoder that change between calls count")
  func encoderChanges() {
    let ours: JSONEncoder = DecantJSONEncoder()
    for _ in 0..<2 {
      for setting in FoundationsClasses.encoderSettings {
        let theirs = JSONEncoder()
        setting.apply(theirs)
        ours.outputFormatting = []
        ours.dateEncodingStrategy = .deferredToDate
        ours.dataEncodingStrategy = .base64
        ours.keyEncodingStrategy = .useDefaultKeys
        ours.nonConformingFloatEncodingStrategy = .throw
        ours.userInfo = [:]
        setting.apply(ours)
        for model in FoundationsClasses.models {
          #expect(text(model, ours) == text(model, theirs), "\(setting.testDescription)")
        }
        #expect(text([Word()], ours) == text([Word()], theirs))
      }
    }
  }

  @Test("Decant writes what it knows, and a format that it does not know is Foundation's")
  func whoseText() throws {
    struct Ordered: Encodable {
      let names: [String]
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Named.self)
        for name in names { try container.encode(1, forKey: Named(name)) }
      }
    }
    // Members are in the order of encoding here, and in a random one there.
    let names = (0..<40).map { "k\($0)" }
    let expected = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    for setting in FoundationsClasses.encoderSettings {
      let encoder = DecantJSONEncoder()
      setting.apply(encoder)
      guard encoder.outputFormatting.isEmpty, setting.testDescription != "keys custom" else {
        continue
      }
      #expect(text(Ordered(names: names), encoder) == expected, "\(setting.testDescription)")
    }
    let encoder = DecantJSONEncoder()
    encoder.outputFormatting = .init(rawValue: 1 << 20)
    #expect(text(Ordered(names: names), encoder) != expected)
  }
}
