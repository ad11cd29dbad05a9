// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import AWSLambdaRuntime
import LambdaAdapter

import DecantCodable

func testLambda(_ check: inout Check) throws {
  let decoder: some LambdaEventDecoder = DecantDecoder()
  let encoder = DecantOutputEncoder<Order>()
  check.equal(try decoder.decode(Order.self, from: ByteBuffer(string: json)), Order(id: 7))
  var result = ByteBuffer()
  try encoder.encode(Order(id: 7), into: &result)
  check.equal(result, #"{"id":7}"#)
}
