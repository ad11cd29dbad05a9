// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import CDecant
import DecantC
import Testing

@Suite("Text through C")
struct TextInCTests {
  @Test("a string has the length of what it spells")
  func lengths() throws {
    let rows: [(json: String, text: String)] = [
      (#""""#, ""), (#""plain""#, "plain"), (#""\u0041\n\\""#, "A\n\\"), (#""\u00e9""#, "é"),
      (#""é\t""#, "é\t"), (#""\u3042あ\/""#, "ああ/"), (#""\ud83d\ude00😀\b""#, "😀😀\u{8}"),
      (#""\u0000""#, "\0"),
    ]
    for (json, text) in rows {
      let bytes = json.utf8.map { CChar(bitPattern: $0) }
      var document: OpaquePointer?
      // SAFETY: the bytes outlive the document, which outlives its string.
      let spelled = unsafe bytes.withUnsafeBufferPointer { bytes -> String? in
        guard
          unsafe decant_parse(bytes.baseAddress, bytes.count, nil, &document, nil) == DECANT_OK
        else { return nil }
        defer { unsafe decant_document_free(document) }
        var length = -1
        guard let start = unsafe decant_get_string(decant_root(document), &length) else {
          return nil
        }
        let text = unsafe UnsafeBufferPointer(start: start, count: length)
        return unsafe String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      #expect(spelled == text, "\(json)")
    }
  }

  @Test("a table's key that is not UTF-8 is told with replacement characters")
  func notUTF8() {
    let rows: [(key: [UInt8], path: String)] = [
      ([0xFF, 0x61], "/\u{FFFD}a"), ([0x61, 0xC3], "/a\u{FFFD}"), ([0xC3, 0x28], "/\u{FFFD}("),
      ([0xE0, 0x80, 0x80], "/\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xC3, 0xA9, 0x80], "/é\u{FFFD}"),
      ([0xED, 0xA0, 0x80], "/\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF0, 0x9F, 0x98, 0x80, 0xF8], "/😀\u{FFFD}"),
    ]
    for (key, path) in rows {
      var error = decant_error()
      error.size = MemoryLayout<decant_error>.size
      let name = (key + [0]).map { CChar(bitPattern: $0) }
      // SAFETY: all of it is this frame's, and used during the call only.
      let status = unsafe name.withUnsafeBufferPointer { name in
        var field = decant_field()
        unsafe field.key = name.baseAddress
        field.kind = UInt16(DECANT_INT64)
        return unsafe withUnsafePointer(to: field) { field in
          var record = decant_record()
          record.size = 8
          unsafe record.fields = field
          record.field_count = 1
          var out: Int64 = 0
          return unsafe decant_decode(&record, "{}", 2, &out, &error)
        }
      }
      #expect(status == DECANT_INVALID_RECORD)
      #expect(messageText(of: error) == "\(path): the record's key is not UTF-8")
    }
  }
}
