// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value behind a mutex, for ThreadSanitizer too.
///
/// The standard library's mutex waits in code of the library's that is not instrumented: ThreadSanitizer does
/// not see that who waited comes after who unlocked, and reports a race, now and then. It sees the two atomic
/// accesses here, which cost nothing beside the lock.
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let turns = Atomic<Int>(0)

  package init(_ value: Value) { mutex = Mutex(value) }

  package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      let turn = turns.load(ordering: .acquiring)
      defer { turns.store(turn &+ 1, ordering: .releasing) }
      return body(&value)
    }
  }
}
