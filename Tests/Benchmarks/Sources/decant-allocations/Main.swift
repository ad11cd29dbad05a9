// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Allocations and memory of each contender, counted in a process of its own.
//
//   decant-allocations [--corpora DIR]                         the tables
//   decant-allocations one CONTENDER WORK [--corpora DIR]      four numbers

import AllocationMeter
import Contenders
import Corpora
import Foundation

@main
struct Main {
  static func main() {
    let arguments = Arguments(CommandLine.arguments.dropFirst())
    do {
      if arguments.positional.first == "one" {
        try one(arguments)
      } else {
        try tables(folder: arguments["corpora"])
      }
    } catch {
      FileHandle.standardError.write(Data("decant-allocations: \(error)\n".utf8))
      exit(1)
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  // MARK: - One contender, one work

  private static func one(_ arguments: Arguments) throws {
    guard arguments.positional.count == 3, let work = Work(name: arguments.positional[2]),
      let contender = contenders.first(where: { $0.name == arguments.positional[1] })
    else { throw Failure(description: "one CONTENDER WORK") }
    let document = try Document(work, folder: arguments["corpora"])
    guard let job = contender.job(work, document) else { return }
    try warmUp(contender)
    print(try Count(job).fields.map(String.init).joined(separator: "\t"))
  }

  /// Pays for what happens once in a process, with a document too small to leave a cache behind.
  private static func warmUp(_ contender: any Contender) throws {
    let tiny = try Document(.tiny, folder: nil)
    try contender.job(.tiny, tiny)?.decode(3)
  }

  // MARK: - Tables

  private static func tables(folder: String?) throws {
    let works = Work.allCases
    var calls = Table(["allocations per decode"] + works.map(\.name))
    var beyond = Table(["allocations beyond the model's own"] + works.map(\.name))
    var peaks = Table(["peak memory beyond input and model"] + works.map(\.name))
    let sizes = try works.map { try Document($0, folder: folder).bytes.count }
    for contender in contenders {
      let counts = try works.map { try count(contender.name, $0, folder: folder) }
      calls.add([contender.name] + counts.map { $0.map { "\($0.allocations)" } ?? "-" })
      beyond.add([contender.name] + counts.map { $0.map { "\($0.beyondModel)" } ?? "-" })
      peaks.add(
        [contender.name]
          + zip(counts, sizes).map { count, bytes in
            count.map { "\(size(bytes: $0.peak)) \(fixed(Double($0.peak) / Double(bytes), 2))x" }
              ?? "-"
          })
    }
    print("\n\(calls.text)\n\n\(beyond.text)\n\n\(peaks.text)")
  }

  private static func count(_ contender: String, _ work: Work, folder: String?) throws -> Count? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["one", contender, work.name, "--corpora", folder ?? ""]
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(contender) failed on \(work.name)")
    }
    return Count(fields: String(decoding: data, as: UTF8.self))
  }
}
