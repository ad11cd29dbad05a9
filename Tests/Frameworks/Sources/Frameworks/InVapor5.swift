// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Vapor5
import Vapor5Adapter

import DecantCodable
import Foundation

func testVapor5(_ check: inout Check) throws {
  let decoder: some ContentDecoder = DecantDecoder()
  let encoder: some ContentEncoder = DecantEncoder()
  let order = try decoder.decode(
    Order.self, from: Data(json.utf8), headers: [:], userInfo: [.tenant: "a"])
  check.equal(order, Order(id: 7, tenant: "a"))
  var body = Data()
  var headers = HTTPFields()
  try encoder.encode(Order(id: 7), to: &body, headers: &headers, userInfo: [:])
  check.equal(String(decoding: body, as: UTF8.self), #"{"id":7}"#)
  check.equal(headers[.contentType], "application/json; charset=utf-8")
}
