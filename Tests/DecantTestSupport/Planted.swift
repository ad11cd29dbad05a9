// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What sanitizers have to report: the controls of Tests/Sanitizers/run, and called by nothing else.

/// A counter that tasks race for.
public final class UnlockedCounter: @unchecked Sendable {
  public private(set) var count = 0

  public init() {}

  public func increment() { count += 1 }
}

/// Reads the byte behind a buffer of so many bytes.
public func byteBehind(bufferOf count: Int) -> UInt8? {
  // SAFETY: none; the byte is not the buffer's.
  let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
  defer { unsafe buffer.deallocate() }
  unsafe buffer.initialize(repeating: 0, count: count)
  return unsafe buffer[count]
}
