// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantC
import DecantFoundation
import Foundation

/// Something of every kind that a member can be.
struct Everything: CModel {
  var isNew = false
  var small: Int8 = 0
  var large: UInt64 = 0
  var ratio: Float = 0
  var age: Int? = nil
  var isKnown: Bool? = nil
  var state = State.open
  var next: State? = nil
  var sides: Set<Side> = []
  var title = ""
  var note: String? = nil
  var tags: [String] = []
  var numbers: [Int32] = []
  var part = Part(x: 0, y: 0)
  var extra: Part? = nil
  var parts: [Part] = []
  var children: [Everything] = []

  static func layout(_ c: inout CLayout<Everything>) {
    c.structure(
      "everything", "A member of every kind.", array: "everythings", lines: true, encodes: true)
    c.field("is_new", \.isNew)
    c.field("small", \.small, "a comment that ends */ a comment")
    c.field("large", \.large)
    c.field("ratio", \.ratio)
    c.field("age", \.age, "in years")
    c.field("is_known", \.isKnown, companion: "knows")
    c.field("state", \.state)
    c.field("next", \.next, "what comes then")
    c.field("sides", \.sides, "where it is open")
    c.field("title", \.title, companion: "title_bytes")
    c.field("note", \.note)
    c.field("tags", \.tags)
    c.field("numbers", \.numbers)
    c.field("part", \.part)
    c.field(
      "extra", \.extra, Array(repeating: "Very much to say.", count: 7).joined(separator: " "))
    c.field("parts", \.parts)
    c.field("children", \.children)
  }
}

/// A member of every kind.
@CStruct("everything", array: "everythings") @JSONModel(keys: .snakeCase)
struct Declared {
  let isNew: Bool
  /// a comment that ends */ a comment
  let small: Int8
  /// not about the next one, either
  // MARK: Numbers

  let large: UInt64  // not about the next one
  var ratio: Float = 0
  /// in years
  ///
  /// - Note: this is not for the header.
  let age: Int?
  @CField(companion: "knows") var isKnown: Bool?
  var state = State.open
  /** what
   *  comes then */
  let next: State?
  /// where it is open
  @JSONField("walls") let sides: Set<Side>
  @CField("title", companion: "title_bytes") let heading: String
  let note: String?
  var tags = [String]()
  let numbers: [Int32]
  let part: Part
  /// Very much to say. Very much to say. Very much to say. Very much to say. Very much to say.
  /// Very much to say. Very much to say.
  let extra: Part?
  let parts: [Part]
  let children: [Declared]
  @JSONIgnored var cache: [String: Int] = [:]
  @CIgnored let others: [String: Int]
  static let shared = 1
  var computed: Int { 1 }
}

/// Members that are something else in C than in Swift.
@CStruct("words", lines: false) @JSONModel(keys: .snakeCase)
struct Words {
  let id: UUID
  let others: [JSONTimestamp]
  /// when the parcel left
  let sentAt: Date
  let seenAt: Date?
  @JSONField(using: .epochSeconds) let since: Date
  /// when
  @JSONField(using: .epochMilliseconds) let until: Date?
  let key: Data
  let note: Data?
  let anything: JSONValue
  let maybe: JSONValue?
  /// of the path
  let points: LossyArray<Part>
  @JSONField(using: .integral) let count: Int
  @JSONRest var rest: [String: JSONValue]
}

/// What a queue hands out.
@CStruct("message") @JSONModel(tag: "type") enum Message {
  case order(Order), payment(Payment)
  @JSONField("ping", "pong") case keepAlive
}

@CStruct("order", isPart: true) @JSONModel struct Order {
  let id: Int
  let note: String?
}

@CStruct("payment", isPart: true) @JSONModel struct Payment {
  let amount: UInt8
}

@JSONModel enum State: String, CEnum {
  case open, closed
  case openLate = "open-late"

  static var cName: String { "state" }
}

@JSONModel enum Side: CFlag {
  case north, southEast

  static var cName: String { "side" }
  static var cPrefix: String { "compass" }
}

@JSONModel @CStruct("part", isPart: true) struct Part {
  let x: UInt8
  let y: UInt32
}
