// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantC
import DecantCore
import Testing

/// Columns in Swift: what the batches of a stream have.
@Suite("JSONColumns")
struct JSONColumnsTests {
  private let schema: ColumnSchema

  init() throws {
    schema = try ColumnSchema(
      """
      {"fields":[
        {"key":"id","kind":"int64"},
        {"key":"score","kind":"double","optional":true},
        {"key":"name","kind":"string"},
        {"key":"kind","kind":"enum","names":["view","purchase"],"optional":true},
        {"key":"ok","kind":"bool"},
        {"key":"tags","kind":"array","element":"string"},
        {"key":"pair","kind":"fixed_array","element":"int32","capacity":2},
        {"key":"at","kind":"record","optional":true,"fields":[{"key":"x","kind":"uint8"}]}]}
      """)
  }

  private func line(_ id: Int, _ name: String) -> String {
    let score = id % 2 == 0 ? "null" : "\(Double(id) / 4)"
    let tags = (0..<id % 3).map { "\"a tag of more than twelve bytes \($0)\"" }
    return
      "{\"id\":\(id),\"score\":\(score),\"name\":\"\(name)\",\"ok\":\(id % 4 == 0),"
      + "\"kind\":\"purchase\",\"tags\":[\(tags.joined(separator: ","))],\"pair\":[\(id),7],"
      + "\"at\":\(id == 3 ? "null" : "{\"x\":\(id % 200)}")}"
  }

  @Test("has a value for each row, of each type, in batches")
  func values() throws {
    let lines = (0..<10).map {
      line($0, $0 % 2 == 0 ? "Ann" : "a name of more than twelve \\u00e9")
    }
    let columns = try JSONColumns(Array(lines.joined(separator: "\n").utf8), schema, batchRows: 4)
    var ids: [Int] = []
    for batch in columns {
      let first = ids.count
      #expect(batch.names == ["id", "score", "name", "kind", "ok", "tags", "pair", "at"])
      for (row, id) in batch["id", as: Int.self].enumerated() {
        #expect(id == first + row)
        #expect(batch["score", as: Double?.self][row] == (id % 2 == 0 ? nil : Double(id) / 4))
        #expect(
          batch["name", as: String.self][row]
            == (id % 2 == 0 ? "Ann" : "a name of more than twelve é"))
        #expect(batch["kind", as: String?.self][row] == "purchase")
        #expect(batch["ok", as: Bool.self][row] == (id % 4 == 0))
        #expect(
          batch["tags", as: [String].self][row]
            == (0..<id % 3).map { "a tag of more than twelve bytes \($0)" })
        #expect(batch["pair", as: [Int32].self][row] == [Int32(id), 7])
        #expect(
          batch.record("at")?["x", as: UInt8.self][row] == (id == 3 ? 0 : UInt8(id % 200)))
        ids.append(id)
      }
    }
    #expect(ids == Array(0..<10))
    #expect(columns.rejects().isEmpty)
    #expect(columns.failure == nil)
  }

  @Test("knows names and types before a value is asked for")
  func types() throws {
    let columns = try JSONColumns(Array(line(1, "Ann").utf8), schema)
    var iterator = columns.makeIterator()
    let first = iterator.next()
    let batch = try #require(first)
    #expect(batch.values("id", as: Int64.self) != nil)
    #expect(batch.values("id", as: Int32.self) == nil)
    #expect(batch.values("score", as: Double.self) == nil)
    #expect(batch.values("score", as: Double?.self) != nil)
    #expect(batch.values("tags", as: [Int].self) == nil)
    #expect(batch.values("none", as: Int.self) == nil)
    #expect(batch.record("id") == nil)
    #expect(iterator.next() == nil)
    #expect(batch["id", as: Int.self].first == 1)
  }

  @Test("says which lines failed, where and why")
  func rejects() throws {
    let text = line(1, "Ann") + "\n{\"id\":\"2\"}\n" + line(3, "Eve") + "\n{]\n"
    let columns = try JSONColumns(Array(text.utf8), schema)
    #expect(columns.map { $0.count } == [2])
    let rejects = columns.rejects()
    #expect(rejects.map(\.line) == [2, 4])
    #expect(rejects.map(\.path) == ["/id", ""])
    #expect(rejects.map(\.code) == [.typeMismatch, .unexpectedByte])
    #expect(rejects[0].message == "expected an integer, found the string \"2\"")
    #expect(rejects[0].offset == rejects[0].lineOffset.map { $0 + 6 })
    #expect(rejects.map(\.count) == [1, 1])
  }

  @Test("ends where reading fails, and keeps what was complete")
  func failingReader() throws {
    struct Broken: Error {}
    var calls = 0
    let text = Array((line(1, "Ann") + "\n" + line(2, "Bob") + "\n{\"id\":").utf8)
    let columns = try JSONColumns(schema) { buffer in
      calls += 1
      if calls > 1 { throw Broken() }
      buffer.copyBytes(from: text)
      return text.count
    }
    #expect(columns.flatMap { Array($0["id", as: Int.self]) } == [1, 2])
    #expect(columns.failure is Broken)
  }

  @Test("refuses a description that is wrong, with its place")
  func wrongSchema() {
    let error = #expect(throws: DecodeError.self) {
      try ColumnSchema(#"{"fields":[{"key":"id","kind":"integer"}]}"#)
    }
    #expect(error?.description.contains("1:31: /fields/0/kind: is not a kind of field") == true)
  }
}
