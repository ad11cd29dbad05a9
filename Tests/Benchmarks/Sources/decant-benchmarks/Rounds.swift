// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// So many rounds of one contender, under whatever counts the instructions of the process. The difference between two
// counts of rounds is the rounds' own:
//
//   valgrind --tool=callgrind decant-benchmarks rounds decant.c order reading 1
//   valgrind --tool=callgrind decant-benchmarks rounds decant.c order reading 101

import Contenders
import Corpora

enum Rounds {
  /// Runs a contender at a work or a message.
  ///
  /// - Throws: `Unknown` if there is no such contender there.
  static func run(
    _ name: String, _ work: String, writes: Bool, count: Int, folder: String?
  ) throws {
    guard let rounds = try rounds(name, work, writes, folder) else { throw Unknown() }
    try rounds(count)
  }

  private static func rounds(
    _ name: String, _ work: String, _ writes: Bool, _ folder: String?
  ) throws -> ((Int) throws -> Void)? {
    guard let known = Work(name: work) else {
      let message = try Message.all().first { $0.name == work }
      let way = message?.ways.first { $0.name == name }
      return way.map { writes ? $0.writes.decode : $0.reads.decode }
    }
    let document = try Document(known, folder: folder)
    if !writes { return contenders.first { $0.name == name }?.job(known, document)?.decode }
    if let writer = try WritingContest(known, document).writers.first(where: { $0.name == name }) {
      return writer.job.decode
    }
    let writers = try ForeignWriters(known, document)
    return writers.names.firstIndex(of: name).map { place in
      { try writers.write(place, times: $0) }
    }
  }

  struct Unknown: Error, CustomStringConvertible {
    let description = "no such contender at this work"
  }
}
