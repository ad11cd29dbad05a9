// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The commands that `run` is made of.
//
//   machine [--corpora DIR]
//   kernels
//   measure --heap NAME --seconds N [--layouts public] [--corpora DIR] [--only A,B] [--works A,B] [--tsv FILE]
//   values  as measure, but prints the tab-separated values and nothing else
//   shapes  [--seconds N]
//   fields  [--seconds N]
//   messages [--seconds N]
//   errors  [--seconds N]
//   writing [--seconds N] [--layouts public] [--corpora DIR] [--works A,B] [--only A,B]
//   first   NAME
//   rounds  CONTENDER WORK reading|writing COUNT [--corpora DIR]
//   report  [--corpora DIR] [--largest BYTES]
//   chart   TSV SVG
//   lines   SIZE FILE SECONDS
//
// `--layouts public` turns the private layouts of the standard library off, before anything is decoded.

import CDecantIndex
import Contenders
import Corpora
import Foundation

@main
struct Main {
  static func main() {
    let arguments = Arguments(CommandLine.arguments.dropFirst())
    if arguments["layouts"] == "public" { decant_use_public_layouts_only() }
    do {
      switch arguments.positional.first {
      case "machine": machine(arguments)
      case "kernels": print(decantKernels.joined(separator: "\n"))
      case "measure": try measure(arguments)
      case "values": try values(arguments)
      case "shapes": try shapes(arguments)
      case "fields": try fields(arguments)
      case "messages": try messages(arguments)
      case "errors": try errors(arguments)
      case "writing": try writing(arguments)
      case "first": try first(arguments)
      case "rounds": try rounds(arguments)
      case "report": try report(arguments)
      case "chart": try chart(arguments)
      case "lines": try lines(arguments)
      default: throw UsageError()
      }
    } catch {
      FileHandle.standardError.write(Data("decant-benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private struct UsageError: Error, CustomStringConvertible {
    let description =
      "measure, values, shapes, fields, messages, errors, writing, first, rounds, report, chart, lines, machine or kernels; see Main.swift"
  }

  // MARK: - Commands

  private static func machine(_ arguments: Arguments) {
    print(Machine.text)
    for contender in contenders {
      if let remark = contender.remark { print("remark     \(contender.name): \(remark)") }
    }
    let folder = arguments["corpora"]
    let sources = Work.allCases.map { work in
      let source = Document.source(work, folder: folder)
      return "\(work.name) \(source)"
    }
    print("documents  \(sources.joined(separator: ", "))")
  }

  private static func measure(_ arguments: Arguments) throws {
    let results = try contest(arguments)
    let layouts = arguments["layouts"].map { ", \($0) layouts only" } ?? ""
    print(
      "\n\(arguments["heap"] ?? "stock") heap\(layouts); \(processorFeatures)\n\n\(results.text)")
    if let file = arguments["tsv"] {
      let text = results.measurements.map { $0.tabSeparated + "\n" }.joined()
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
  }

  private static func values(_ arguments: Arguments) throws {
    for measurement in try contest(arguments).measurements { print(measurement.tabSeparated) }
  }

  private static func shapes(_ arguments: Arguments) throws {
    let seconds = arguments["seconds"].flatMap { Double($0) } ?? 2
    print(
      "\nCodable models of other shapes; \(processorFeatures)\n\n\(try Shapes.text(seconds: seconds))"
    )
  }

  private static func fields(_ arguments: Arguments) throws {
    let seconds = arguments["seconds"].flatMap { Double($0) } ?? 2
    print("\nKinds of fields; \(processorFeatures)\n\n\(try Fields.text(seconds: seconds))")
  }

  private static func messages(_ arguments: Arguments) throws {
    let seconds = arguments["seconds"].flatMap { Double($0) } ?? 2
    print("\nMessages; \(processorFeatures)\n\n\(try Messages.text(seconds: seconds))")
  }

  private static func errors(_ arguments: Arguments) throws {
    let seconds = arguments["seconds"].flatMap { Double($0) } ?? 2
    print("\nDocuments that fail; \(processorFeatures)\n\n\(try Failures.text(seconds: seconds))")
  }

  private static func writing(_ arguments: Arguments) throws {
    let seconds = arguments["seconds"].flatMap { Double($0) } ?? 2
    let text = try Writing.text(
      documents(arguments), seconds: seconds, only: arguments.list("only"))
    let layouts = arguments["layouts"].map { ", \($0) layouts only" } ?? ""
    print("\nModels as text\(layouts); \(processorFeatures)\n\n\(text)")
    if arguments.list("only") != nil { return }
    print(
      "\nStructs of C as text; \(processorFeatures)\n\n\(try WritingInC.text(documents(arguments), seconds: seconds))"
    )
  }

  /// Decodes a model of many types once, under whatever counts the instructions of the process.
  private static func first(_ arguments: Arguments) throws {
    guard arguments.positional.count == 2, FirstDecode.names.contains(arguments.positional[1])
    else { throw UsageError() }
    try FirstDecode.run(arguments.positional[1])
  }

  private static func rounds(_ arguments: Arguments) throws {
    let words = arguments.positional
    guard words.count == 5, ["reading", "writing"].contains(words[3]), let count = Int(words[4])
    else { throw UsageError() }
    try Rounds.run(
      words[1], words[2], writes: words[3] == "writing", count: count,
      folder: arguments["corpora"])
  }

  private static func report(_ arguments: Arguments) throws {
    let folder = arguments["corpora"]
    let largest = arguments["largest"].flatMap { Int($0) } ?? 256 << 20
    print("\n\(try Report.sizes(upTo: largest))")
    print("\n\(try Report.stages(documents(arguments)))")
    print("\n\(try Report.kernels(program: CommandLine.arguments[0], folder: folder))")
  }

  private static func chart(_ arguments: Arguments) throws {
    guard arguments.positional.count == 3 else { throw UsageError() }
    let lines = try String(contentsOfFile: arguments.positional[1], encoding: .utf8)
    let measurements = lines.split(separator: "\n").compactMap { Measurement(tabSeparated: $0) }
    try Chart(Results(measurements: measurements), features: processorFeatures).text
      .write(toFile: arguments.positional[2], atomically: true, encoding: .utf8)
  }

  // MARK: - Parts

  private static func contest(_ arguments: Arguments) throws -> Results {
    let seconds = arguments["seconds"].flatMap { Double($0) } ?? 2
    var results = Results(measurements: [])
    for (work, document) in try documents(arguments) {
      results.measurements += try Measurement.contest(
        work, document, seconds: seconds, only: arguments.list("only"))
    }
    return results
  }

  private static func documents(_ arguments: Arguments) throws -> [(Work, Document)] {
    let works = arguments.list("works").map { $0.compactMap { Work(name: $0) } } ?? Work.allCases
    return try works.map { ($0, try Document($0, folder: arguments["corpora"])) }
  }
}
