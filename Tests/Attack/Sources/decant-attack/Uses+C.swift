// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Loops of programs in C, which are in CUses.

import CUses
import Decant

private func inC(
  _ name: String, _ use: Int, _ text: Text = .short, twin: String? = nil
) -> Use {
  Use("C: " + name, text, twin: twin.map { "C: " + $0 }) { bytes, options in
    bytes.withUnsafeBytes {
      use_in_c(
        CInt(use), $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count,
        options.engine == .native ? 0 : 1)
    }
  }
}

/// A record a line whose members are the columns of CUses, in this order, each with this before it.
private func columns(_ order: some Sequence<Int>, each prefix: String = "") -> Text {
  let members = order.map { "\(prefix)\"k\($0 / 10)\($0 % 10)\":\($0)" }
  return .lines("{\(members.joined(separator: ","))}")
}

private let record = #"{"id":1234567,"name":"Ann"}"#

let usesInC: [Use] = [
  inC("get", USE_GET),
  inC("get that finds nothing", USE_GET_MISSING, twin: "get"),
  inC("a number of a string", USE_NUMBER_OF_A_STRING, twin: "get"),
  inC("an index loop", USE_ELEMENT_LOOP, twin: "get"),
  inC("an index loop, backwards", USE_ELEMENT_LOOP_BACKWARDS, twin: "get"),
  inC("an index loop, in no order", USE_ELEMENT_LOOP_SHUFFLED, twin: "get"),
  inC("pointers", USE_POINTERS),
  inC("pointers that find nothing", USE_POINTERS_MISSING, twin: "pointers"),
  inC("raw text", USE_RAW, twin: "get"),
  inC("decode_value", USE_DECODE_VALUE),
  inC("decode_value that fails", USE_DECODE_VALUE_FAILING, twin: "an error as JSON, alone"),
  inC(
    "decode_value that fails, why not asked", USE_DECODE_VALUE_FAILING_UNASKED, twin: "decode_value"
  ),
  inC("an error as JSON", USE_ERROR_JSON, twin: "an error as JSON, alone"),
  inC("an error as JSON, alone", USE_ERROR_JSON_ALONE),
  inC("decode_value that fails below a long key", USE_DECODE_VALUE_FAILING, .belowKey(record)),
  inC("an error as JSON, below a long key", USE_ERROR_JSON, .belowKey(record)),
  inC("decode_array", USE_DECODE_ARRAY),
  inC("decode_array, each one wrong", USE_DECODE_ARRAY_FAILING, twin: "decode_array"),
  inC("decode_lines", USE_DECODE_LINES, .lines(#"{"id":1234567,"name":"Ann"}"#)),
  inC(
    "decode_lines, each one wrong", USE_DECODE_LINES_FAILING,
    .lines(#"{"id":1234567,"name":"Ann"}"#),
    twin: "an error as JSON, alone"),
  inC(
    "decode_lines, each one unclosed", USE_DECODE_LINES,
    .lines(#"{"id":1234567,"name":"Ann}"#), twin: "an error as JSON, alone"),
  inC("documents one after another", USE_DECODE_DOCUMENTS, .lines(#"{"id":1234567,"name":"Ann"}"#)),
  inC("columns", USE_COLUMNS, columns(0..<40)),
  inC("columns, backwards", USE_COLUMNS, columns((0..<40).reversed()), twin: "columns"),
  inC("columns, in no order", USE_COLUMNS, columns((0..<40).map { $0 * 17 % 40 }), twin: "columns"),
  inC(
    "columns, the last one first", USE_COLUMNS, columns([39] + Array(0..<39)), twin: "columns"),
  inC(
    "columns, other members between", USE_COLUMNS, columns(0..<40, each: #""other":{"x":[]},"#),
    twin: "columns"),
  // A row has forty values whatever its line has, and a reject a text.
  inC("columns, one of forty", USE_COLUMNS, columns([39])),
  inC("columns, each line wrong", USE_COLUMNS_FAILING, columns((0..<40).reversed())),
]
