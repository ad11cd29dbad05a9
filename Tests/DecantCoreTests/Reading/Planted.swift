// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The controls for the sanitizers: Tests/Sanitizers/run asks for each and expects a report. Without them, a run
// without reports could be a run without instrumentation. What is wrong is in DecantTestSupport, which is compiled as
// the library's modules are.

import DecantTestSupport
import Glibc
import Testing

@Suite("Planted for the sanitizers", .enabled(if: unsafe getenv("DECANT_PLANTED") != nil))
struct Planted {
  @Test("two tasks that count without a lock")
  func race() async {
    let counter = UnlockedCounter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<1_000_000 { counter.increment() } }
      }
    }
    #expect(counter.count > 0)
  }

  @Test("a byte that is read behind its buffer")
  func overread() { #expect(byteBehind(bufferOf: 16) != nil) }
}
