// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How packages spell calls of JSONDecoder and JSONEncoder. Tests/Client/run compiles this file with Foundation's coders
// and with Decant's under their names, in the language modes 5 and 6; the program compares what they return.

import Foundation

struct User: Codable, Equatable, Sendable {
  var id: Int
  var name: String?
}

struct Event: Codable, Equatable {
  var at: Date
  var raw: Data
}

final class Shared: @unchecked Sendable { var count = 1 }

/// What is not Sendable, for `userInfo` and strategies of language mode 5.
#if !swift(>=6)
  final class Unshared { var count = 1 }
  let unsharedKey = CodingUserInfoKey(rawValue: "unshared")!

  func setUserInfo(_ info: inout [CodingUserInfoKey: Any]) { info[unsharedKey] = Unshared() }
#endif

let sharedKey = CodingUserInfoKey(rawValue: "shared")!
let userData = Data(#"{"id":1,"name":"A"}"#.utf8)
let usersData = Data(#"[{"id":1,"name":"A"},{"id":2}]"#.utf8)
let user = User(id: 1, name: "A")

// MARK: - Declarations

protocol DataDecoder {
  func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable
}
protocol DataEncoder {
  func encode<T>(_ value: T) throws -> Data where T: Encodable
}
protocol AnyCoder: AnyObject, Sendable {
  var userInfo: [CodingUserInfoKey: any Sendable] { get set }
}
extension JSONDecoder: DataDecoder {}
extension JSONEncoder: DataEncoder {}
extension JSONDecoder: AnyCoder {}
extension JSONEncoder: AnyCoder {}

extension JSONDecoder {
  static let snake: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }()

  convenience init(dates: DateDecodingStrategy) {
    self.init()
    dateDecodingStrategy = dates
  }

  func users(_ data: Data) throws -> [User] { try decode([User].self, from: data) }
}
extension JSONEncoder {
  static let pretty: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  func text(_ value: some Encodable) throws -> String {
    String(decoding: try encode(value), as: UTF8.self)
  }
}
extension JSONDecoder.DateDecodingStrategy {
  static let year = custom { decoder in
    Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self) * 31_536_000)
  }
}
extension JSONEncoder.DateEncodingStrategy {
  static var year: JSONEncoder.DateEncodingStrategy {
    .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.timeIntervalSince1970 / 31_536_000)
    }
  }
}
extension JSONDecoder.KeyDecodingStrategy {
  static var upper: JSONDecoder.KeyDecodingStrategy {
    .custom { path in Name(path.last!.stringValue.lowercased()) }
  }
}
struct Name: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

class Client {
  let decoder: JSONDecoder
  private lazy var encoder: JSONEncoder = .init()
  init(decoder: JSONDecoder = JSONDecoder()) { self.decoder = decoder }
  func load<T: Decodable>(_ data: Data) throws -> T { try decoder.decode(T.self, from: data) }
  func load<T: Decodable>(
    _ data: Data, as type: T.Type = T.self, with decoder: JSONDecoder = .init()
  )
    throws -> T
  { try decoder.decode(type, from: data) }
  func save(_ value: some Encodable) throws -> Data { try encoder.encode(value) }
}
public struct Settings {
  public var decoder: JSONDecoder
  public var makeEncoder: @Sendable () -> JSONEncoder
  public init(
    decoder: JSONDecoder = .init(),
    makeEncoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() }
  ) {
    self.decoder = decoder
    self.makeEncoder = makeEncoder
  }
}
public func publicDefault(
  _ decoder: JSONDecoder = JSONDecoder(), _ encoder: JSONEncoder = JSONEncoder()
)
  -> Bool
{ decoder.allowsJSON5 || encoder.outputFormatting.contains(.prettyPrinted) }
@inlinable public func inlinable() -> Any { JSONDecoder() }

final class CountingDecoder: JSONDecoder, @unchecked Sendable {
  override var userInfo: [CodingUserInfoKey: any Sendable] {
    get { [sharedKey: Shared()] }
    set { super.userInfo = newValue }
  }
}
final class SnakeDecoder: JSONDecoder, @unchecked Sendable {
  override init() {
    super.init()
    keyDecodingStrategy = .convertFromSnakeCase
  }
}
final class SnakeEncoder: JSONEncoder, @unchecked Sendable {
  override init() {
    super.init()
    keyEncodingStrategy = .convertToSnakeCase
    outputFormatting = .sortedKeys
  }
  override var outputFormatting: OutputFormatting { didSet { changes += 1 } }
  var changes = 0
}
final class FixedDecoder: JSONDecoder, @unchecked Sendable {
  override var keyDecodingStrategy: KeyDecodingStrategy { didSet {} }
  override var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy { didSet {} }
  override var allowsJSON5: Bool { willSet {} }
  override var assumesTopLevelDictionary: Bool { willSet {} }
}
final class FixedEncoder: JSONEncoder, @unchecked Sendable {
  override var keyEncodingStrategy: KeyEncodingStrategy { didSet {} }
  override var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy { didSet {} }
  override var userInfo: [CodingUserInfoKey: any Sendable] { didSet {} }
}
struct Shows: Decodable {
  let keys: [String]
  init(from decoder: any Decoder) throws { keys = decoder.userInfo.keys.map(\.rawValue).sorted() }
}
struct SnakeUser: Codable, Equatable { var firstName: String }

// MARK: - Calls

/// Each spelling with what it returns, as a text.
func spellings() throws -> [(name: String, result: String)] {
  var results: [(String, String)] = []
  func spell(_ name: String, _ body: () throws -> Any?) rethrows {
    results.append((name, try body().map { ($0 as? Data).map(text) ?? "\($0)" } ?? "nil"))
  }
  func text(_ data: Data) -> String { String(data: data, encoding: .utf8)! }
  let decoder = JSONDecoder()
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys

  // Decoding
  try spell("type") { try decoder.decode(User.self, from: userData) }
  try spell("array") { try decoder.decode([User].self, from: usersData) }
  try spell("array by name") { try decoder.decode(Array<User>.self, from: usersData).count }
  try spell("dictionary") { try decoder.decode([String: Int].self, from: Data(#"{"a":1}"#.utf8)) }
  try spell("optional type") { try decoder.decode(User?.self, from: userData) ?? user }
  try spell("annotated") {
    let value: User = try decoder.decode(User.self, from: userData)
    return value
  }
  spell("try?") { try? decoder.decode(User.self, from: userData) }
  spell("try? that fails") { try? decoder.decode([Int].self, from: userData) }
  spell("try? as a condition") {
    guard let value = try? decoder.decode(User.self, from: userData) else { return "none" }
    return value
  }
  spell("try? with a default") {
    (try? decoder.decode([Int].self, from: userData)) ?? [7]
  }
  spell("if let") {
    if let value = try? JSONDecoder().decode(User.self, from: userData), value.id == 1 {
      return value
    }
    return nil
  }
  spell("flatMap") {
    Optional(userData).flatMap { try? decoder.decode(User.self, from: $0) }
  }
  try spell("map") { try Optional(userData).map { try decoder.decode(User.self, from: $0) } }
  try spell("map of an array") { try [userData].map { try decoder.decode(User.self, from: $0) } }
  spell("compactMap") {
    [userData, Data()].compactMap { try? decoder.decode(User.self, from: $0) }.count
  }
  spell("Result") { try? Result { try decoder.decode(User.self, from: userData) }.get() }
  try spell("flatMap of a Result") {
    try Result<Data, any Error>.success(userData)
      .flatMap { data in Result { try decoder.decode(User.self, from: data) } }.get()
  }
  try spell("method as a value") {
    let decode: (User.Type, Data) throws -> User = decoder.decode
    return try decode(User.self, userData)
  }
  try spell("method by its full name") {
    let decode: (User.Type, Data) throws -> User = decoder.decode(_:from:)
    return try decode(User.self, userData)
  }
  try spell("method of the type") {
    let decode: (JSONDecoder) -> (User.Type, Data) throws -> User = JSONDecoder.decode(_:from:)
    return try decode(decoder)(User.self, userData)
  }
  try spell("closure") {
    let decode: (Data) throws -> User = { try decoder.decode(User.self, from: $0) }
    return try decode(userData)
  }
  try spell("generic function") {
    func load<T: Decodable>(_ data: Data) throws -> T { try decoder.decode(T.self, from: data) }
    let value: User = try load(userData)
    return value
  }
  try spell("member of a class") {
    let value: User = try Client().load(userData)
    return value
  }
  try spell("default arguments") { try Client().load(userData, as: User.self) }
  try spell("existential type") {
    let type: any Decodable.Type = User.self
    return try decoder.decode(type, from: userData)
  }
  try spell("metatype of a value") { try decoder.decode(type(of: user), from: userData) }
  try spell("witness") { try (decoder as any DataDecoder).decode(User.self, from: userData) }
  try spell("generic over the coder") {
    func load(_ coder: some DataDecoder) throws -> User {
      try coder.decode(User.self, from: userData)
    }
    return try load(decoder)
  }
  try spell("initializer as a member") {
    func load(_ coder: JSONDecoder = .init()) throws -> User {
      try coder.decode(User.self, from: userData)
    }
    return try load() == load(.init())
  }
  try spell("chain") { try JSONDecoder().decode(User.self, from: JSONEncoder().encode(user)) }
  try spell("data of a string") {
    try decoder.decode(User.self, from: #"{"id":1}"#.data(using: .utf8)!)
  }
  try spell("data of a view") { try decoder.decode(User.self, from: Data(#"{"id":1}"#.utf8)) }
  try spell("slice") { try decoder.decode([User].self, from: usersData[0...]).count }
  try spell("result of a call") { try decoder.users(usersData).map(\.id) }
  try spell("shared coder") {
    try JSONDecoder.snake.decode(SnakeUser.self, from: Data(#"{"first_name":"A"}"#.utf8))
  }
  try spell("convenience initializer") {
    try JSONDecoder(dates: .secondsSince1970).decode(Date.self, from: Data("0".utf8))
      .timeIntervalSince1970
  }
  try spell("key path") {
    let path = \JSONDecoder.assumesTopLevelDictionary
    decoder[keyPath: path] = false
    return decoder[keyPath: path]
  }
  spell("catch by cases") {
    do {
      _ = try decoder.decode(User.self, from: Data(#"{"id":"1"}"#.utf8))
      return "none"
    } catch DecodingError.typeMismatch(let type, let context) {
      return "\(type) \(context.codingPath.map(\.stringValue))"
    } catch let DecodingError.keyNotFound(key, _) {
      return key
    } catch let error as DecodingError {
      return error
    } catch {
      return error
    }
  }

  // Strategies
  try spell("strategy by its type") {
    let strategy: JSONDecoder.DateDecodingStrategy = .iso8601
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = strategy
    return try decoder.decode([Date].self, from: Data(#"["2026-03-01T12:30:00Z"]"#.utf8))
  }
  try spell("strategies in an array") {
    let all: [JSONDecoder.DateDecodingStrategy] = [
      .secondsSince1970, .millisecondsSince1970, .year,
    ]
    return try all.map {
      try JSONDecoder(dates: $0).decode(Date.self, from: Data("1".utf8)).timeIntervalSince1970
    }
  }
  spell("switch over a strategy") {
    switch decoder.dateDecodingStrategy {
    case .deferredToDate: return "deferred"
    case .iso8601: return "iso8601"
    case .custom(let function): return function
    default: return "other"
    }
  }
  try spell("formatter") {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    decoder.dateDecodingStrategy = .formatted(formatter)
    encoder.dateEncodingStrategy = .formatted(formatter)
    defer {
      decoder.dateDecodingStrategy = .deferredToDate
      encoder.dateEncodingStrategy = .deferredToDate
    }
    return try encoder.encode(decoder.decode([Date].self, from: Data(#"["2026-03-01"]"#.utf8)))
  }
  try spell("custom dates, in a closure") {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let seconds = Double(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
      }
      return Date(timeIntervalSince1970: seconds)
    }
    return try decoder.decode([Date].self, from: Data(#"["5"]"#.utf8)).map(\.timeIntervalSince1970)
  }
  try spell("custom data") {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .custom {
      Data(try $0.singleValueContainer().decode(String.self).utf8)
    }
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(data.count)
    }
    return try encoder.encode(decoder.decode([Data].self, from: Data(#"["abc"]"#.utf8)))
  }
  try spell("custom keys") {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .upper
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .custom { Name($0.last!.stringValue.uppercased()) }
    encoder.outputFormatting.insert(.sortedKeys)
    return try encoder.encode(decoder.decode(User.self, from: Data(#"{"ID":1}"#.utf8)))
  }
  try spell("floats") {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    return try encoder.encode(
      decoder.decode([Double].self, from: Data(#"["inf","-inf","nan"]"#.utf8)))
  }
  try spell("all of an event") {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.dataDecodingStrategy = .base64
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.dataEncodingStrategy = .base64
    encoder.outputFormatting = [.sortedKeys]
    let event = Event(at: Date(timeIntervalSince1970: 86_400), raw: Data([1, 2, 3]))
    return try decoder.decode(Event.self, from: encoder.encode(event)) == event
  }
  spell("strategies as a tuple") {
    let pair: (JSONDecoder.KeyDecodingStrategy, JSONEncoder.KeyEncodingStrategy)
    pair = (.convertFromSnakeCase, .convertToSnakeCase)
    (decoder.keyDecodingStrategy, encoder.keyEncodingStrategy) = pair
    decoder.keyDecodingStrategy = .useDefaultKeys
    encoder.keyEncodingStrategy = .useDefaultKeys
    return pair.0
  }
  try spell("configured by a closure") {
    let make: (JSONDecoder) -> Void = { $0.dateDecodingStrategy = .year }
    let decoder = JSONDecoder()
    make(decoder)
    return try decoder.decode(Date.self, from: Data("2".utf8)).timeIntervalSince1970
  }

  // userInfo
  try spell("user info") {
    let decoder = JSONDecoder()
    decoder.userInfo[sharedKey] = Shared()
    return try decoder.decode(Shows.self, from: userData).keys
  }
  try spell("user info as a whole") {
    let decoder = JSONDecoder()
    decoder.userInfo = [sharedKey: 1]
    return try decoder.decode(Shows.self, from: userData).keys
  }
  spell("user info through a protocol") {
    let coders: [any AnyCoder] = [JSONDecoder(), JSONEncoder()]
    for coder in coders { coder.userInfo[sharedKey] = "a" }
    return coders.map { $0.userInfo.count }
  }
  try spell("overridden user info") {
    try CountingDecoder().decode(Shows.self, from: userData).keys
  }
  #if !swift(>=6)
    try spell("user info that is not sendable") {
      let decoder = JSONDecoder()
      setUserInfo(&decoder.userInfo)
      decoder.userInfo[unsharedKey] = Unshared()
      let info: [CodingUserInfoKey: Any] = [unsharedKey: Unshared()]
      decoder.userInfo = info
      return try decoder.decode(Shows.self, from: userData).keys
    }
    try spell("closures that are not sendable") {
      let unshared = Unshared()
      func custom(_ body: @escaping (any Decoder) throws -> Date) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(body)
        return decoder
      }
      func encode(_ body: @escaping (Date, any Encoder) throws -> Void) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom(body)
        return encoder
      }
      let coder = encode { _, encoder in try unshared.count.encode(to: encoder) }
      let date = try custom { _ in Date(timeIntervalSince1970: Double(unshared.count)) }
        .decode(Date.self, from: Data("0".utf8))
      let keys = JSONDecoder()
      keys.keyDecodingStrategy = .custom { path in
        unshared.count += 1
        return path.last!
      }
      _ = try keys.decode(User.self, from: userData)
      return (try coder.encode([date]), unshared.count > 1)
    }
  #endif

  // Encoding
  try spell("encode") { try encoder.encode(user) }
  try spell("encode to data") {
    let data: Data = try encoder.encode(user)
    return data
  }
  spell("encode, try?") { try? encoder.encode(user) }
  spell("encode, guarded") {
    guard let data = try? encoder.encode(user) else { return nil }
    return data
  }
  try spell("encode, inferred") {
    let data = try encoder.encode(user)
    return text(data)
  }
  try spell("text by encoding") { String(data: try encoder.encode(user), encoding: .utf8) }
  try spell("text by decoding") { String(decoding: try encoder.encode(user), as: UTF8.self) }
  try spell("text of an extension") { try JSONEncoder.pretty.text(["a": 1]) }
  try spell("members of the data") { try encoder.encode(user).base64EncodedString() }
  try spell("count of the data") { try encoder.encode(user).count }
  try spell("data as any") {
    let value: Any = try encoder.encode(user)
    return value is Data
  }
  try spell("data in a dictionary") {
    let values: [String: Any] = ["a": try encoder.encode(user)]
    return values["a"] is Data
  }
  try spell("data as an optional any") {
    let values: [Any?] = [try encoder.encode(user), nil]
    return values[0] is Data
  }
  try spell("to JSONSerialization") {
    let object = try JSONSerialization.jsonObject(with: encoder.encode(user)) as? [String: Any]
    return object?["id"] as? Int
  }
  try spell("map of encode") { try [user].map(encoder.encode) }
  try spell("map of encode, in a closure") { try [user].map { try encoder.encode($0) }.count }
  try spell("flatMap of encode") { try [user].flatMap { try encoder.encode($0) }.count }
  try spell("reduce") { try [user, user].reduce(into: Data()) { $0 += try encoder.encode($1) } }
  try spell("append") {
    var data = Data()
    data.append(try encoder.encode(user))
    return data
  }
  try spell("encode as a value") {
    let encode: (User) throws -> Data = encoder.encode
    return try encode(user)
  }
  try spell("encode as a value, with a type") {
    try ({ try encoder.encode($0) } as (User) throws -> Data)(user)
  }
  try spell("encode an existential") {
    let value: any Encodable = user
    return try encoder.encode(value)
  }
  try spell("encode, witness") { try (encoder as any DataEncoder).encode(user) }
  try spell("encode, generic") {
    func save<T>(_ value: T, _ coder: JSONEncoder = JSONEncoder()) throws -> Data
    where T: Encodable {
      try coder.encode(value)
    }
    return try save([1, 2])
  }
  try spell("encode, compared") { try encoder.encode(user) == encoder.encode(user) }
  try spell("encode, hashed") { Set([try encoder.encode(user), try encoder.encode(user)]).count }
  try spell("encode, a conditional") { try user.id == 1 ? encoder.encode(user) : Data() }
  spell("encode with a default") { (try? encoder.encode(user)) ?? Data() }
  try spell("encode to a file") {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try encoder.encode(user).write(to: file, options: .atomic)
    defer { try? FileManager.default.removeItem(at: file) }
    return try decoder.decode(User.self, from: Data(contentsOf: file))
  }
  try spell("encode in a Result") { try Result { try encoder.encode(user) }.map(\.count).get() }
  try spell("encode, saved by a class") { try Client().save([1]) }
  try spell("encode by a property") { try Settings().makeEncoder().encode([1]) }
  try spell("round trip") {
    try Settings().decoder.decode(User.self, from: encoder.encode(user)) == user
  }
  spell("formatting") {
    let encoder = JSONEncoder()
    encoder.outputFormatting = []
    encoder.outputFormatting.formUnion([.prettyPrinted])
    let formatting: JSONEncoder.OutputFormatting = [.sortedKeys, .prettyPrinted]
    return encoder.outputFormatting.isSubset(of: formatting)
  }

  // Subclasses
  try spell("subclass") {
    try SnakeDecoder().decode(SnakeUser.self, from: Data(#"{"first_name":"A"}"#.utf8))
  }
  try spell("subclass of an encoder") {
    let encoder = SnakeEncoder()
    return (text(try encoder.encode(SnakeUser(firstName: "A"))), encoder.changes > 0)
  }
  try spell("subclass with observers") {
    let decoder = FixedDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.nonConformingFloatDecodingStrategy = .throw
    decoder.allowsJSON5 = false
    decoder.assumesTopLevelDictionary = true
    return try decoder.decode(SnakeUser.self, from: Data(#""first_name":"A""#.utf8))
  }
  try spell("subclass of an encoder, with observers") {
    let encoder = FixedEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.userInfo = [:]
    return try encoder.encode(SnakeUser(firstName: "A"))
  }
  spell("public defaults") { publicDefault() }
  return results
}
