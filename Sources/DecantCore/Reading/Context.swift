// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Opening and closing a context. Everything but the text lives in a kilobyte of the caller's stack; a larger index
// moves to the heap by itself.
//
//   decant_reading   [ context | misses | 72 slots ]

public import CDecantIndex

/// Calls `body` with memory for a context and its scratch, not prepared yet.
@_alwaysEmitIntoClient @inline(__always)
package func withReadingRoom<Result>(
  _ body: (UnsafeMutablePointer<decant_context>, UnsafeMutablePointer<decant_scratch>) -> Result
) -> Result {
  // SAFETY: the scratch follows the context; both are memory for C, which sets what it reads.
  unsafe withUnsafeTemporaryAllocation(of: decant_reading.self, capacity: 1) { room in
    let start = UnsafeMutableRawPointer(room.baseAddress!)
    return unsafe body(
      start.assumingMemoryBound(to: decant_context.self),
      (start + MemoryLayout<decant_context>.size).assumingMemoryBound(to: decant_scratch.self))
  }
}

/// Prepares a context and reads the text: a part of a stream that begins at `start`, or a document of its own. Returns an
/// index code. After a failure there is nothing to close.
// SAFETY: the caller keeps bytes, scratch and place alive and where they are until `close`.
@_alwaysEmitIntoClient @inline(__always)
package func open(
  _ context: UnsafeMutablePointer<decant_context>, _ bytes: UnsafeRawBufferPointer,
  _ engine: DecodingOptions.Engine, _ rules: decant_rules,
  _ scratch: UnsafeMutablePointer<decant_scratch>? = nil,
  from start: UnsafePointer<decant_start>? = nil
) -> Int32 {
  var rules = rules
  return unsafe decant_context_open(
    context, scratch, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
    engine.table, &rules, start)
}

/// Sets every field of a context.
@_alwaysEmitIntoClient @inline(__always)
package func prepare(
  _ context: UnsafeMutablePointer<decant_context>, _ engine: DecodingOptions.Engine,
  _ rules: decant_rules,
  _ bytes: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
  slots: UnsafeMutablePointer<UInt64>? = nil, capacity: Int = 0,
  misses: UnsafeMutablePointer<decant_misses>? = nil
) {
  var rules = rules
  unsafe decant_context_prepare(
    context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &rules,
    engine.table, slots, capacity, misses)
}

/// Releases the memory of reading; there is none if the index fitted into the caller's buffer.
@_alwaysEmitIntoClient @inline(__always)
package func close(_ context: UnsafeMutablePointer<decant_context>) {
  if unsafe context.pointee.engine != nil || context.pointee.owned_slots != nil
    || context.pointee.directories != nil
  {
    unsafe release(context)
  }
}

@usableFromInline @inline(never)
package func release(_ context: UnsafeMutablePointer<decant_context>) {
  if let engine = unsafe context.pointee.engine { unsafe engine.pointee.discard(context) }
  unsafe decant_index_discard(context)
}
