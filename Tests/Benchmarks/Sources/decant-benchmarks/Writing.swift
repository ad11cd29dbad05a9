// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models as text: who writes faster.

import Contenders
import Corpora

enum Writing {
  static func text(_ documents: [(Work, Document)], seconds: Double) throws -> String {
    let names = WritingContest.names
    var table = Table(["time per text"] + names + names.dropLast().map { "\($0), times faster" })
    for (work, document) in documents {
      let times = try times(WritingContest(work, document), seconds: seconds)
      let faster = times.dropLast().map { digits(times[times.count - 1] / $0) }
      table.add([work.name] + times.map { time(nanoseconds: $0) } + faster)
    }
    return table.text
  }

  /// The least time of each, once their texts are of one length.
  private static func times(_ contest: WritingContest, seconds: Double) throws -> [Double] {
    let lengths = try contest.jobs.map { try $0.job.checksum() }
    guard lengths.allSatisfy({ $0 == lengths[0] }) else {
      throw InvalidContest(description: "\(contest.work.name): the texts differ in length")
    }
    var watches = try contest.jobs.map { try Stopwatch($0.job) }
    let deadline = now() + seconds * 1e9
    repeat {
      for turn in watches.indices { try watches[turn].run(for: 1e7) }
    } while now() < deadline
    return watches.map(\.best)
  }
}
