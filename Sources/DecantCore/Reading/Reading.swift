// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document read for the length of a call. Everything but the text lives in a kilobyte of the caller's
// stack; a bigger index moves to the heap by itself. Documents that outlive the call are `Document`s.
//
//   decant_reading   [ context | misses | 76 slots ]

public import CDecantIndex

/// Reads `bytes` and hands the root to `body`, which answers with a model or an error; the error comes
/// back with its path, place and text, for which `sourceName` is asked then only.
@inlinable @inline(__always)
package func reading<Model>(
  _ bytes: UnsafeRawBufferPointer, _ engine: DecodingOptions.Engine, _ rules: decant_rules,
  _ sourceName: @autoclosure () -> String?, _ body: (JSON) -> Decoded<Model>
) -> Decoded<Model> {
  // SAFETY: context, scratch and bytes outlive the view, which `body` cannot keep.
  unsafe withReadingRoom { context, scratch in
    let code = unsafe open(context, bytes, engine, rules, scratch)
    if code != 0 { return unsafe .failure(DecodeError(reading: context, code: code, sourceName())) }
    let result = unsafe body(JSON(context: context, node: context.pointee.root))
    switch consume result {
    case .success(let model):
      unsafe close(context)
      return .success(model)
    case .failure(let error):
      // Handed over: an error that somebody else has would be copied.
      let resolved = unsafe (consume error).resolved(in: context, sourceName())
      unsafe close(context)
      return .failure(resolved)
    }
  }
}

/// Lends a context, not prepared yet, and its scratch.
@inlinable @inline(__always)
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

/// Answers from a tree that the options' engine has already; nothing is read and nothing given back.
// SAFETY: the caller keeps the tree alive for the call; the context and its misses are this frame's.
@unsafe
package func answering<Model>(
  from root: UInt64, _ options: DecodingOptions, _ body: (JSON) -> Decoded<Model>
) -> Decoded<Model> {
  unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { room in
    let context = room.baseAddress!
    var misses = decant_misses()
    return unsafe withUnsafeMutablePointer(to: &misses) { misses in
      unsafe prepare(context, options.engine, options.rules, misses: misses)
      unsafe context.pointee.root = root
      let result = unsafe body(JSON(context: context, node: root))
      // What errors found out about the tree.
      defer { unsafe decant_index_discard(context) }
      guard case .failure(let error) = result else { return result }
      return unsafe .failure(error.resolved(in: context, options.sourceName))
    }
  }
}

/// Prepares a context and reads the text; returns an index code. On failure nothing is left to close.
// SAFETY: the caller keeps bytes and scratch alive and in place until `close`.
@inlinable @inline(__always)
package func open(
  _ context: UnsafeMutablePointer<decant_context>, _ bytes: UnsafeRawBufferPointer,
  _ engine: DecodingOptions.Engine, _ rules: decant_rules,
  _ scratch: UnsafeMutablePointer<decant_scratch>? = nil
) -> Int32 {
  var rules = rules
  return unsafe decant_context_open(
    context, scratch, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
    engine.table, &rules)
}

/// Sets every field of a context.
@inline(__always)
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

/// Gives back what reading took; nothing, if the index fitted into the caller's buffer.
@inlinable @inline(__always)
package func close(_ context: UnsafeMutablePointer<decant_context>) {
  if unsafe context.pointee.engine != nil || context.pointee.owned_slots != nil {
    unsafe release(context)
  }
}

@usableFromInline @inline(never)
package func release(_ context: UnsafeMutablePointer<decant_context>) {
  if let engine = unsafe context.pointee.engine { unsafe engine.pointee.discard(context) }
  unsafe decant_index_discard(context)
}
