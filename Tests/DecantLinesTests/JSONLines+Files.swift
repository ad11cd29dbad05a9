// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantLines
import DecantTestSupport
import Foundation
import Testing

@Suite("JSONLines of files")
struct LinesOfFiles {
  private let bytes = Streams.many

  private func withFile<Result>(
    _ bytes: [UInt8], _ body: (String) throws -> Result
  ) throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "decant-\(UUID())").path
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  /// A pipe that somebody writes into meanwhile.
  private func withPipe<Result>(
    _ bytes: [UInt8], _ body: (Int32) throws -> Result
  ) rethrows -> Result {
    let pipe = Pipe()
    let thread = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    thread.start()
    return try body(pipe.fileHandleForReading.fileDescriptor)
  }

  @Test("a file that is read or mapped, more than once", arguments: [false, true])
  func files(isMapped: Bool) throws {
    try withFile(bytes) { path in
      let file = try isMapped ? JSONLinesFile(mapping: path) : JSONLinesFile(path)
      #expect(file.byteCount == bytes.count)
      let lines = JSONLines<Event>(file)
      let expected = Streams.outcomesOfMany
      #expect(lines.map { Outcome($0) { show($0) } } == expected)
      #expect(lines.forEachConcurrently(threads: 3) { _ in }.lineCount == expected.count)
    }
  }

  @Test("a file that is open is read from its place on, which stays")
  func places() throws {
    try withFile(Array("1\n2\n3\n".utf8)) { path in
      let handle = try #require(FileHandle(forReadingAtPath: path))
      try handle.seek(toOffset: 2)
      let file = try JSONLinesFile(descriptor: handle.fileDescriptor)
      #expect(file.byteCount == 4)
      for _ in 0..<2 { #expect(JSONLines<Int>(file).map { $0.result.value } == [2, 3]) }
      #expect(try handle.offset() == 2)
    }
  }

  /// Has the file changed, before it decodes its text.
  struct Meddler: Decodable {
    nonisolated(unsafe) static var meddle: (() -> Void)?
    let text: String

    enum CodingKeys: CodingKey { case text }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      unsafe Meddler.meddle?()
      text = try container.decode(String.self, forKey: .text)
    }
  }

  @Test("a file that is written to while it is read yields the text that was validated")
  func written() throws {
    let text = String(repeating: "é", count: 100)
    try withFile(Array("{\"text\":\"\(text)\"}\n".utf8)) { path in
      let file = JSONLines<Meddler>(try JSONLinesFile(path))
      unsafe Meddler.meddle = {
        let handle = FileHandle(forWritingAtPath: path)
        try? handle?.seek(toOffset: 9)
        try? handle?.write(contentsOf: Data(repeating: 0xFF, count: 200))
        try? handle?.close()
      }
      defer { unsafe Meddler.meddle = nil }
      #expect(file.map { $0.result.value?.text } == [text])
    }
  }

  @Test("a pipe, on one thread and on several")
  func pipe() throws {
    let expected = Streams.outcomesOfMany
    try withPipe(bytes) { descriptor in
      let lines = JSONLines<Event>(try JSONLinesFile(descriptor: descriptor))
      #expect(lines.map { Outcome($0) { show($0) } } == expected)
    }
    try withPipe(bytes) { descriptor in
      let file = try JSONLinesFile(descriptor: descriptor)
      #expect(file.byteCount == nil)
      let report = JSONLines<Event>(file).forEachConcurrently(threads: 3, keeping: 9999) { _ in }
      #expect(report.lineCount == expected.count)
      #expect(
        report.failures.map(\.number)
          == JSONLines<Event>(bytes).lossy(keeping: 9999).report.failures.map(\.number))
    }
  }

  @Test("a copy of a pipe's iterator has the lines of its chunk, whatever the other one reads")
  func copiesOfPipes() throws {
    try withPipe(Streams.events(4000)) { descriptor in
      var iterator = JSONLines<Event>(try JSONLinesFile(descriptor: descriptor)).makeIterator()
      for _ in 0..<10 { _ = iterator.next() }
      var copy = iterator
      while iterator.next() != nil {}
      let expected = JSONLines<Event>(Streams.events(4000)).dropFirst(10).prefix(100)
      for line in expected {
        #expect(copy.next().map { Outcome($0) { show($0) } } == Outcome(line) { show($0) })
      }
    }
  }

  /// Asks a copy of the iterator that makes it for the next element, before it has read all of its own.
  struct Ahead: Decodable {
    nonisolated(unsafe) static var ask: (() -> Ahead?)?
    let first: String
    let second: String
    let next: String?

    enum CodingKeys: CodingKey { case first, second }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      first = try container.decode(String.self, forKey: .first)
      next = unsafe Ahead.ask.take()?()?.first
      second = try container.decode(String.self, forKey: .second)
    }
  }

  @Test("a model whose element lies across chunks can ask a copy of its iterator for the next")
  func copiesInModels() throws {
    // The second element lies across the first two chunks, and the fourth across the next.
    let long = ["a", "b", "c", "d"].map { String(repeating: $0, count: 20_000) }
    let text = long.map { "{\"first\":\"\($0)\",\"second\":\"\($0)\"}" }.joined(separator: ",")
    try withPipe(Array("[\(text)]".utf8)) { descriptor in
      let file = JSONLines<Ahead>(try JSONLinesFile(descriptor: descriptor))
      var elements = file.elements(at: "").makeIterator()
      #expect(elements.next()?.result.value?.first.utf8.count == 20_000)
      var copy = elements
      unsafe Ahead.ask = { copy.next()?.result.value }
      let model = elements.next()?.result.value
      #expect(model?.first.utf8.count == 20_000)
      #expect(model?.second.utf8.count == 20_000)
      #expect(model?.second.allSatisfy { $0 == "b" } == true)
      #expect(model?.next?.utf8.count ?? 0 > 0)
    }
  }

  @Test("a pipe that does not wait by itself is waited for")
  func waiting() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let thread = Thread {
      for text in ["1\n2", "3\n", "4"] {
        Thread.sleep(forTimeInterval: 0.02)
        try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      }
      try? pipe.fileHandleForWriting.close()
    }
    thread.start()
    let lines = JSONLines<Int>(try JSONLinesFile(descriptor: descriptor))
    #expect(lines.map { $0.result.value } == [1, 23, 4])
  }

  @Test("an empty file has no lines; a Decodable model has its decoder")
  func small() throws {
    struct Point: Decodable { let x: Int }
    try withFile([]) { path in
      let file = try JSONLinesFile(path)
      #expect(Array(JSONLines<Int>(file)).isEmpty)
    }
    try withFile(Array("{\"x\":1}\n{}".utf8)) { path in
      let lines = Array(JSONLines<Point>(try JSONLinesFile(path)))
      #expect(lines.map(\.result.value?.x) == [1, nil])
    }
  }

  /// What the system calls an error, in the language of the process.
  private func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

  @Test("a file that cannot be opened or read says why")
  func failures() throws {
    let failure = #expect(throws: JSONLinesFile.Failure.self) { try JSONLinesFile("/nowhere/x") }
    #expect(failure?.description == "/nowhere/x: \(text(ENOENT))")
    let folder = #expect(throws: JSONLinesFile.Failure.self) { try JSONLinesFile("/tmp") }
    #expect(folder?.description == "/tmp: \(text(EISDIR))")
    #expect(throws: JSONLinesFile.Failure.self) { try JSONLinesFile(descriptor: -1) }
  }

  @Test("a path with a NUL is no file's, whatever is before it")
  func pathWithNUL() throws {
    try withFile(Array("1".utf8)) { path in
      let failure = #expect(throws: JSONLinesFile.Failure.self) { try JSONLinesFile(path + "\0.x") }
      #expect(failure?.code == ENOENT)
    }
  }

  @Test("a file that cannot be read on is a last line that fails")
  func broken() throws {
    let pipe = Pipe()
    // The end that is written into cannot be read.
    let file = try JSONLinesFile(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let lines = Array(JSONLines<Int>(file))
    #expect(lines.map(\.number) == [1])
    #expect(lines[0].result.error?.message == text(EBADF))
    #expect(lines[0].result.error?.location?.line == 1)
    let report = JSONLines<Int>(file).forEachConcurrently(threads: 2) { _ in }
    #expect((report.lineCount, report.failureCount) == (1, 1))
  }

  #if os(Linux)
    @Test("a file that cannot be read on fails where its unfinished line or element begins")
    func brokenBehindSome() throws {
      /// What the other end wrote before it was closed, without having read all that it was sent: then comes an error.
      func withBroken(_ text: String, _ body: (Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        #expect(unsafe write(ends[1], Array(text.utf8), text.utf8.count) == text.utf8.count)
        #expect(unsafe write(ends[0], [7], 1) == 1)
        close(ends[1])
        try body(ends[0])
      }
      func places(_ errors: [DecodeError?]) -> [String] {
        errors.map { error in
          guard let place = error?.location else { return "-" }
          return "\(place.offset)=\(place.line):\(place.column) \(error?.message ?? "")"
        }
      }
      let code = text(ECONNRESET)
      try withBroken("1\n[2,\n3") { descriptor in
        let lines = Array(JSONLines<Int>(try JSONLinesFile(descriptor: descriptor)))
        #expect(lines.map(\.number) == [1, 2, 3])
        #expect(places(lines.map(\.result.error)).last == "6=3:1 \(code)")
      }
      for (document, place) in [
        ("{\"a\":[1,\n 2,34", "12=2:4"), ("{\"a\":[1,\n 2 , ", "14=2:6"), ("{\"b\":\n1", "7=2:2"),
        ("{\"a\":[],\n", "9=2:1"),
      ] {
        try withBroken(document) { descriptor in
          let lines = JSONLines<Int>(try JSONLinesFile(descriptor: descriptor))
          let items = Array(lines.elements(at: "/a"))
          #expect(places(items.map(\.result.error)).last == "\(place) \(code)")
          #expect(items.last?.offset == items.last?.result.error?.location?.offset)
        }
      }
    }
  #endif
}

@Suite("JSONLinesWriter")
struct LinesWriter {
  struct Point: Codable, Equatable { let x: Int, name: String }

  @Test("writes a line for each value")
  func lines() throws {
    var writer = JSONLinesWriter()
    try writer.write([1, 2])
    try writer.write(JSONValue(parsing: "{\"a\" : \"\\n\"}"))
    try writer.write(Point(x: 1, name: "a\nb"))
    #expect(
      String(decoding: writer.output, as: UTF8.self)
        == "[1,2]\n{\"a\":\"\\n\"}\n{\"x\":1,\"name\":\"a\\nb\"}\n")
    let lines = Array(JSONLines<JSONValue>(writer.output))
    #expect(lines.map(\.number) == [1, 2, 3])
    #expect(try lines[2].result.get()["name"].string == "a\nb")
  }

  @Test("a layout of several lines is written on one")
  func pretty() throws {
    let encoder = DecantEncoder()
    encoder.outputFormatting = .prettyPrinted
    var writer = JSONLinesWriter(
      appendingTo: Data(), options: JSONWritingOptions(isPretty: true), encoder: encoder)
    try writer.write([1, 2])
    try writer.write(Point(x: 1, name: "n"))
    let lines = Array(JSONLines<JSONValue>(writer.output))
    #expect(try lines[0].result.get()[1].int == 2)
    #expect(try lines[1].result.get()["x"].int == 1)
    #expect(lines.count == 2)
  }

  @Test("nothing is written of a value that JSON cannot express")
  func failures() throws {
    var writer = JSONLinesWriter()
    try writer.write(1)
    #expect(throws: JSONWritingError.self) { try writer.write([1, .nan]) }
    #expect(throws: EncodingError.self) { try writer.write(["a": [Double.infinity]] as Wrapped) }
    try writer.write(2)
    #expect(writer.output == Array("1\n2\n".utf8))
  }

  struct Wrapped: Encodable, ExpressibleByDictionaryLiteral {
    let values: [String: [Double]]
    init(dictionaryLiteral elements: (String, [Double])...) {
      values = Dictionary(uniqueKeysWithValues: elements)
    }
    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
  }
}
