// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Reads a document during one call: opens and decodes it, resolves its error, and closes it. A document that outlives the
// call is a `Document`.

public import CDecantIndex

/// Reads `bytes` and passes the root to `body`. An error that `body` returns is resolved: it has its path, place and
/// text. `sourceName` is evaluated only then. Places count on from `start`, if the document is a part of a stream.
@_alwaysEmitIntoClient @inline(__always)
package func reading<Model>(
  _ bytes: UnsafeRawBufferPointer, _ engine: DecodingOptions.Engine, _ rules: decant_rules,
  from start: UnsafePointer<decant_start>? = nil,
  _ sourceName: @autoclosure () -> String?, _ body: (JSON) -> Decoded<Model>
) -> Decoded<Model> {
  // SAFETY: context, scratch, bytes and start outlive the view, which `body` cannot keep.
  unsafe withReadingRoom { context, scratch in
    let code = unsafe open(context, bytes, engine, rules, scratch, from: start)
    if code != 0 {
      return unsafe .failure(DecodeError(reading: ContextRef(context), code: code, sourceName()))
    }
    let result = unsafe body(ContextRef(context).root)
    switch consume result {
    case .success(let model):
      unsafe close(context)
      return .success(model)
    case .failure(let error):
      // Handed over: an error that somebody else has would be copied.
      let resolved = unsafe (consume error).resolved(in: ContextRef(context), sourceName())
      unsafe close(context)
      return .failure(resolved)
    }
  }
}

/// Passes the root of a document that has been read to `body`, resolves the error that it returns, and puts the outcome
/// into an uninitialized place: a large model that is returned is copied once more where two ways meet. Returns whether
/// there is a model: to look at the outcome would copy it as well.
// SAFETY: the caller keeps the context and what it points to for the call, and closes it.
@unsafe @_alwaysEmitIntoClient @inline(__always)
package func decode<Model>(
  _ context: UnsafeMutablePointer<decant_context>, _ sourceName: @autoclosure () -> String?,
  into place: UnsafeMutablePointer<Decoded<Model>>, _ body: (JSON) -> Decoded<Model>
) -> Bool {
  let result = unsafe body(ContextRef(context).root)
  switch consume result {
  case .success(let model):
    unsafe place.initialize(to: .success(model))
    return true
  case .failure(let error):
    unsafe place.initialize(
      to: .failure((consume error).resolved(in: ContextRef(context), sourceName())))
    return false
  }
}

/// Decodes from a tree that the options' engine already has. Nothing is parsed, and the tree is not released.
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
      let result = unsafe body(ContextRef(context).view(root))
      // Frees the table that errors have made for the tree.
      defer { unsafe decant_index_discard(context) }
      guard case .failure(let error) = result else { return result }
      return unsafe .failure(error.resolved(in: ContextRef(context), options.sourceName))
    }
  }
}
