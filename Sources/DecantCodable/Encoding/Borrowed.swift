// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values that are used in place. The compiler retains a value that it reads from memory, because a call could overwrite it;
// it does not retain a member of a noncopyable type.

internal import CDecantIndex
internal import DecantCore

/// A value of an array whose elements are encoded.
struct BorrowedElement<Value: Encodable>: ~Copyable {
  private let value: Value

  // Arithmetic with the result would look up the metadata of a generic type each time.
  // SAFETY: the struct is its member.
  @unsafe @inline(__always)
  static func at(_ value: UnsafePointer<Value>) -> UnsafePointer<BorrowedElement> {
    unsafe UnsafeRawPointer(value).assumingMemoryBound(to: BorrowedElement.self)
  }

  @inline(__always)
  borrowing func encode(by plan: EncodingPlan<Value>, _ scope: Scope) throws {
    try plan.encode(value, scope, nil, scope.count)
  }
}

/// A scope as models get it.
struct BorrowedEncoder: ~Copyable {
  private let encoder: any Encoder

  /// In memory that the scope owns.
  // SAFETY: the scope releases the memory, and does not count the reference to itself.
  @unsafe
  static func make(_ scope: Scope) -> UnsafeMutablePointer<BorrowedEncoder> {
    let memory = UnsafeMutablePointer<BorrowedEncoder>.allocate(capacity: 1)
    unsafe memory.initialize(to: BorrowedEncoder(encoder: scope))
    unsafe Unmanaged.passUnretained(scope).release()
    return unsafe memory
  }

  @inline(__always)
  borrowing func encode(_ value: some Encodable) throws { try value.encode(to: encoder) }
}

extension WritingState {
  /// The length of the text so far.
  // A call of the buffer's `count` is not inlined here.
  var length: Int { @inline(__always) get { unsafe buffer.raw.end - buffer.raw.start } }
}
