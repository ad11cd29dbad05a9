// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The golden texts once more, as decant_decode() writes them: with tables that say what the models say.

import CDecant
import Decant
import DecantC
import DecantTestSupport
import Foundation
import Testing

@Suite("Texts of errors, from tables in C")
struct GoldenInCTests {
  private let updates = ProcessInfo.processInfo.environment["DECANT_GOLDEN"] == "update"

  @Test("are those of the golden folder, as far as there is room", arguments: engines)
  func golden(engine: Engine) throws {
    var cases = 0
    for item in GoldenCase.all {
      guard let table = Table.of(item.model), let swift = try item.error(engine) else { continue }
      cases += 1
      let (error, json) = try item.errorInC(table, engine)
      let text = String(decoding: messageText(of: error), as: UTF8.self)
      // C has words of its own for numbers.
      let words = item.document.deletingLastPathComponent().appending(path: "\(item.name).c.txt")
      let hasWords = swift.description.contains("out of range for ")
      if updates, hasWords, engine.isNative {
        try "\(text)\n\(json)\n".write(to: words, atomically: true, encoding: .utf8)
      }
      if hasWords {
        let golden = try? String(contentsOf: words, encoding: .utf8)
        #expect(!engine.isNative || golden == "\(text)\n\(json)\n", "\(item.testDescription)")
        #expect(!text.contains(/U?Int[0-9]|Float|Double/) && text.contains("expected a number"))
      } else {
        let expected = swift.description
        // Whole errors, and how many follow.
        let whole = text.replacing(/\n… and [0-9]+ more errors?$/, with: "")
        #expect(
          expected == text || expected.hasPrefix(whole), "\(item.testDescription), \(engine.name)")
        #expect(
          expected == text || whole != text || text.utf8.count > 1_000,
          "\(item.testDescription), \(engine.name)")
      }
      #expect(error.code == swift.code.rawValue, "\(item.testDescription), \(engine.name)")
      #expect(Int(error.error_count) == swift.count, "\(item.testDescription), \(engine.name)")
      #expect(error.offset == Int64(swift.location?.offset ?? -1), "\(item.testDescription)")
      // What a table expects is always told. Of a value that is missing, a model does not know what it would be.
      let isSame =
        swift.code.category == .data
        ? json.withoutExpectation == swift.jsonText.withoutExpectation : json == swift.jsonText
      #expect(
        isSame || swift.jsonText.utf8.count > 2_000 || hasWords,
        "\(item.testDescription), \(engine.name): \(json), \(swift.jsonText)")
      let paths = json.ranges(of: "\"path\":").count
      #expect(
        swift.code == .unsupported || swift.code == .invalidPointer
          || json.ranges(of: "\"expected\":").count == paths,
        "\(item.testDescription), \(engine.name): \(json)")
    }
    #expect(cases >= 60)
  }

  @Test("those that are only counted are not worked out", .timeLimit(.minutes(1)))
  func counted() throws {
    // As many keys as are looked at for the nearest one, as long as are compared.
    let start = String(repeating: "k", count: 46)
    let keys = (10..<74).map { "\"\(start)\($0)\":1" }.joined(separator: ",")
    let count = rounds(1_000)
    let document = "[" + String(repeating: "{\(keys)},", count: count - 1) + "{\(keys)}]"
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    let table = try #require(Table.of("Long"))
    // SAFETY: the struct that would be filled has room for all that the table names.
    unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { out in
      unsafe out.initializeMemory(as: UInt8.self, repeating: 0)
      let status = unsafe decant_decode(
        table.record, document, document.utf8.count, out.baseAddress, &error)
      #expect(status == DECANT_MULTIPLE)
    }
    #expect(Int(error.error_count) == count)
    #expect(messageText(of: error).starts(with: "1:2: /0/xxxx".utf8))
  }
}

extension String {
  /// The JSON of an error without what was expected.
  fileprivate var withoutExpectation: String {
    replacing(/,"expected":"([^"\\]|\\.)*"/, with: "")
  }
}

extension GoldenCase {
  fileprivate func errorInC(_ table: Table, _ engine: Engine) throws -> (decant_error, String) {
    let bytes = Array(try Data(contentsOf: document))
    var swift = DecodingOptions.on(engine)
    for word in words { _ = swift.set(word) }
    var options = decant_options()
    options.size = MemoryLayout<decant_options>.size
    options.engine = Int32(engine.name == "jansson" ? DECANT_JANSSON : DECANT_NATIVE)
    options.duplicate_keys = Int32(swift.duplicateKeys.rawValue)
    options.maximum_depth = swift.maximumDepth
    options.maximum_bytes = swift.maximumBytes
    options.maximum_errors = swift.maximumErrors
    options.relaxations = UInt32(swift.relaxations.rawValue)
    options.redacts_input = swift.redactsInput ? 1 : 0
    options.rejects_unknown = swift.unknownMembers == .reject ? 1 : 0
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    // SAFETY: bytes, options and error are this frame's; the struct that would be filled has room for all
    // that the tables name.
    return unsafe (swift.sourceName ?? "").withCString { name in
      if swift.sourceName != nil { unsafe options.source_name = name }
      return unsafe bytes.withUnsafeBytes { bytes in
        unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { out in
          unsafe out.initializeMemory(as: UInt8.self, repeating: 0)
          let json = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
          let status = unsafe decant_decode_with(
            table.record, json, bytes.count, out.baseAddress, &options, &error)
          #expect(status != DECANT_OK, "\(testDescription)")
          return (error, jsonText(of: error))
        }
      }
    }
  }
}

/// A record of the heap; tables live as long as the program.
@safe
private struct Table: @unchecked Sendable {
  // SAFETY: never written to after it was made, and never freed.
  let record: UnsafePointer<decant_record>

  static func of(_ model: String) -> Table? { tables[model] }

  private static let tables: [String: Table] = {
    let user = Table([
      field("id", DECANT_INT64, 0), field("name", DECANT_STRING, 8),
      field("email", DECANT_STRING, 16, DECANT_OPTIONAL),
    ])
    var meal = field("", DECANT_ENUM, 0, DECANT_POINTER)
    unsafe meal.names = unsafe names(["breakfast", "lunch", "dinner"])
    return [
      "Value": Table([]),
      "Int": Table([field("", DECANT_INT64, 0, DECANT_POINTER)]),
      "Int8": Table([field("", DECANT_INT8, 0, DECANT_POINTER)]),
      "UInt64": Table([field("", DECANT_UINT64, 0, DECANT_POINTER)]),
      "Float": Table([field("", DECANT_FLOAT, 0, DECANT_POINTER)]),
      "Double": Table([field("", DECANT_DOUBLE, 0, DECANT_POINTER)]),
      "Bool": Table([field("", DECANT_BOOL, 0, DECANT_POINTER)]),
      "String": Table([field("", DECANT_STRING, 0, DECANT_POINTER)]),
      "Ints": Table([array("", DECANT_INT64, DECANT_POINTER)]),
      "User": user,
      "Users": Table([array("", DECANT_RECORD, DECANT_POINTER, user)]),
      "Team": Table([
        field("title", DECANT_STRING, 16), array("users", DECANT_RECORD, 0, user),
      ]),
      "Wide": Table((0..<20).map { field("field\($0)", DECANT_INT64, $0 * 8) }),
      "Meal": Table([meal]),
      "Long": Table([
        array(
          "", DECANT_RECORD, DECANT_POINTER,
          Table([field(String(repeating: "x", count: 48), DECANT_INT64, 0)]))
      ]),
      "Closed": Table([], DECANT_CLOSED),
      "Server": Table(
        [
          field("retries", DECANT_INT64, 16, DECANT_OPTIONAL),
          array(
            "limits", DECANT_RECORD, DECANT_OPTIONAL,
            Table([field("max", DECANT_INT64, 0, DECANT_OPTIONAL)])),
          field("/log~1s/level", DECANT_INT64, 24, DECANT_OPTIONAL | DECANT_POINTER),
        ], DECANT_CLOSED),
      "Second": Table([field("/rows/1/value", DECANT_INT64, 0, DECANT_POINTER)]),
    ]
  }()

  private init(_ fields: [decant_field], _ flags: Int = 0) {
    let copy = UnsafeMutablePointer<decant_field>.allocate(capacity: max(1, fields.count))
    unsafe copy.initialize(from: fields, count: fields.count)
    let record = UnsafeMutablePointer<decant_record>.allocate(capacity: 1)
    var table = decant_record()
    table.size = 200
    unsafe table.fields = UnsafePointer(copy)
    table.field_count = fields.count
    table.storage_offset = 192
    table.flags = UInt32(flags)
    unsafe record.initialize(to: table)
    unsafe self.record = unsafe UnsafePointer(record)
  }

  private static func field(
    _ key: String, _ kind: Int, _ offset: Int, _ flags: Int = 0
  ) -> decant_field {
    var field = decant_field()
    unsafe field.key = UnsafePointer(strdup(key))
    field.kind = UInt16(kind)
    field.offset = UInt32(offset)
    field.flags = UInt32(flags)
    return field
  }

  private static func array(
    _ key: String, _ element: Int, _ flags: Int, _ record: Table? = nil
  ) -> decant_field {
    var field = field(key, CDecant.DECANT_ARRAY, 0, flags)
    field.element = UInt16(element)
    field.length_offset = 8
    unsafe field.record = unsafe record?.record
    return field
  }

  private static func names(_ names: [String]) -> UnsafePointer<decant_name> {
    let list = UnsafeMutablePointer<decant_name>.allocate(capacity: names.count + 1)
    for (place, name) in names.enumerated() {
      unsafe list[place] = unsafe decant_name(
        name: UnsafePointer(strdup(name)), value: Int64(place))
    }
    unsafe list[names.count] = unsafe decant_name(name: nil, value: 0)
    return unsafe UnsafePointer(list)
  }
}
