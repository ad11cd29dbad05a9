// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Loops over streams: lines, and the elements of one document's array, from bytes and from chunks.

import Decant
import DecantLines

private struct Person: JSONDecodable {
  let id: Int
  let name: String
  static func decode(_ json: JSON) -> Decoded<Person> {
    build(Person.init, json.decode("id"), json.decode("name"))
  }
}

/// The stream's bytes, so many at a time.
struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var rest: ArraySlice<UInt8>
  let size: Int

  func makeAsyncIterator() -> Chunks { self }

  mutating func next() async -> ArraySlice<UInt8>? {
    if rest.isEmpty { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.prefix(size)
  }
}

/// Runs tasks where they are made: a use costs what its own thread takes.
private final class ThisThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// What an asynchronous function returns that waits for nobody; 0 if it throws.
func awaited(_ body: @escaping @Sendable () async throws -> Int) -> Int {
  nonisolated(unsafe) var found: Int?
  Task(executorPreference: ThisThread()) { found = (try? await body()) ?? 0 }
  return found!
}

private func lines(
  _ name: String, _ text: Text = people, twin: String? = nil,
  _ run: @escaping @Sendable ([UInt8], DecodingOptions) -> Int
) -> Use {
  Use("lines: " + name, text, twin: twin.map { "lines: " + $0 }, run: run)
}

/// A loop over lines that arrive in chunks.
private func chunks(_ name: String, of size: Int, _ text: Text = people, twin: String? = nil) -> Use
{
  lines(name, text, twin: twin) { bytes, options in
    awaited {
      var found = 1
      let chunks = Chunks(rest: bytes[...], size: size)
      for try await line in JSONLines<Person>(chunks, options: options) {
        found &+= sum(line.result)
      }
      return found
    }
  }
}

/// A loop over the elements of an array that arrives in chunks; 0 where they are not to be had.
private func elements(
  _ name: String, of size: Int, at pointer: JSONPointer = "", _ text: Text = .short,
  twin: String? = nil
) -> Use {
  lines(name, text, twin: twin) { bytes, options in
    awaited {
      var found = 1
      let chunks = Chunks(rest: bytes[...], size: size)
      for try await item in JSONLines<Person>(chunks, options: options).elements(at: pointer) {
        if item.result.error?.code == .unsupported { return 0 }
        found &+= sum(item.result)
      }
      return found
    }
  }
}

/// Takes the text of what is wrong.
private func sum(_ result: Decoded<Person>) -> Int {
  switch result {
  case .success(let person): person.id
  case .failure(let error): error.description.utf8.count
  }
}

private let people = Text.lines(#"{"id":1234567,"name":"Ann"}"#)
private let wrong = #"{"id":"1234567","name":"Ann"}"#

let usesOfLines: [Use] = [
  lines("bytes") { bytes, options in
    JSONLines<Person>(bytes, options: options).reduce(1) { $0 &+ sum($1.result) }
  },
  lines("an error's text, alone") { bytes, _ in
    bytes.reduce(1) { $1 == 0x0A ? $0 &+ sum(Person.decode(from: wrong)) : $0 }
  },
  lines("each one wrong", .lines(wrong), twin: "an error's text, alone") { bytes, options in
    JSONLines<Person>(bytes, options: options).reduce(1) { $0 &+ sum($1.result) }
  },
  lines("each one blank", .lines(""), twin: "bytes") { bytes, options in
    JSONLines<Person>(bytes, options: options).reduce(1) { $0 &+ sum($1.result) }
  },
  chunks("chunks of 64 KB", of: 65_536, twin: "bytes"),
  chunks("chunks of 100 bytes", of: 100, twin: "bytes"),
  chunks("chunks of 8 bytes", of: 8),
  chunks("chunks of 8 bytes, each line blank", of: 8, .lines(""), twin: "chunks of 8 bytes"),
  chunks("one line of strings, in chunks of 100 bytes", of: 100, .array(#""Ann""#), twin: "bytes"),
  chunks(
    "one line that never ends, in chunks of 100 bytes", of: 100, .nested("[", ""), twin: "bytes"),
  chunks("one line, in chunks of 8 bytes", of: 8, .short, twin: "chunks of 8 bytes"),
  elements("elements, in chunks of 64 KB", of: 65_536, twin: "bytes"),
  elements("elements, in chunks of 100 bytes", of: 100, twin: "bytes"),
  elements("elements, in chunks of 8 bytes", of: 8, twin: "chunks of 8 bytes"),
  elements(
    "one element that never ends, in chunks of 100 bytes", of: 100, .nested("[", ""),
    twin: "bytes"),
  elements(
    "one element, in chunks of 8 bytes", of: 8, .nested(#"[{"a":"#, "}]", "0"),
    twin: "chunks of 8 bytes"),
  elements(
    "members before the elements, in chunks of 100 bytes", of: 100, at: "/none",
    .object(#"{"x":[]}"#), twin: "bytes"),
  elements(
    "elements far within, in chunks of 100 bytes", of: 100, at: "/0/0", .array("[[1],[2]]"),
    twin: "bytes"),
]
