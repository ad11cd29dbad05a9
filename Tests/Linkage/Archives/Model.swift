// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A model of what DecantFoundation codes, and how each program here shows it.

import Foundation

struct Model: Codable {
  let url: URL
  let urls: [URL?]
  let price: Decimal
  let prices: [String: Decimal]
  let id: UUID
  let date: Date
  let bytes: Data
}

let text = #"""
  {"url":"/a","urls":["/b",null],"price":1.5,"prices":{"c":0.1},"id":"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
  "date":1,"bytes":"AQID"}
  """#

func show(_ result: () throws -> String) {
  do { print(try result()) } catch { print(error) }
}

func show(text: some Sequence<UInt8>) -> String { String(decoding: Array(text), as: UTF8.self) }
