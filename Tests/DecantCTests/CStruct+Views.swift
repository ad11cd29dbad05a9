// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Members of @CStruct that are something else in C than in Swift: times, UUIDs, bytes, raw values, arrays of which
// something is left out, and the members that no field names.

import CDecant
import Decant
import DecantC
import DecantFoundation
import Foundation
import Testing

@CStruct("parcel") @JSONModel(keys: .snakeCase) struct Parcel {
  let id: UUID
  let sentAt: Date
  let seenAt: Date?
  @JSONField(using: .epochSeconds) let since: Date
  @JSONField(using: .epochMilliseconds) let until: Date?
  let stamp: JSONTimestamp
  let key: Data
  let note: Data?
  let anything: JSONValue
  let maybe: JSONValue?
  let points: LossyArray<Corner>
  @JSONField(using: .integral) let count: Int
  var due: Date = Date(timeIntervalSince1970: 1.5)
  @JSONRest var others: [String: JSONValue]
}

@CStruct("notice") @JSONModel(tag: "type") enum Notice: Equatable {
  case corner(Corner), link(Link)
  @JSONField("ping", "pong") case keepAlive
}

@CStruct("link", isPart: true) @JSONModel struct Link: Equatable {
  let name: String
  let next: [Link]
}

@Suite("Views of @CStruct")
struct CStructViewTests {
  private static let json =
    #"{"id":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6","sent_at":"2026-11-27T01:02:03.5+01:00","since":12.25,"#
    + #""stamp":"1969-12-31T23:59:59.999999999Z","key":"AAH/","anything":[1,null,"x"],"maybe":null,"#
    + #""points":[{"x":1,"why":2},7,{"x":3,"why":4}],"count":1.5e1,"more":{"a":[true]},"last":"z"}"#

  private static let full =
    #"{"id":"00000000-0000-0000-0000-0000000000FF","sent_at":"0000-01-01T00:00:00Z","#
    + #""seen_at":"9999-12-31T23:59:59Z","since":-1,"until":1709209800500,"#
    + #""stamp":"2024-02-29T23:59:59Z","key":"","note":"","anything":"","maybe":{"b":1e2},"#
    + #""points":[],"count":-3,"due":"1970-01-01T00:00:00.25Z"}"#

  private func withDecoded(_ json: String, _ body: (UnsafeMutableRawBufferPointer) throws -> Void)
    throws
  {
    var value = [UInt64](repeating: 0x55, count: 60)
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    let text = json.utf8.map { CChar(bitPattern: $0) }
    try value.withUnsafeMutableBytes { value in
      #expect(Parcel.description.extent.size <= value.count)
      let status = decode_Parcel(text, text.count, value.baseAddress, &error)
      try #require(status == 0, "\(messageText(of: error))")
      defer { Parcel_free(value.baseAddress) }
      try body(value)
    }
  }

  private func offset(_ name: String) throws -> Int {
    try #require(Parcel.description.members.first { $0.name == name }).offset
  }

  @Test("are in the struct what the header says")
  func structs() throws {
    try withDecoded(Self.json) { value in
      func number<Number: BitwiseCopyable>(_ name: String, _ type: Number.Type) throws -> Number {
        value.loadUnaligned(fromByteOffset: try offset(name), as: type)
      }
      func text(_ name: String) throws -> String {
        let start = try #require(try number(name, UnsafePointer<CChar>?.self))
        let length = value.loadUnaligned(fromByteOffset: try offset(name) + 8, as: Int.self)
        #expect(start[length] == 0)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
      }
      let id = try offset("id")
      #expect(value[id] == 0xF8 && value[id + 15] == 0xF6)
      #expect(try number("sent_at", Int64.self) == 1_795_737_723_500_000)
      #expect(try number("has_seen_at", Bool.self) == false)
      #expect(try number("since", Double.self) == 12.25)
      #expect(try number("has_until", Bool.self) == false)
      #expect(try number("stamp", Int64.self) == -1)
      #expect(try number("due", Int64.self) == 1_500_000)
      #expect(try number("count", Int64.self) == 15)
      #expect(try text("anything") == #"[1,null,"x"]"#)
      #expect(try number("maybe", Int.self) == 0)
      #expect(try number("note", Int.self) == 0)
      #expect(try number("points_length", Int.self) == 2)
      #expect(try number("points_left_out", UInt32.self) == 1)
      #expect(
        try JSONValue(parsing: text("others"))
          == JSONValue(parsing: #"{"more":{"a":[true]},"last":"z"}"#))
      let key = try #require(try number("key", UnsafePointer<UInt8>?.self))
      #expect(key[0] == 0 && key[1] == 1 && key[2] == 0xFF)
      #expect(value.loadUnaligned(fromByteOffset: try offset("key") + 8, as: Int.self) == 3)
    }
  }

  @Test("are written by the table as the model reads them, and read by the table as the model does")
  func roundTrips() throws {
    for json in [Self.json, Self.full] {
      try withDecoded(json) { value in
        var error = decant_error()
        error.size = MemoryLayout<decant_error>.size
        var length = 0
        var buffer = [CChar](repeating: 0, count: 2_000)
        let status = encode_Parcel(value.baseAddress, &buffer, buffer.count, &length, &error)
        try #require(status == 0, "\(messageText(of: error))")
        let text = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let (one, other) = (try Parcel(decoding: json), try Parcel(decoding: text))
        #expect(one.id == other.id && one.seenAt == other.seenAt && one.since == other.since)
        #expect(one.sentAt == other.sentAt && one.until == other.until && one.due == other.due)
        #expect(one.key == other.key && one.note == other.note && one.count == other.count)
        #expect(one.anything == other.anything && one.others == other.others)
        #expect(one.points.elements == other.points.elements && other.points.skippedCount == 0)
        #expect(one.maybe == other.maybe)
        // The table fills the struct of the document that it wrote, as the model fills it.
        let record = try #require(Parcel.cTable.record)
        #expect(decant_record_check(record, &error) == 0)
        var second = [UInt64](repeating: 0xAA, count: 60)
        try second.withUnsafeMutableBytes { second in
          let status = decant_decode(record, buffer, length, second.baseAddress, &error)
          try #require(status == 0, "\(messageText(of: error))")
          defer { decant_free(record, second.baseAddress) }
          var again = [CChar](repeating: 0, count: 2_000)
          var end = 0
          #expect(decant_encode(record, second.baseAddress, &again, again.count, &end, &error) == 0)
          #expect(again[..<end] == buffer[..<length])
        }
      }
    }
  }

  @Test("an enum that a tag tells is a tag and a union")
  func unions() throws {
    let record = try #require(Notice.cTable.record)
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    #expect(decant_record_check(record, &error) == 0, "\(messageText(of: error))")
    #expect(Notice.description.members.map(\.name) == ["type", "of", "storage"])
    #expect(Notice.description.members.map(\.offset) == [0, 8, 40])
    let rows: [(json: String, tag: Int32, written: String?)] = [
      (#"{"type":"corner","x":1.5,"why":2}"#, 0, nil),
      (
        #"{"name":"a","next":[{"name":"b","next":[]}],"type":"link"}"#, 1,
        #"{"type":"link","name":"a","next":[{"name":"b","next":[]}]}"#
      ),
      (#"{"type":"pong"}"#, 2, #"{"type":"ping"}"#),
    ]
    for row in rows {
      let json = row.json.utf8.map { CChar(bitPattern: $0) }
      var value = [UInt64](repeating: 0x55, count: 6)
      try value.withUnsafeMutableBytes { value in
        let status = decode_Notice(json, json.count, value.baseAddress, &error)
        try #require(status == 0, "\(messageText(of: error))")
        defer { Notice_free(value.baseAddress) }
        #expect(value.load(as: Int32.self) == row.tag)
        var text = [CChar](repeating: 0, count: 200)
        var length = 0
        #expect(encode_Notice(value.baseAddress, &text, 200, &length, &error) == 0)
        let written = String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(written == row.written ?? row.json)
        #expect(try Notice(decoding: written) == Notice(decoding: row.json))
        var second = [UInt64](repeating: 0xAA, count: 6)
        try second.withUnsafeMutableBytes { second in
          let status = decant_decode(record, json, json.count, second.baseAddress, &error)
          try #require(status == 0, "\(messageText(of: error))")
          defer { decant_free(record, second.baseAddress) }
          #expect(second.load(as: Int32.self) == row.tag)
        }
      }
    }
    let wrong = #"{"type":"other"}"#.utf8.map { CChar(bitPattern: $0) }
    var value = [UInt64](repeating: 0, count: 6)
    #expect(decode_Notice(wrong, wrong.count, &value, &error) == Int32(DECANT_INVALID_VALUE))
  }

  @Test("the nearest microsecond, as far as 64 bits go")
  func microseconds() {
    func stored(_ time: CTime) -> Int64 { unsafeBitCast(time, to: Int64.self) }
    #expect(stored(CTime(1.0000005)) == 1_000_001 || stored(CTime(1.0000005)) == 1_000_000)
    #expect(stored(CTime(-0.25)) == -250_000)
    #expect(stored(CTime(1e300)) == .max && stored(CTime(-1e300)) == .min)
    #expect(stored(CTime(.nan)) == 0)
  }
}
