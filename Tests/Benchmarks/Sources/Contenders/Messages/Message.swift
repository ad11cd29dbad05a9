// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What servers read and write all day: a line of a log, a chunk of a chat, an order, a status; 120 to 3,400 bytes, with
// members that no model names. The same models three times: by hand, by declaration, and as the compiler's Codable.

import BenchmarkSupport
import Corpora
import Decant
import DecantRecords
import Foundation

/// A message, and who reads and writes it.
public struct Message {
  public let name: String
  public let bytes: Int
  /// Who takes part, in the order of the tables, in both directions.
  public let ways: [(name: String, reads: Job, writes: Job)]

  private init<
    Written: JSONDecodable & JSONWritable, Declared: JSONDecodable & JSONWritable, Coded: Codable
  >(
    _ name: String, _ number: Int, _ text: String, _ written: Written.Type,
    _ declared: Declared.Type, _ coded: Coded.Type
  ) throws {
    self.name = name
    let document = Array(text.utf8)
    let data = Data(document)
    bytes = document.count
    let (decoder, foundation) = (DecantDecoder(), JSONDecoder())
    let (encoder, foundationEncoder) = (DecantEncoder(), JSONEncoder())
    encoder.outputFormatting = .withoutEscapingSlashes
    foundationEncoder.outputFormatting = .withoutEscapingSlashes
    let byHand = try Written(decoding: document)
    let byMacro = try Declared(decoding: document)
    let codable = try decoder.decode(coded, from: document)
    let inC = try CMessage(number, document, prepares: false)
    let inPreparedC = try CMessage(number, document, prepares: true)
    // Everybody reads the same.
    let result = byHand.jsonBytes()
    let rivals = try Rivals.messages.map { try RivalMessage($0, number, document) }
    guard byMacro.jsonBytes() == result, try encoder.encode(codable) as [UInt8] == result,
      inC.text == result, inPreparedC.text == result, rivals.allSatisfy({ $0.text == result })
    else {
      throw ContenderFailure()
    }
    func job(_ body: @escaping () throws -> Void) -> Job {
      Job(
        decode: { for _ in 0..<$0 { try body() } }, hold: { $0() }, checksum: { 0 })
    }
    func keep(_ value: borrowing some ~Copyable) { withExtendedLifetime(value) {} }
    ways =
      [
        ("decant.c", job(inC.read), job(inC.write)),
        ("decant.c prepared", job(inPreparedC.read), job(inPreparedC.write)),
        (
          "decant.try", job { keep(try Written(decoding: document)) },
          job { keep(byHand.jsonBytes()) }
        ),
        (
          "decant.model", job { keep(try Declared(decoding: document)) },
          job { keep(byMacro.jsonBytes()) }
        ),
        (
          "decant.codable", job { keep(try decoder.decode(coded, from: document)) },
          job { keep(try encoder.encode(codable) as [UInt8]) }
        ),
        (
          "foundation", job { keep(try foundation.decode(coded, from: data)) },
          job { keep(try foundationEncoder.encode(codable)) }
        ),
      ] + rivals.map { ($0.name, job($0.read), job($0.write)) }
  }

  public static func all() throws -> [Message] {
    [
      try Message("log", 0, log, ByHand.Log.self, ByMacro.Log.self, ByCodable.Log.self),
      try Message("chunk", 1, chunk, ByHand.Chunk.self, ByMacro.Chunk.self, ByCodable.Chunk.self),
      try Message("order", 2, order, ByHand.Order.self, ByMacro.Order.self, ByCodable.Order.self),
      try Message(
        "status", 3, Generator.status(), ByHand.Status.self, ByMacro.Status.self,
        ByCodable.Status.self),
    ]
  }

  private static let log =
    #"{"time":"2026-11-26T08:15:30.123Z","level":"info","pid":4211,"service":"checkout"#
    + #"","msg":"payment accepted","duration_ms":42}"#

  private static let chunk =
    #"{"id":"chatcmpl-AbC123dEf456GhI789","object":"chat.completion.chunk","created":1"#
    + #"764145530,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fing"#
    + #"erprint":"fp_560af6e559","choices":[{"index":0,"delta":{"content":" weather"},"l"#
    + #"ogprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x1Zq"}"#

  private static let order =
    #"{"id":"ord_8f14e45fceea","status":"paid","created_at":"2026-11-26T08:15:30Z","cu"#
    + #"rrency":"EUR","total":129.85,"tax":20.73,"customer":{"id":48213,"name":"Ann Exam"#
    + #"ple","email":"ann@example.com","phone":"+49 30 1234567","vip":false},"shipping":"#
    + #"{"street":"Hauptstrasse 12","city":"Berlin","zip":"10117","country":"DE","method"#
    + #"":"standard"},"items":[{"sku":"A-100-XL","title":"Trail running shoe","quantity""#
    + #":1,"price":99.95,"options":{"size":"43","color":"blue"}},{"sku":"B-22","title":""#
    + #"Running socks","quantity":2,"price":9.95,"options":{"size":"L","color":"black"}}"#
    + #",{"sku":"GIFT","title":"Gift wrapping","quantity":1,"price":10.5,"options":null}"#
    + #"],"notes":"Please ring twice","tags":["web","newsletter"],"payment":{"provider":"#
    + #""stripe","reference":"pi_3MtwBwLkdIwHu7ix28a3tqPa","captured":true}}"#
}

/// A message in C (messages.c).
private final class CMessage {
  private let number: Int32
  private let prepares: Bool
  private let document: [UInt8]
  private let state: OpaquePointer

  init(_ number: Int, _ document: [UInt8], prepares: Bool) throws {
    self.number = Int32(number)
    self.prepares = prepares
    self.document = document
    guard
      let state = document.withUnsafeBufferPointer({
        message_open(Int32(number), prepares, $0.baseAddress!, $0.count)
      })
    else { throw ContenderFailure() }
    self.state = state
  }

  deinit { message_close(state) }

  func read() throws {
    let status = document.withUnsafeBufferPointer {
      message_read(number, prepares, $0.baseAddress!, $0.count)
    }
    if status != 0 { throw ContenderFailure(status: Int(status)) }
  }

  func write() throws {
    var count = 0
    if message_write(state, &count) == nil { throw ContenderFailure() }
  }

  var text: [UInt8] {
    var count = 0
    guard let text = message_write(state, &count) else { return [] }
    return Array(UnsafeBufferPointer(start: text, count: count))
  }
}

/// A message by a rival in C++.
private final class RivalMessage {
  private let functions: benchmark_messages
  private let number: Int32
  private let document: [UInt8]
  private let state: UnsafeMutableRawPointer

  init(_ functions: benchmark_messages, _ number: Int, _ document: [UInt8]) throws {
    self.functions = functions
    self.number = Int32(number)
    self.document = document
    guard let state = Self.characters(document, { functions.open(Int32(number), $0, $1) }) else {
      throw ContenderFailure()
    }
    self.state = state
  }

  deinit { functions.close(state) }

  var name: String { String(cString: functions.name) }

  func read() throws {
    let status = Self.characters(document) { functions.read(number, $0, $1) }
    if status != 0 { throw ContenderFailure(status: Int(status)) }
  }

  func write() throws {
    var count = 0
    if functions.write(state, &count) == nil { throw ContenderFailure() }
  }

  var text: [UInt8] {
    var count = 0
    guard let text = functions.write(state, &count) else { return [] }
    return UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
  }

  private static func characters<Result>(
    _ document: [UInt8], _ body: (UnsafePointer<CChar>, Int) -> Result
  ) -> Result {
    document.withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!, $0.count) }
  }
}

private enum ByHand {
  struct Log: JSONInitializable, JSONWritable {
    var time: String
    var level: String
    var message: String
    var milliseconds: Int

    init(json: JSON) throws(DecodeError) {
      time = try json.get("time")
      level = try json.get("level")
      message = try json.get("msg")
      milliseconds = try json.get("duration_ms")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("time", time)
        $0.field("level", level)
        $0.field("msg", message)
        $0.field("duration_ms", milliseconds)
      }
    }
  }

  struct Chunk: JSONInitializable, JSONWritable {
    var id: String
    var created: Int
    var model: String
    var choices: [Choice]

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      created = try json.get("created")
      model = try json.get("model")
      choices = try json.get("choices")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("created", created)
        $0.field("model", model)
        $0.field("choices", choices)
      }
    }
  }

  struct Choice: JSONInitializable, JSONWritable {
    var index: Int
    var delta: Delta
    var reason: String?

    init(json: JSON) throws(DecodeError) {
      index = try json.get("index")
      delta = try json.get("delta")
      reason = try json.getIfPresent("finish_reason")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("index", index)
        $0.field("delta", delta)
        $0.fieldIfPresent("finish_reason", reason)
      }
    }
  }

  struct Delta: JSONInitializable, JSONWritable {
    var role: String?
    var content: String?

    init(json: JSON) throws(DecodeError) {
      role = try json.getIfPresent("role")
      content = try json.getIfPresent("content")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.fieldIfPresent("role", role)
        $0.fieldIfPresent("content", content)
      }
    }
  }

  struct Order: JSONInitializable, JSONWritable {
    var id: String
    var status: String
    var createdAt: String
    var total: Double
    var customer: Customer
    var items: [Item]
    var notes: String?

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      status = try json.get("status")
      createdAt = try json.get("created_at")
      total = try json.get("total")
      customer = try json.get("customer")
      items = try json.get("items")
      notes = try json.getIfPresent("notes")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("status", status)
        $0.field("created_at", createdAt)
        $0.field("total", total)
        $0.field("customer", customer)
        $0.field("items", items)
        $0.fieldIfPresent("notes", notes)
      }
    }
  }

  struct Customer: JSONInitializable, JSONWritable {
    var id: Int
    var name: String
    var email: String

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      name = try json.get("name")
      email = try json.get("email")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("name", name)
        $0.field("email", email)
      }
    }
  }

  struct Item: JSONInitializable, JSONWritable {
    var sku: String
    var quantity: Int
    var price: Double

    init(json: JSON) throws(DecodeError) {
      sku = try json.get("sku")
      quantity = try json.get("quantity")
      price = try json.get("price")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("sku", sku)
        $0.field("quantity", quantity)
        $0.field("price", price)
      }
    }
  }

  struct Status: JSONInitializable, JSONWritable {
    var createdAt: String
    var id: Int
    var text: String
    var retweets: Int
    var favorited: Bool
    var reply: Int?
    var user: Author

    init(json: JSON) throws(DecodeError) {
      createdAt = try json.get("created_at")
      id = try json.get("id")
      text = try json.get("text")
      retweets = try json.get("retweet_count")
      favorited = try json.get("favorited")
      reply = try json.getIfPresent("in_reply_to_status_id")
      user = try json.get("user")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("created_at", createdAt)
        $0.field("id", id)
        $0.field("text", text)
        $0.field("retweet_count", retweets)
        $0.field("favorited", favorited)
        $0.fieldIfPresent("in_reply_to_status_id", reply)
        $0.field("user", user)
      }
    }
  }

  struct Author: JSONInitializable, JSONWritable {
    var id: Int
    var name: String
    var screenName: String
    var description: String?
    var followers: Int
    var verified: Bool

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      name = try json.get("name")
      screenName = try json.get("screen_name")
      description = try json.getIfPresent("description")
      followers = try json.get("followers_count")
      verified = try json.get("verified")
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("name", name)
        $0.field("screen_name", screenName)
        $0.fieldIfPresent("description", description)
        $0.field("followers_count", followers)
        $0.field("verified", verified)
      }
    }
  }
}

private enum ByMacro {
  @JSONModel
  struct Log {
    var time: String
    var level: String
    @JSONField("msg") var message: String
    @JSONField("duration_ms") var milliseconds: Int
  }

  @JSONModel
  struct Chunk {
    var id: String
    var created: Int
    var model: String
    var choices: [Choice]
  }

  @JSONModel
  struct Choice {
    var index: Int
    var delta: Delta
    @JSONField("finish_reason") var reason: String?
  }

  @JSONModel
  struct Delta {
    var role: String?
    var content: String?
  }

  @JSONModel
  struct Order {
    var id: String
    var status: String
    @JSONField("created_at") var createdAt: String
    var total: Double
    var customer: Customer
    var items: [Item]
    var notes: String?
  }

  @JSONModel
  struct Customer {
    var id: Int
    var name: String
    var email: String
  }

  @JSONModel
  struct Item {
    var sku: String
    var quantity: Int
    var price: Double
  }

  @JSONModel
  struct Status {
    @JSONField("created_at") var createdAt: String
    var id: Int
    var text: String
    @JSONField("retweet_count") var retweets: Int
    var favorited: Bool
    @JSONField("in_reply_to_status_id") var reply: Int?
    var user: Author
  }

  @JSONModel
  struct Author {
    var id: Int
    var name: String
    @JSONField("screen_name") var screenName: String
    var description: String?
    @JSONField("followers_count") var followers: Int
    var verified: Bool
  }
}

private enum ByCodable {
  struct Log: Codable {
    var time: String
    var level: String
    var message: String
    var milliseconds: Int

    enum CodingKeys: String, CodingKey {
      case time
      case level
      case message = "msg"
      case milliseconds = "duration_ms"
    }
  }

  struct Chunk: Codable {
    var id: String
    var created: Int
    var model: String
    var choices: [Choice]
  }

  struct Choice: Codable {
    var index: Int
    var delta: Delta
    var reason: String?

    enum CodingKeys: String, CodingKey {
      case index
      case delta
      case reason = "finish_reason"
    }
  }

  struct Delta: Codable {
    var role: String?
    var content: String?
  }

  struct Order: Codable {
    var id: String
    var status: String
    var createdAt: String
    var total: Double
    var customer: Customer
    var items: [Item]
    var notes: String?

    enum CodingKeys: String, CodingKey {
      case id
      case status
      case createdAt = "created_at"
      case total
      case customer
      case items
      case notes
    }
  }

  struct Customer: Codable {
    var id: Int
    var name: String
    var email: String
  }

  struct Item: Codable {
    var sku: String
    var quantity: Int
    var price: Double
  }

  struct Status: Codable {
    var createdAt: String
    var id: Int
    var text: String
    var retweets: Int
    var favorited: Bool
    var reply: Int?
    var user: Author

    enum CodingKeys: String, CodingKey {
      case createdAt = "created_at"
      case id
      case text
      case retweets = "retweet_count"
      case favorited
      case reply = "in_reply_to_status_id"
      case user
    }
  }

  struct Author: Codable {
    var id: Int
    var name: String
    var screenName: String
    var description: String?
    var followers: Int
    var verified: Bool

    enum CodingKeys: String, CodingKey {
      case id
      case name
      case screenName = "screen_name"
      case description
      case followers = "followers_count"
      case verified
    }
  }
}
