// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Nicolas Seriot's JSONTestSuite ("Parsing JSON is a Minefield", 2016) through every engine. The files are
// not in this repository: DECANT_CONFORMANCE_DIR names the folder that has JSONTestSuite/test_parsing.
//
//   y_*   95 files   must be accepted
//   n_*  188 files   must be rejected
//   i_*   35 files   free: the table below says what we do

import Decant
import DecantJansson
import DecantTestSupport
import Foundation
import Testing

struct ConformanceFiles {
  let folder: URL

  /// nil without the environment variable.
  static let found: ConformanceFiles? = ProcessInfo.processInfo.environment[
    "DECANT_CONFORMANCE_DIR"
  ]
  .map { ConformanceFiles(folder: URL(filePath: $0).appending(path: "JSONTestSuite/test_parsing")) }

  /// The files with a prefix, by name.
  func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix(prefix) && $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
  }
}

@Suite("JSONTestSuite")
struct JSONTestSuiteTests {
  /// The files; without them, a line that says what was skipped.
  func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])]? {
    guard let found = ConformanceFiles.found else {
      print("skipped: JSONTestSuite \(prefix)*, as DECANT_CONFORMANCE_DIR is not set")
      return nil
    }
    return try found.files(prefix)
  }

  private func isAccepted(_ bytes: [UInt8], _ options: DecodingOptions) -> Bool {
    JSONValue.parse(bytes, options: options).error == nil
  }

  /// The y_ files that are refused and the n_ files that are accepted.
  private func wrong(_ options: DecodingOptions) throws -> [String]? {
    guard let good = try files("y_"), let bad = try files("n_") else { return nil }
    #expect(good.count == 95)
    #expect(bad.count == 188)
    return good.filter { !isAccepted($0.bytes, options) }.map(\.name)
      + bad.filter { isAccepted($0.bytes, options) }.map(\.name)
  }

  private func report(_ engine: String, _ wrong: [String]) {
    let names = wrong.isEmpty ? "" : ": not \(wrong.joined(separator: ", "))"
    print("JSONTestSuite, \(engine): \(283 - wrong.count)/283\(names)")
  }

  @Test("native: 283 of 283, under every rule for duplicates that takes them")
  func native() throws {
    for rule in [DecodingOptions.DuplicateKeys.first, .last] {
      guard let wrong = try wrong(DecodingOptions(duplicateKeys: rule)) else { return }
      #expect(wrong == [])
      report("native, .\(rule)", wrong)
    }
    let duplicates = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]
    #expect(try wrong(DecodingOptions(duplicateKeys: .reject)) == duplicates)
  }

  @Test("libjansson: 282 of 283 under .last, all but the NUL in a key")
  func janssonLast() throws {
    let options = DecodingOptions(engine: .jansson, duplicateKeys: .last)
    guard let wrong = try wrong(options) else { return }
    #expect(wrong == ["y_object_escaped_null_in_key.json"])
    report("jansson, .last", wrong)
  }

  @Test("libjansson: 280 of 283 by default, which refuses duplicate keys")
  func janssonDefault() throws {
    guard let wrong = try wrong(.on(.jansson)) else { return }
    #expect(
      wrong == [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
        "y_object_escaped_null_in_key.json",
      ])
    report("jansson, default", wrong)
  }

  /// A free file: the code that it is refused with, by both engines; nil if it is accepted.
  private static let free: [(name: String, native: DecodeError.Code?, jansson: DecodeError.Code?)] =
    [
      ("i_number_double_huge_neg_exp", nil, nil),
      ("i_number_huge_exp", nil, .numberOverflow),
      ("i_number_neg_int_huge_exp", nil, .numberOverflow),
      ("i_number_pos_double_huge_exp", nil, .numberOverflow),
      ("i_number_real_neg_overflow", nil, .numberOverflow),
      ("i_number_real_pos_overflow", nil, .numberOverflow),
      ("i_number_real_underflow", nil, nil),
      ("i_number_too_big_neg_int", nil, .numberOverflow),
      ("i_number_too_big_pos_int", nil, .numberOverflow),
      ("i_number_very_big_negative_int", nil, .numberOverflow),
      ("i_object_key_lone_2nd_surrogate", .loneSurrogate, .unexpectedByte),
      ("i_string_1st_surrogate_but_2nd_missing", .loneSurrogate, .unexpectedByte),
      ("i_string_1st_valid_surrogate_2nd_invalid", .loneSurrogate, .unexpectedByte),
      ("i_string_UTF-16LE_with_BOM", .byteOrderMark, .byteOrderMark),
      ("i_string_UTF-8_invalid_sequence", .invalidUTF8, .invalidUTF8),
      ("i_string_UTF8_surrogate_U+D800", .invalidUTF8, .invalidUTF8),
      ("i_string_incomplete_surrogate_and_escape_valid", .loneSurrogate, .unexpectedByte),
      ("i_string_incomplete_surrogate_pair", .loneSurrogate, .unexpectedByte),
      ("i_string_incomplete_surrogates_escape_valid", .loneSurrogate, .unexpectedByte),
      ("i_string_invalid_lonely_surrogate", .loneSurrogate, .unexpectedByte),
      ("i_string_invalid_surrogate", .loneSurrogate, .unexpectedByte),
      ("i_string_invalid_utf-8", .invalidUTF8, .invalidUTF8),
      ("i_string_inverted_surrogates_U+1D11E", .loneSurrogate, .unexpectedByte),
      ("i_string_iso_latin_1", .invalidUTF8, .invalidUTF8),
      ("i_string_lone_second_surrogate", .loneSurrogate, .unexpectedByte),
      ("i_string_lone_utf8_continuation_byte", .invalidUTF8, .invalidUTF8),
      ("i_string_not_in_unicode_range", .invalidUTF8, .invalidUTF8),
      ("i_string_overlong_sequence_2_bytes", .invalidUTF8, .invalidUTF8),
      ("i_string_overlong_sequence_6_bytes", .invalidUTF8, .invalidUTF8),
      ("i_string_overlong_sequence_6_bytes_null", .invalidUTF8, .invalidUTF8),
      ("i_string_truncated-utf-8", .invalidUTF8, .invalidUTF8),
      ("i_string_utf16BE_no_BOM", .unexpectedByte, .unexpectedByte),
      ("i_string_utf16LE_no_BOM", .unexpectedByte, .unexpectedByte),
      ("i_structure_500_nested_arrays", nil, nil),
      ("i_structure_UTF-8_BOM_empty_object", .byteOrderMark, .byteOrderMark),
    ]

  @Test("the free files, as documented", arguments: engines)
  func freeFiles(engine: Engine) throws {
    guard let files = try files("i_") else { return }
    #expect(files.map(\.name) == Self.free.map { $0.name + ".json" })
    var asDocumented = 0
    for (file, row) in zip(files, Self.free) {
      let code = JSONValue.parse(file.bytes, options: .on(engine)).error?.code
      let expected = engine == .native ? row.native : row.jansson
      #expect(code == expected, "\(row.name): \(code?.rawValue ?? 0)")
      if code == expected { asDocumented += 1 }
    }
    print("JSONTestSuite, \(engine.name): \(asDocumented)/35 as documented")
  }

  @Test("underflow is zero, and big integers keep their text")
  func freeValues() throws {
    #expect(try [Double](decoding: "[123.456e-789]") == [0])
    #expect(try [Double](decoding: "[-1e-400]").map(\.sign) == [.minus])
    let big = "[-237462374673276894279832749832423479823246327846]"
    #expect(try JSONValue(parsing: big).text() == big)
    #expect(try JSONValue(parsing: big)[0].numberText == String(big.dropFirst().dropLast()))
    #expect(try [Double](decoding: big) == [-2.374623746732769e47])
  }
}
