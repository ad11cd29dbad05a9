// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Events, a line each: a file on all cores, with a line that tells how far it is, or a pipe that is followed.
//
//   decant-lines FILE            decodes a file, of any size, on all cores
//   tail -f FILE | decant-lines  decodes lines as they come, until the pipe ends
//
// Bad lines are printed with line, column and path. The last line of the output is the sum. Exit status: 0; 1 if lines
// were bad; 2 if the file cannot be read.

import Decant
import DecantLines
import ExampleModels
import Foundation
import Synchronization

@main
struct DecantLines {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard words.count <= 1, words.first?.hasPrefix("-") != true else {
      fail("usage: decant-lines [FILE]")
    }
    do throws(JSONLinesFile.Failure) {
      let report =
        if let path = words.first {
          decode(try JSONLinesFile(path), named: path)
        } else {
          follow(try JSONLinesFile(descriptor: FileHandle.standardInput.fileDescriptor))
        }
      for failure in report.failures { print(failure.error) }
      print("\(report.lineCount) lines, \(report.failureCount) of them bad")
      exit(report.failureCount == 0 ? 0 : 1)
    } catch { fail("\(error)") }
  }

  /// All lines of a file, on all cores.
  private static func decode(_ file: JSONLinesFile, named path: String) -> JSONLinesReport {
    let progress = Progress(of: file.byteCount)
    let options = DecodingOptions(sourceName: path)
    let report = JSONLines<Event>(file, options: options).forEachConcurrently { line in
      progress.add(line.offset, isBad: line.result.error != nil)
    }
    progress.end()
    return report
  }

  /// Line after line, as they come.
  private static func follow(_ file: JSONLinesFile) -> JSONLinesReport {
    var report = JSONLinesReport(keeping: 0)
    for line in JSONLines<Event>(file) {
      report.add(line)
      switch line.result {
      case .success(let event): print("\(line.number): \(event.time)")
      case .failure(let error): print(error)
      }
    }
    return report
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("decant-lines: \(message)\n".utf8))
    exit(2)
  }
}

/// Bytes, lines, bad lines, speed and the time that is left, four times a second; nothing if nobody sees it.
private final class Progress: Sendable {
  private let size: Int?
  private let isSeen = isatty(FileHandle.standardError.fileDescriptor) == 1
  private let start = ContinuousClock.now
  private let last = Mutex(ContinuousClock.now)
  private let bytes = Atomic(0)
  private let lines = Atomic(0)
  private let badLines = Atomic(0)

  init(of size: Int?) { self.size = size }

  func add(_ offset: Int, isBad: Bool) {
    guard isSeen else { return }
    bytes.max(offset, ordering: .relaxed)
    if isBad { badLines.add(1, ordering: .relaxed) }
    // Few lines look at the clock, and a thread that finds another one here goes on.
    guard lines.add(1, ordering: .relaxed).newValue % 1024 == 0 else { return }
    _ = last.withLockIfAvailable { last in
      let now = ContinuousClock.now
      guard now - last >= .milliseconds(250) else { return }
      last = now
      write(text(at: now))
    }
  }

  func end() { if isSeen { write("") } }

  private func text(at now: ContinuousClock.Instant) -> String {
    let bytes = Double(bytes.load(ordering: .relaxed))
    let speed = bytes / max((now - start) / .seconds(1), 0.001)
    var text = String(
      format: "%.0f MB, %d lines, %d bad, %.0f MB/s", bytes / 1e6, lines.load(ordering: .relaxed),
      badLines.load(ordering: .relaxed), speed / 1e6)
    if let size { text += String(format: ", %.0f s left", (Double(size) - bytes) / max(speed, 1)) }
    return text
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }
}
