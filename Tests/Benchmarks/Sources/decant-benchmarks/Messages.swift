// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Messages of ordinary services, in both directions.

import Contenders
import Corpora

enum Messages {
  static func text(seconds: Double) throws -> String {
    let messages = try Message.all()
    return try ["reading", "writing"].enumerated().map { direction, name in
      var table: Table?
      for message in messages {
        let jobs = message.ways.map { direction == 0 ? $0.reads : $0.writes }
        var watches = try jobs.map { try Stopwatch($0) }
        let deadline = now() + seconds * 1e9
        repeat {
          for turn in watches.indices { try watches[turn].run(for: 1e6) }
        } while now() < deadline
        if table == nil { table = Table(["\(name), time of one"] + message.ways.map(\.name)) }
        table?.add(
          ["\(message.name), \(message.bytes) bytes"] + watches.map { time(nanoseconds: $0.best) })
      }
      return table?.text ?? ""
    }.joined(separator: "\n\n")
  }
}
