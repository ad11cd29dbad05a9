// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private struct StrictSettings: Codable, Equatable {
  var retries: Int?
  var timeout: Double?
}

/// A nested container, an unkeyed one of such, and a dictionary.
private struct StrictOrder: Decodable {
  enum Keys: CodingKey { case id, customer, lines, tags, settings }
  enum Inner: CodingKey { case name, price }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Keys.self)
    _ = try keys.decode(Int.self, forKey: .id)
    let customer = try keys.nestedContainer(keyedBy: Inner.self, forKey: .customer)
    _ = try customer.decodeIfPresent(String.self, forKey: .name)
    var lines = try keys.nestedUnkeyedContainer(forKey: .lines)
    while !lines.isAtEnd {
      let line = try lines.nestedContainer(keyedBy: Inner.self)
      _ = try line.decodeIfPresent(Double.self, forKey: .price)
    }
    _ = try keys.decodeIfPresent([String: StrictSettings].self, forKey: .tags)
    _ = try keys.decodeIfPresent([StrictSettings].self, forKey: .settings)
  }
}

private class StrictAnimal: Decodable {
  let name: String
}

/// A superclass's keys in the object itself, or below "super".
private final class StrictDog: StrictAnimal {
  enum Keys: CodingKey { case breed, nested }

  required init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Keys.self)
    _ = try keys.decode(String.self, forKey: .breed)
    try super.init(from: keys.contains(.nested) ? keys.superDecoder() : decoder)
  }
}

/// Two parts of one value, and its own keys.
private struct StrictTwoParts: Decodable {
  enum Keys: CodingKey { case id }

  init(from decoder: any Decoder) throws {
    _ = try StrictSettings(from: decoder)
    _ = try StrictAnimal(from: decoder)
    _ = try decoder.container(keyedBy: Keys.self).decodeNil(forKey: .id)
  }
}

private enum StrictShape: Decodable {
  case circle(radius: Int)
  case none
}

/// The first alternative that decodes.
private enum StrictEither: Decodable {
  case settings(StrictSettings), animal(StrictAnimal)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let settings = try? value.decode(StrictSettings.self) {
      self = .settings(settings)
    } else {
      self = .animal(try value.decode(StrictAnimal.self))
    }
  }
}

/// Every key there is.
private struct StrictLoose: Decodable {
  init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: AnyKey.self).allKeys
  }

  struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

@Suite("DecantDecoder.unknownMembers")
struct UnknownMembers {
  /// The paths of the members that were refused; nil if the error is another one.
  private static func unknown<Model: Decodable>(
    _ type: Model.Type, _ json: String, _ engine: Engine,
    keys: DecantDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) -> [String]? {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    decoder.unknownMembers = .reject
    decoder.keyDecodingStrategy = keys
    // Twice, as containers and decoders are used again.
    var found: [String]?
    for _ in 0..<2 {
      do {
        _ = try decoder.decode(type, from: json)
        found = []
      } catch {
        guard case .dataCorrupted(let why)? = error as? DecodingError,
          let error = why.underlyingError as? DecodeError
        else { return nil }
        let all = error.underlying.isEmpty ? [error] : error.underlying
        #expect(all.allSatisfy { $0.code == .unknownKey })
        let steps = why.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        #expect("/" + steps.joined(separator: "/") == all[0].path.description)
        found = all.map(\.path.description)
      }
    }
    return found
  }

  @Test("refuses what no container was asked for", arguments: engines)
  func refuses(engine: Engine) {
    func check<Model: Decodable>(_ type: Model.Type, _ json: String, _ expected: [String]?) {
      #expect(Self.unknown(type, json, engine) == expected, "\(type) \(json)")
    }
    check(StrictSettings.self, #"{"timeout":1,"retries":2}"#, [])
    check(StrictSettings.self, #"{"retires":1,"timeout":1,"Retries":3}"#, ["/retires", "/Retries"])
    check(StrictSettings.self, #"{"r\u0065tries":1}"#, [])
    check(StrictSettings.self, #"{"retries":"x","y":1}"#, nil)
    check([StrictSettings].self, #"[{},{"a":1},{"b":1}]"#, ["/1/a"])
    check([String: StrictSettings].self, #"{"x":{"retries":1},"y":{"z":1}}"#, ["/y/z"])
    check([String: Int].self, #"{"x":1}"#, [])
    check([Int: Int].self, #"{"1":2}"#, [])
    let order = #"{"id":1,"customer":{"name":"a"},"lines":[{"price":1},{}],"tags":{"any":{}}"#
    check(StrictOrder.self, order + "}", [])
    check(StrictOrder.self, order + #","settings":[{"retries":1}],"more":1}"#, ["/more"])
    check(
      StrictOrder.self, order + #","settings":[{"retires":1}],"more":1}"#, ["/settings/0/retires"])
    check(
      StrictOrder.self,
      #"{"id":1,"x":1,"customer":{"price":1},"lines":[{"name":1},{"price":1,"y":1}]}"#,
      ["/x", "/customer/price", "/lines/0/name", "/lines/1/y"])
    check(StrictDog.self, #"{"breed":"b","name":"n"}"#, [])
    check(StrictDog.self, #"{"breed":"b","name":"n","age":1}"#, ["/age"])
    check(
      StrictDog.self, #"{"breed":"b","nested":true,"name":"n","super":{"name":"n","age":1}}"#,
      ["/name", "/super/age"])
    check(StrictTwoParts.self, #"{"id":1,"retries":1,"name":"n"}"#, [])
    check(StrictTwoParts.self, #"{"id":1,"retires":1,"name":"n"}"#, ["/retires"])
    check(StrictShape.self, #"{"circle":{"radius":1}}"#, [])
    check(StrictShape.self, #"{"circle":{"radius":1,"x":2}}"#, ["/circle/x"])
    check(StrictShape.self, #"{"none":{"x":2}}"#, ["/none/x"])
    check(StrictEither.self, #"{"name":"n"}"#, [])
    check(StrictEither.self, #"{"name":"n","retries":1}"#, ["/retries"])
    check(StrictLoose.self, #"{"a":1,"b":{"c":2}}"#, [])
  }

  @Test("converts keys before it compares them", arguments: engines)
  func converted(engine: Engine) {
    struct Model: Decodable { let userName: String? }
    let snake = DecantDecoder.KeyDecodingStrategy.convertFromSnakeCase
    #expect(Self.unknown(Model.self, #"{"user_name":"a"}"#, engine, keys: snake) == [])
    let both = #"{"userName":"a","user_nmae":"b"}"#
    #expect(Self.unknown(Model.self, both, engine, keys: snake) == ["/user_nmae"])
    let custom = DecantDecoder.KeyDecodingStrategy.custom { path in
      StrictLoose.AnyKey(stringValue: path.last?.stringValue.lowercased() ?? "") ?? path[0]
    }
    let large = #"{"RETRIES":1,"RETIRES":1}"#
    #expect(Self.unknown(StrictSettings.self, large, engine, keys: custom) == ["/RETIRES"])
  }

  @Test("tells all members of a model, with the nearest key", arguments: engines)
  func texts(engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options = DecodingOptions(engine: engine, maximumErrors: 2, unknownMembers: .reject)
    #expect(decoder.unknownMembers == .reject)
    func why(_ json: String) -> DecodingError.Context? {
      do { _ = try decoder.decode(StrictSettings.self, from: json) } catch {
        if case .dataCorrupted(let why)? = error as? DecodingError { return why }
      }
      return nil
    }
    let place = engine.name == "native" ? "1:2: " : ""
    let many = why(#"{"retires":1,"b":1,"c":1,"d":1}"#)
    #expect(
      many?.debugDescription
        == place + #"unknown key; did you mean "retries"?, and 3 more errors"#)
    let error = many?.underlyingError as? DecodeError
    #expect(error?.count == 4 && error?.underlying.count == 2)
    decoder.showsValuesInErrors = true
    #expect(
      why(#"{"retires":1}"#)?.debugDescription
        == place + #"unknown key "retires"; did you mean "retries"?"#)
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Model: Decodable { let userName: String? }
    #expect(throws: DecodingError.self) { try decoder.decode(Model.self, from: #"{"user_nam":1}"#) }
    do { _ = try decoder.decode(Model.self, from: #"{"user_nam":1}"#) } catch {
      guard case .dataCorrupted(let why)? = error as? DecodingError else { return }
      #expect(why.debugDescription == place + #"unknown key "user_nam"; did you mean "user_name"?"#)
    }
  }

  @Test("ignores them by default, and where it is turned off again", arguments: engines)
  func ignores(engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let json = #"{"retries":1,"x":2}"#
    #expect(try decoder.decode(StrictSettings.self, from: json).retries == 1)
    decoder.unknownMembers = .reject
    #expect(throws: DecodingError.self) { try decoder.decode(StrictSettings.self, from: json) }
    decoder.unknownMembers = .ignore
    #expect(try decoder.decode(StrictSettings.self, from: json).retries == 1)
  }

  @Test("refuses inside of models that are decoded by views, and of views", arguments: engines)
  func views(engine: Engine) throws {
    struct Holder: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Holder> {
        let decoder = DecantDecoder()
        decoder.unknownMembers = .reject
        return json.convert("inner", using: .codable(StrictSettings.self, by: decoder)).map { _ in
          Holder()
        }
      }
    }
    let options = DecodingOptions(engine: engine)
    let error = Holder.decode(from: #"{"inner":{"retires":1}}"#, options: options).error
    #expect(error?.code == .unknownKey)
    #expect(error?.path.description == "/inner/retires")
    #expect(error?.message == #"unknown key "retires"; did you mean "retries"?"#)
  }
}
