// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contest: every contender over one document, in turns, once their models add up alike.

import Contenders
import Corpora

/// The time of one contender over one work.
struct Measurement {
  var work: Work
  var contender: String
  var nanoseconds: Double
  var bytes: Int
}

/// A contender does not make its model, or its model is not the others' model.
struct InvalidContest: Error, CustomStringConvertible {
  var description: String
}

extension Measurement {
  /// Measures one work for about `seconds`, at least three turns for each contender.
  ///
  /// Contenders take turns of some ten milliseconds, a different one first in each round, so that
  /// whatever else the machine does falls on all of them alike.
  static func contest(
    _ work: Work, _ document: Document, seconds: Double, only names: [String]? = nil
  ) throws -> [Measurement] {
    let entrants = contenders.filter { names?.contains($0.name) ?? true }
      .compactMap { contender in contender.job(work, document).map { (contender.name, $0) } }
    try check(entrants, work)
    var watches = try entrants.map { try Stopwatch($0.1) }
    let deadline = now() + seconds * 1e9
    var round = 0
    while round < 3 || now() < deadline {
      for turn in watches.indices {
        try watches[(turn + round) % watches.count].run(for: 1e7)
      }
      round += 1
    }
    return zip(entrants, watches).map { entrant, watch in
      Measurement(
        work: work, contender: entrant.0, nanoseconds: watch.best, bytes: document.bytes.count)
    }
  }

  /// All models add up to the same checksum.
  private static func check(_ entrants: [(String, Job)], _ work: Work) throws {
    let sums = try entrants.map { name, job in
      do {
        return (name, try job.checksum())
      } catch {
        throw InvalidContest(description: "\(work.name): \(name) failed: \(error)")
      }
    }
    guard sums.contains(where: { $0.1 != sums[0].1 }) else { return }
    let lines = sums.map { "  \($0.0)  \(String($0.1, radix: 16))" }.joined(separator: "\n")
    throw InvalidContest(description: "\(work.name): the models differ\n\(lines)")
  }
}

// MARK: - Tab-separated values

extension Measurement {
  var tabSeparated: String {
    "\(work.name)\t\(contender)\t\(fixed(nanoseconds, 1))\t\(bytes)"
  }

  init?(tabSeparated line: some StringProtocol) {
    let fields = line.split(separator: "\t")
    guard fields.count == 4, let work = Work(name: fields[0]),
      let nanoseconds = Double(fields[2]), let bytes = Int(fields[3])
    else { return nil }
    self.init(
      work: work, contender: String(fields[1]), nanoseconds: nanoseconds, bytes: bytes)
  }
}
