// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document read for the length of a call: the context lives in the caller's frame, a small index on
// the stack, and the text stays where it is. Documents that outlive the call are `Document`s.
//
//   scratch, 1024 bytes   [ misses | 97 slots … ]   a bigger index moves to the heap by itself

public import CDecantIndex

/// Reads `bytes` and hands the root to `body`, which answers with a model or an error; the error comes
/// back with its path, place and text.
@inlinable
package func reading<Model>(
  _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions,
  _ body: (JSON) -> Decoded<Model>
) -> Decoded<Model> {
  var context = unsafe decant_context()
  // SAFETY: context, scratch and bytes outlive the view, which `body` cannot keep; more than 1024 bytes
  // of scratch would come from malloc.
  return unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { scratch in
    let code = unsafe open(&context, bytes, options, scratch)
    if code != 0 { return unsafe .failure(DecodeError(reading: &context, code: code, options)) }
    let result = unsafe body(JSON(context: &context, node: context.root))
    guard case .failure(let error) = result else {
      unsafe close(&context)
      return result
    }
    let resolved = unsafe error.resolved(in: &context, options)
    unsafe close(&context)
    return .failure(resolved)
  }
}

/// Answers from a tree that an engine has already; nothing is read and nothing closed.
// SAFETY: the caller keeps the tree alive and the context in place for the call.
package func answering<Model>(
  _ context: UnsafeMutablePointer<decant_context>, _ options: DecodingOptions,
  _ body: (JSON) -> Decoded<Model>
) -> Decoded<Model> {
  var misses = decant_misses()
  // SAFETY: `misses` stays in this frame while the context points to it.
  return unsafe withUnsafeMutablePointer(to: &misses) { misses in
    unsafe context.pointee.misses = unsafe misses
    let result = unsafe body(JSON(context: context, node: context.pointee.root))
    guard case .failure(let error) = result else { return result }
    return unsafe .failure(error.resolved(in: context, options))
  }
}

/// Fills the context and reads the text; returns an index code. On failure nothing is left to close.
// SAFETY: the caller keeps bytes and scratch alive and in place until `close`.
@usableFromInline
package func open(
  _ context: UnsafeMutablePointer<decant_context>, _ bytes: UnsafeRawBufferPointer,
  _ options: DecodingOptions, _ scratch: UnsafeMutableRawBufferPointer
) -> Int32 {
  let misses = unsafe scratch.baseAddress!.assumingMemoryBound(to: decant_misses.self)
  unsafe misses.pointee.count = 0
  let used = (MemoryLayout<decant_misses>.size + 7) & ~7
  unsafe context.pointee.misses = unsafe misses
  unsafe context.pointee.slots =
    unsafe (scratch.baseAddress! + used).assumingMemoryBound(to: UInt64.self)
  unsafe context.pointee.slot_capacity = (scratch.count - used) / 8
  return unsafe open(context, bytes, options)
}

package func open(
  _ context: UnsafeMutablePointer<decant_context>, _ bytes: UnsafeRawBufferPointer,
  _ options: DecodingOptions
) -> Int32 {
  unsafe context.pointee.text = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  unsafe context.pointee.length = bytes.count
  unsafe context.pointee.rules = options.rules
  guard let engine = unsafe options.engine.table else {
    return unsafe decant_index_build(context)
  }
  unsafe context.pointee.engine = unsafe engine
  return unsafe engine.pointee.build(context)
}

@usableFromInline
package func close(_ context: UnsafeMutablePointer<decant_context>) {
  guard let engine = unsafe context.pointee.engine else {
    return unsafe decant_index_discard(context)
  }
  unsafe engine.pointee.discard(context)
}
