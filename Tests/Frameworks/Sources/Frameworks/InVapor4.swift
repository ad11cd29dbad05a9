// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Vapor4
import Vapor4Adapter

import DecantCodable

func testVapor4(_ check: inout Check) throws {
  let decoder: some ContentDecoder = DecantDecoder()
  let encoder: some ContentEncoder = DecantEncoder()
  var body = ByteBuffer(string: "xx" + json)
  body.moveReaderIndex(forwardBy: 2)
  let headers = HTTPHeaders()
  check.equal(try decoder.decode(Order.self, from: body, headers: headers), Order(id: 7))
  check.equal(
    try decoder.decode(Order.self, from: body, headers: headers, userInfo: [.tenant: "a"]),
    Order(id: 7, tenant: "a"))
  check.equal(try decoder.decode(Order.self, from: body, headers: headers), Order(id: 7))
  var answer = ByteBuffer()
  var answerHeaders = HTTPHeaders()
  try encoder.encode(Order(id: 7), to: &answer, headers: &answerHeaders, userInfo: [.tenant: "b"])
  check.equal(answer, #"{"id":7,"tenant":"b"}"#)
  check.equal(answerHeaders.contentType, .json)
  answer = ByteBuffer()
  try encoder.encode(Order(id: 8), to: &answer, headers: &answerHeaders)
  check.equal(answer, #"{"id":8}"#)
}

extension Check {
  mutating func equal(_ body: ByteBuffer, _ text: String, line: Int = #line) {
    let bytes = body.readableBytesSpan
    let found = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    equal(found, text, line: line)
  }
}
