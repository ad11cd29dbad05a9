// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models as text: who writes faster, and how that compares with reading the text back.

import Contenders
import Corpora

enum Writing {
  static func text(
    _ documents: [(Work, Document)], seconds: Double, only: [String]?
  ) throws -> String {
    var table: Table?
    for (work, document) in documents {
      let contest = try WritingContest(work, document)
      let writers = contest.writers.filter { only?.contains($0.name) ?? true }
      let readers = only == nil ? contest.readers : []
      let times = try times(writers, readers, work, seconds)
      let (written, read) = (times.prefix(writers.count), times.dropFirst(writers.count))
      let last = written.last ?? 0
      var row = [work.name] + written.map { time(nanoseconds: $0) }
      row += written.dropLast().map { digits(last / $0) }
      row += zip(written, read).map { digits($1 / $0) }
      if table == nil {
        let names = writers.map(\.name)
        table = Table(
          ["time per text"] + names + names.dropLast().map { "\($0), times faster" }
            + zip(names, readers).map { "\($0.0), bytes a second against reading" })
      }
      table?.add(row)
    }
    return table?.text ?? ""
  }

  /// The least time of each, once the texts of those who write are of one length.
  private static func times(
    _ writers: [(name: String, job: Job)], _ readers: [Job], _ work: Work, _ seconds: Double
  ) throws -> [Double] {
    let lengths = try writers.map { try $0.job.checksum() }
    guard lengths.allSatisfy({ $0 == lengths[0] }) else {
      throw InvalidContest(description: "\(work.name): the texts differ in length")
    }
    var watches = try (writers.map(\.job) + readers).map { try Stopwatch($0) }
    let deadline = now() + seconds * 1e9
    repeat {
      for turn in watches.indices { try watches[turn].run(for: 1e7) }
    } while now() < deadline
    return watches.map(\.best)
  }
}
