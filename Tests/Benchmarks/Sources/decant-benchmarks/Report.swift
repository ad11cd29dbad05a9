// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The second part of a run: time against size, stages, kernels.

import Contenders
import Corpora
import Foundation

enum Report {
  /// The contender that stands for Decant here.
  private static let name = "decant.try"

  private static var contender: any Contender {
    contenders.first { $0.name == name }!
  }

  // MARK: - Time against size

  /// Users in documents from 1 KB up, in steps of four: time, speed, and the slope of log time over
  /// log size, which is 1 where time is linear.
  static func sizes(upTo largest: Int) throws -> String {
    let whole = [UInt8](Generator.users(count: largest / 54).utf8)
    var table = Table(["users, \(name)", "time", "MB/s"])
    var points: [(size: Double, time: Double)] = []
    var target = 1024
    while target <= largest {
      let document = Document(users(whole, bytes: target))
      let nanoseconds = try best(document)
      let bytes = Double(document.bytes.count)
      points.append((bytes, nanoseconds))
      table.add([
        size(bytes: target), time(nanoseconds: nanoseconds), digits(bytes / nanoseconds * 1e3),
      ])
      target *= 4
    }
    return "\(table.text)\n  log-log slope \(fixed(slope(points), 3))"
  }

  /// The first users of a document, in at most so many bytes.
  private static func users(_ whole: [UInt8], bytes: Int) -> [UInt8] {
    guard whole.count > bytes else { return whole }
    let end = whole[..<(bytes - 1)].lastIndex(of: UInt8(ascii: "}"))!
    return whole[...end] + [UInt8(ascii: "]")]
  }

  private static func best(_ document: Document) throws -> Double {
    var watch = try Stopwatch(contender.job(.users, document)!)
    for _ in 0..<3 { try watch.run(for: 1e8) }
    return watch.best
  }

  /// By least squares over the logarithms.
  private static func slope(_ points: [(size: Double, time: Double)]) -> Double {
    let logs = points.map { (log($0.size), log($0.time)) }
    let count = Double(logs.count)
    let middle = (
      logs.map(\.0).reduce(0, +) / count, logs.map(\.1).reduce(0, +) / count
    )
    let products = logs.map { ($0.0 - middle.0) * ($0.1 - middle.1) }.reduce(0, +)
    let squares = logs.map { ($0.0 - middle.0) * ($0.0 - middle.0) }.reduce(0, +)
    return products / squares
  }

  // MARK: - Stages

  /// How much of a decode is the structural index.
  static func stages(_ documents: [(Work, Document)]) throws -> String {
    var table = Table(["stages, \(name)", "index", "whole", "index / whole", "index MB/s"])
    for (work, document) in documents {
      var index = try Stopwatch(indexing(document))
      var whole = try Stopwatch(contender.job(work, document)!)
      for _ in 0..<20 {
        try index.run(for: 1e7)
        try whole.run(for: 1e7)
      }
      table.add([
        work.name, time(nanoseconds: index.best), time(nanoseconds: whole.best),
        fixed(index.best / whole.best, 2),
        digits(Double(document.bytes.count) / index.best * 1e3),
      ])
    }
    return table.text
  }

  // MARK: - Kernels

  /// Each kernel that this processor can run, in a process of its own.
  static func kernels(program: String, folder: String?) throws -> String {
    let works: [Work] = [.twitter, .citm, .users]
    var table = Table(["kernels, \(name)"] + works.map(\.name))
    for kernel in decantKernels {
      let results = Results(
        measurements: try run(program: program, kernel: kernel, works: works, folder: folder))
      table.add(
        [kernel] + works.map { results[name, $0].map(time(nanoseconds:)) ?? "-" })
    }
    return table.text
  }

  private static func run(
    program: String, kernel: String, works: [Work], folder: String?
  ) throws -> [Measurement] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = [
      "values", "--only", name, "--works", works.map(\.name).joined(separator: ","),
      "--seconds", "1", "--corpora", folder ?? "",
    ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["DECANT_KERNEL": kernel]) { $1 }
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
      .compactMap { Measurement(tabSeparated: $0) }
  }
}
