// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What failing costs beside succeeding.

import Contenders
import Corpora

enum Failures {
  static func text(seconds: Double) throws -> String {
    try [
      ("small documents", Failure.small), ("10,000 bad elements", Failure.long),
    ].map { try table($0, $1, seconds: seconds) }.joined(separator: "\n\n")
  }

  private static func table(
    _ name: String, _ failures: [Failure], seconds: Double
  ) throws -> String {
    var table = Table([name, "spelling", "good", "bad", "bad / good"])
    var watches = try failures.map { (try Stopwatch($0.good), try Stopwatch($0.bad)) }
    let deadline = now() + seconds * 1e9
    while now() < deadline {
      for turn in watches.indices {
        try watches[turn].0.run(for: 1e6)
        try watches[turn].1.run(for: 1e6)
      }
    }
    for (failure, watch) in zip(failures, watches) {
      table.add([
        failure.name, failure.spelling, time(nanoseconds: watch.0.best),
        time(nanoseconds: watch.1.best), digits(watch.1.best / watch.0.best),
      ])
    }
    return table.text
  }
}
