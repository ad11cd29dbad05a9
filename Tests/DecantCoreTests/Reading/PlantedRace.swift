// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The control for ThreadSanitizer: Tests/Sanitizers/run asks for it and expects a report. Without it, a
// run without reports could be a run without instrumentation.

import Decant
import Glibc
import Testing

@Suite("Planted race", .enabled(if: unsafe getenv("DECANT_PLANTED_RACE") != nil))
struct PlantedRace {
  private final class Shared: @unchecked Sendable { var count = 0 }

  @Test("two tasks that count without a lock")
  func race() async throws {
    let shared = Shared()
    let value = try JSONValue(parsing: "[1,2,3]")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for place in 0..<100_000 { shared.count += value[place % 3].int ?? 0 } }
      }
    }
    #expect(shared.count > 0)
  }
}
