// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Locks and words that threads share. They are C's (decant_lock.h). A module that imports Synchronization would make every
// client build the module of the whole C library, and in debug builds the interfaces of both.

internal import CDecantIndex

/// A value behind a lock.
@safe
package struct Locked<Value: Sendable>: ~Copyable, @unchecked Sendable {
  // SAFETY: a lock and a value, which are allocated in init and freed in deinit. The value is used behind the lock.
  private let lock: OpaquePointer
  private let value: UnsafeMutablePointer<Value>

  package init(_ value: Value) {
    guard let lock = unsafe decant_lock_make(nil) else { fatalError("no memory for a lock") }
    unsafe self.lock = lock
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
    unsafe decant_lock_free(lock, nil)
  }

  package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe decant_lock_enter(lock)
    defer { unsafe decant_lock_leave(lock) }
    return unsafe body(&value.pointee)
  }

  /// Nil if another thread has the lock. Never waits.
  package borrowing func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
    guard unsafe decant_lock_try(lock) else { return nil }
    defer { unsafe decant_lock_leave(lock) }
    return unsafe body(&value.pointee)
  }
}

/// A number that several threads read and write.
@safe
package struct SharedWord: ~Copyable, @unchecked Sendable {
  // SAFETY: a word, allocated in init and freed in deinit; C alone reads and writes it meanwhile.
  private let word: UnsafeMutablePointer<Int>

  package init(_ value: Int) {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: value)
  }

  deinit { unsafe word.deallocate() }

  package var value: Int {
    @inline(__always) get { unsafe decant_word_load(word) }
    @inline(__always) nonmutating set { unsafe decant_word_store(word, newValue) }
  }

  func exchange(_ value: Int) -> Int { unsafe decant_word_exchange(word, value) }

  package func add(_ value: Int) { unsafe decant_word_add(word, value) }
}
