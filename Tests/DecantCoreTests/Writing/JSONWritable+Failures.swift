// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What JSON cannot express, by every call that says so: an error with its path, and nothing partial.

import Decant
import DecantTestSupport
import Testing

/// Writes by a function.
private struct Model: JSONWritable, Sendable {
  let body: @Sendable (inout JSONOutput) -> Void
  init(_ body: @escaping @Sendable (inout JSONOutput) -> Void) { self.body = body }
  func write(to json: inout JSONOutput) { body(&json) }
}

private final class Link: JSONWritable {
  var next: [Link] = []
  func write(to json: inout JSONOutput) { json.object { $0.field("next", next) } }
}

/// Arrays in one another, so many.
private struct Deep: JSONWritable {
  let levels: Int
  func write(to json: inout JSONOutput) {
    json.array { if levels > 1 { $0.element(Deep(levels: levels - 1)) } }
  }
}

@Suite("JSONWritable: what cannot be written")
struct WritableFailures {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let options: JSONWritingOptions
    fileprivate let model: Model
    var testDescription: String { text }

    fileprivate init(
      _ text: String, _ options: JSONWritingOptions = JSONWritingOptions(),
      _ body: @escaping @Sendable (inout JSONOutput) -> Void
    ) {
      self.text = text
      self.options = options
      model = Model(body)
    }
  }

  static let rows: [Row] = [
    Row("JSON has no infinity and no NaN") { $0.number(Double.nan) },
    Row("/a/b~1c/2: JSON has no infinity and no NaN") {
      $0.object {
        $0.field("x", 1)
        $0.object("a") { $0.field("b/c", [1, 2, -Double.infinity, .nan]) }
        $0.field("y", Double.nan)
      }
    },
    Row("/1/f: JSON has no infinity and no NaN") {
      $0.array {
        $0.element("long" + String(repeating: "-", count: 3000))
        $0.object { $0.field("f", Float.infinity) }
      }
    },
    Row("/0/0/0: too many nested arrays and objects", JSONWritingOptions(maximumDepth: 3)) {
      Deep(levels: 4).write(to: &$0)
    },
    Row("/k/0: the value has no text") {
      $0.object { $0.field("k", [JSONTimestamp(seconds: .max)]) }
    },
    Row("/o/k: duplicate key", JSONWritingOptions(sortsKeys: true)) { twice(&$0) },
    Row("/o/k: duplicate key", JSONWritingOptions(rejectsDuplicateKeys: true)) { twice(&$0) },
    Row(
      "/o/k: duplicate key",
      JSONWritingOptions(isPretty: true, escapesSlashes: true, rejectsDuplicateKeys: true)
    ) { twice(&$0) },
  ]

  @Sendable private static func twice(_ json: inout JSONOutput) {
    json.object {
      $0.field("k", 1)
      $0.object("o") {
        $0.field("k", 1)
        $0.field(JSONKey("k" as String), "2")
      }
    }
  }

  @Test("an error with its path, and nothing is appended", arguments: rows)
  func nothingPartial(_ row: Row) throws {
    let error = #expect(throws: JSONWritingError.self) {
      try row.model.checkedJSONBytes(row.options)
    }
    #expect(error?.description == row.text)
    var buffer: ContiguousArray<UInt8> = [1, 2]
    let other = #expect(throws: JSONWritingError.self) {
      try row.model.appendJSON(to: &buffer, row.options)
    }
    #expect(other == error && buffer == [1, 2])
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    for capacity in [0, 1, 20, 5000] {
      var found: JSONWritingError?
      let bytes = [UInt8](capacity: capacity) { span in
        if capacity > 0 { span.append(7) }
        do throws(JSONWritingError) { _ = try row.model.appendJSON(to: &span, row.options) } catch {
          found = error
        }
      }
      #expect(found == error && bytes == (capacity > 0 ? [7] : []))
    }
  }

  @Test("without the options, equal keys are both written")
  func equalKeys() throws {
    let model = Model { WritableFailures.twice(&$0) }
    #expect(try model.checkedJSONBytes() == Array(#"{"k":1,"o":{"k":1,"k":"2"}}"#.utf8))
  }

  @Test("a cycle fails on a small stack too, whatever the limit")
  func smallStack() {
    let text = onStack(of: 256 << 10) {
      let cycle = Link()
      cycle.next = [cycle]
      defer { cycle.next = [] }
      do throws(JSONWritingError) {
        return "\(try cycle.checkedJSONBytes(JSONWritingOptions(maximumDepth: .max)))"
      } catch { return "\(error.code), \(error.path.text.hasPrefix("/next/0/next/0"))" }
    }
    #expect(text == "tooDeep, true")
  }

  @Test("depth: as deep as the limit says")
  func depth() throws {
    let text = try Deep(levels: 512).checkedJSONBytes()
    #expect(text.count == 1024)
    #expect(throws: JSONWritingError.self) { try Deep(levels: 513).checkedJSONBytes() }
  }

  @Test("no value, or two: a debug build stops")
  func notOneValue() async {
    await #expect(processExitsWith: .failure) {
      _ = Model { _ in }.jsonText()
    }
    await #expect(processExitsWith: .failure) {
      _ = Model { json in
        json.bool(true)
        json.bool(false)
      }.jsonText()
    }
    await #expect(processExitsWith: .failure) {
      _ = [Model { _ in }].jsonText()
    }
  }

  @Test("into a span: behind what is there, and in one piece, whatever space is left")
  func spans() throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let model = ["key": [1.5, -2, 1e300], "\n": [0.1]]
    let text = try model.checkedJSONBytes()
    for capacity in [0, 1, 7, text.count, text.count + 1, text.count + 40, 4096] {
      var length = 0
      let bytes = try [UInt8](capacity: capacity + 2) { span in
        span.append(1)
        span.append(2)
        length = try model.appendJSON(to: &span)
        #expect(span.freeCapacity == capacity - (capacity < length ? 0 : length))
      }
      #expect(length == text.count && bytes == [1, 2] + (capacity < length ? [] : text))
    }
  }
}
