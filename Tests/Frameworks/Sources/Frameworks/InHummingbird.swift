// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Hummingbird
import HummingbirdAdapter

import DecantCodable

private struct Context: RequestContext {
  let maxUploadSize: Int
}

func testHummingbird(_ check: inout Check) async throws {
  let decoder: some RequestDecoder = DecantDecoder()
  let encoder: some ResponseEncoder = DecantEncoder()
  let request = Request(body: ByteBuffer(string: json))
  let context = Context(maxUploadSize: 100)
  check.equal(try await decoder.decode(Order.self, from: request, context: context), Order(id: 7))
  do {
    _ = try await decoder.decode(Order.self, from: request, context: Context(maxUploadSize: 3))
    check.that(false, "a body that is too large is refused")
  } catch { check.that(error is TooLarge, "\(error)") }
  let response = try encoder.encode(Order(id: 9), from: request, context: context)
  check.equal(response.status, .ok)
  check.equal(response.headers[.contentType], "application/json; charset=utf-8")
  check.equal(response.body.buffer, #"{"id":9}"#)
}
