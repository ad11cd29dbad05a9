// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What was parsed and written is parsed again to an equal value, in every style, and written the same.

import DecantCodable
import DecantCore

func fuzzRoundTrip(_ bytes: UnsafeRawBufferPointer) {
  let options = DecodingOptions(
    duplicateKeys: (bytes.first ?? 0) & 1 == 0 ? .first : .last)
  guard let value = JSONValue.parse(bytes, options: options).value else { return }
  let styles: [(name: String, write: (JSONValue) -> [UInt8])] = [
    ("as it came", { $0.bytes() }), ("compact", { $0.jsonBytes() }),
    ("pretty", { $0.jsonBytes(JSONWritingOptions(isPretty: true)) }),
  ]
  for (style, write) in styles {
    let written = write(value)
    guard let again = JSONValue.parse(written, options: options).value else {
      fatalError("\(style): cannot be parsed: \(String(decoding: written, as: UTF8.self))")
    }
    require(again == value && value == again, "\(style): not equal")
    require(again.hashValue == value.hashValue, "\(style): hashes differ")
    require(write(again) == written, "\(style): written differently")
    require(again.jsonBytes() == value.jsonBytes(), "\(style): compact differs")
  }
  forEachValue(in: value) { part in
    require(
      JSONValue.parse(part.bytes(), options: options).value == part, "a part as it came")
  }
}
