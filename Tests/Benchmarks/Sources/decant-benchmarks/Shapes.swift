// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The decoders of Codable over models that are mostly optionals, and mostly enums.

import Contenders
import Corpora

enum Shapes {
  static func text(seconds: Double) throws -> String {
    var table = Table([
      "time per decode", "decant.codable", "foundation.JSONDecoder", "times faster",
    ])
    for shape in CodableShape.all {
      let sums = try shape.jobs.map { try $0.job.checksum() }
      guard sums.allSatisfy({ $0 == sums[0] }) else {
        throw InvalidContest(description: "\(shape.name): the models differ")
      }
      var watches = try shape.jobs.map { try Stopwatch($0.job) }
      let deadline = now() + seconds * 1e9
      while now() < deadline {
        for turn in watches.indices { try watches[turn].run(for: 1e7) }
      }
      let times = watches.map(\.best)
      table.add(
        [shape.name] + times.map { time(nanoseconds: $0) } + [digits(times[1] / times[0])])
    }
    return table.text
  }
}
