// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Alamofire
import AlamofireAdapter
import OpenCombine
import OpenCombineAdapter

import Decant
import DecantFoundation
import Foundation

func testAlamofire(_ check: inout Check) throws {
  let decoder: any DataDecoder = DecantDecoder()
  check.equal(try decoder.decode(Order.self, from: Data(json.utf8)), Order(id: 7))
}

private func decoded<Decoder: TopLevelDecoder>(_ data: Decoder.Input, by decoder: Decoder) throws
  -> Order
{ try decoder.decode(Order.self, from: data) }
private func encoded<Encoder: TopLevelEncoder>(_ order: Order, by encoder: Encoder) throws
  -> Encoder.Output
{ try encoder.encode(order) }

func testOpenCombine(_ check: inout Check) throws {
  check.equal(try decoded(Data(json.utf8), by: DecantDecoder()), Order(id: 7))
  check.equal(try encoded(Order(id: 7), by: DecantEncoder()), Data(#"{"id":7}"#.utf8))
}

/// A decoder that overrides the one function that decodes any bytes.
private final class Counting: DecantDecoder, @unchecked Sendable {
  nonisolated(unsafe) var calls = 0

  override func decode<Model: Decodable>(
    _ type: Model.Type, from bytes: borrowing some JSONBytes & ~Escapable
  ) throws -> Model {
    calls += 1
    return try super.decode(type, from: bytes)
  }
}

func testData(_ check: inout Check) throws {
  let decode: (Order.Type, Data) throws -> Order = DecantDecoder().decode
  check.equal(try decode(Order.self, Data(json.utf8)), Order(id: 7))
  check.equal(try DecantDecoder().decode(from: Data(json.utf8)), Order(id: 7))
  let counting = Counting()
  check.equal(try counting.decode(Order.self, from: Data(json.utf8)), Order(id: 7))
  check.equal(counting.calls, 1)
}

func testUserInfo(_ check: inout Check) throws {
  let decoder = DecantDecoder()
  decoder.userInfo = [.tenant: "own", .other: "other"]
  check.equal(try decoder.decode(Order.self, from: json).tenant, "own")
  check.equal(
    try decoder.decode(Order.self, from: json, userInfo: [.tenant: "call"]).tenant, "call")
  check.equal(try decoder.decode(Order.self, from: json).tenant, "own")
  check.that(
    (try? decoder.decode(Order.self, from: "[", userInfo: [.tenant: "call"])) == nil, "not JSON")
  check.equal(try decoder.decode(Order.self, from: json, userInfo: [.other: "b"]).tenant, "own")
  // A model may keep its decoder: that has the `userInfo` of its call.
  let kept = try decoder.decode(Keeping.self, from: json, userInfo: [.tenant: "call"])
  check.equal(try decoder.decode(Order.self, from: json).tenant, "own")
  check.equal(kept.decoder.userInfo[.tenant] as? String, "call")
  let encoder = DecantEncoder()
  encoder.userInfo = [.tenant: "own"]
  var bytes: [UInt8] = []
  try encoder.encode(Order(id: 1), to: &bytes, userInfo: [.tenant: "call"])
  try encoder.encode(Order(id: 2), to: &bytes)
  check.equal(
    String(decoding: bytes, as: UTF8.self), #"{"id":1,"tenant":"call"}{"id":2,"tenant":"own"}"#)
}

private struct Keeping: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}
