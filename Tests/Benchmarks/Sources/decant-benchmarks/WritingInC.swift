// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Structs of C as text: who writes faster. Texts may differ in the digits of numbers, so they are held against
// each other by what is decoded from them.

import Contenders
import Corpora

enum WritingInC {
  static func text(_ documents: [(Work, Document)], seconds: Double) throws -> String {
    var table: Table?
    for (work, document) in documents {
      let writers = try ForeignWriters(work, document)
      let names = writers.names
      let (times, bytes) = try times(writers, work, seconds: seconds)
      let slower = times.dropFirst().map { digits($0 / times[0]) }
      if table == nil {
        table = Table(
          ["time per text"] + names + ["GB/s"]
            + names.dropFirst().map { "\($0), times slower" })
      }
      table?.add(
        [work.name] + times.map { time(nanoseconds: $0) } + [digits(Double(bytes) / times[0])]
          + slower)
    }
    return table?.text ?? ""
  }

  /// The least time of each, once the same is decoded from their texts; and the length of the first one's.
  private static func times(
    _ writers: ForeignWriters, _ work: Work, seconds: Double
  ) throws -> (times: [Double], bytes: Int) {
    let texts = try writers.names.indices.map { try writers.checksum($0) }
    guard texts.allSatisfy({ $0.sum == texts[0].sum }) else {
      throw InvalidContest(description: "\(work.name): the texts differ")
    }
    var watches = try writers.names.indices.map { place in
      try Stopwatch { try writers.write(place, times: $0) }
    }
    let deadline = now() + seconds * 1e9
    repeat {
      for turn in watches.indices { try watches[turn].run(for: 1e7) }
    } while now() < deadline
    return (watches.map(\.best), texts[0].length)
  }
}
