// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value behind a mutex.
///
/// ThreadSanitizer does not see all of the standard library's mutex: a thread that waited looks as if it raced with
/// the one that unlocked. Tests/Sanitizers/thread.supp suppresses reports below the two functions, where there can be
/// no others.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  @inline(never)
  package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }

  /// Nil if another thread has the lock. Never waits.
  package borrowing func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
    mutex.withLockIfAvailable { body(&$0) }
  }
}
