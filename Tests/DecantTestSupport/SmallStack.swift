// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Foundation

/// Runs a body on a thread with so many bytes of stack, and waits for it.
public func onStack<Value: Sendable>(
  of bytes: Int, _ body: @escaping @Sendable () -> Value
) -> Value {
  let box = Box<Value>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.value = body()
    done.signal()
  }
  thread.stackSize = bytes
  thread.start()
  done.wait()
  return box.value!
}

// SAFETY: written by the thread before it signals, read after that.
private final class Box<Value>: @unchecked Sendable { var value: Value? }
