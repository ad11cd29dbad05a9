// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Allocations and memory of each contender, counted in a process of its own.
//
//   decant-allocations [--corpora DIR]                         the tables
//   decant-allocations one CONTENDER WORK [--corpora DIR]      four numbers
//   decant-allocations writer PLACE WORK [--corpora DIR]       the same of one who writes
//   decant-allocations index SHAPE                             one number

import AllocationMeter
import Contenders
import Corpora
import Foundation

@main
struct Main {
  static func main() {
    let arguments = Arguments(CommandLine.arguments.dropFirst())
    do {
      switch arguments.positional.first {
      case "one": try one(arguments)
      case "writer": try writer(arguments)
      case "index": try index(arguments)
      default: try tables(folder: arguments["corpora"])
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
    document.prepare()
    guard let job = contender.job(work, document) else { return }
    try warmUp(contender)
    print(try Count(job).fields.map(String.init).joined(separator: "\t"))
  }

  /// Pays for what happens once in a process, with a document too small to leave a cache behind.
  private static func warmUp(_ contender: any Contender) throws {
    let tiny = try Document(.tiny, folder: nil)
    try contender.job(.tiny, tiny)?.decode(3)
  }

  private static func writer(_ arguments: Arguments) throws {
    guard arguments.positional.count == 3, let place = Int(arguments.positional[1]),
      WritingContest.names.indices.contains(place), let work = Work(name: arguments.positional[2])
    else { throw Failure(description: "writer PLACE WORK") }
    let contest = try WritingContest(work, Document(work, folder: arguments["corpora"]))
    let job = contest.writers[place].job
    try job.decode(3)
    print(try Count(job).fields.map(String.init).joined(separator: "\t"))
  }

  // MARK: - The index of one shape

  /// The inputs with the most to remember a byte: what is repeated to fill a megabyte.
  private static let shapes = ["[]", "{}", "1", #""""#, "[[]]", #"{"":0}"#]

  private static func index(_ arguments: Arguments) throws {
    guard arguments.positional.count == 2 else { throw Failure(description: "index SHAPE") }
    let document = document(of: arguments.positional[1])
    document.prepare()
    let build = indexing(document)
    let before = allocation_meter_read().live
    allocation_meter_reset_peak()
    try build(1)
    print(allocation_meter_read().peak - before)
  }

  /// A megabyte of `[shape,shape,…]`.
  private static func document(of shape: String) -> Document {
    let count = (1 << 20) / (shape.utf8.count + 1)
    return Document([UInt8]("[\(repeatElement(shape, count: count).joined(separator: ","))]".utf8))
  }

  private static func worstInputs() throws -> Table {
    var table = Table(["peak memory of the index, 1 MB of", "bytes / input"])
    for shape in shapes {
      let peak = Int(try output(of: ["index", shape]).filter(\.isNumber)) ?? 0
      let bytes = document(of: shape).bytes.count
      table.add(["[\(shape),\(shape),...]", "\(fixed(Double(peak) / Double(bytes), 2))x"])
    }
    return table
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
    let tables = [calls, beyond, peaks, try writing(folder), try worstInputs()]
    print(tables.map { "\n" + $0.text }.joined(separator: "\n"))
  }

  private static func writing(_ folder: String?) throws -> Table {
    let works = Work.allCases
    var table = Table(["allocations beyond the text that is written"] + works.map(\.name))
    for (place, name) in WritingContest.names.enumerated() {
      let counts = try works.map {
        Count(fields: try output(of: ["writer", "\(place)", $0.name, "--corpora", folder ?? ""]))
      }
      table.add([name] + counts.map { $0.map { "\($0.beyondModel)" } ?? "-" })
    }
    return table
  }

  private static func count(_ contender: String, _ work: Work, folder: String?) throws -> Count? {
    Count(fields: try output(of: ["one", contender, work.name, "--corpora", folder ?? ""]))
  }

  /// What this program prints when it is called with these arguments.
  private static func output(of arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: arguments.joined(separator: " "))
    }
    return String(decoding: data, as: UTF8.self)
  }
}
