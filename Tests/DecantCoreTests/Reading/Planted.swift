// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The controls for the sanitizers: Tests/Sanitizers/run asks for each and expects a report. Without them, a run
// without reports could be a run without instrumentation. What is wrong is in DecantTestSupport, which is compiled as
// the library's modules are.

import DecantTestSupport
import Foundation
import Testing

@Suite("Planted for the sanitizers", .enabled(if: unsafe getenv("DECANT_PLANTED") != nil))
struct Planted {
  /// Threads that have met, so that neither is done before the other begins: tasks may share one thread on a busy
  /// machine, and then nothing is wrong.
  @Test("two threads that count without a lock")
  func race() {
    let counter = UnlockedCounter()
    let met = (0..<2).map { _ in DispatchSemaphore(value: 0) }
    let threads = (0..<2).map { place in
      Thread {
        met[place].signal()
        met[1 - place].wait()
        for _ in 0..<1_000 { counter.increment() }
      }
    }
    for thread in threads { thread.start() }
    while !threads.allSatisfy(\.isFinished) { usleep(1_000) }
    #expect(counter.count > 0)
  }

  @Test("a byte that is read behind its buffer")
  func overread() { #expect(byteBehind(bufferOf: 16) != nil) }
}
