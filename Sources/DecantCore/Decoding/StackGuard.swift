// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Recursive models and the stack. A model that contains itself decodes by recursion, a level of the document at a time,
// with the model's own frames in between. Every verb that decodes a value of a document checks the stack before it
// descends, and fails with `tooDeep` if the thread's stack is nearly used up (decant_stack.h).
//
// Scalars need no check; the compiler removes it. Other types of numbers keep it, because they may be models with parts.

public import CDecantIndex

extension JSON {
  /// Whether a value of this type may be decoded from here, one level deeper.
  @_alwaysEmitIntoClient @inline(__always)
  package static func mayDescend<Model>(into type: Model.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self
      || decant_stack_has_room()
  }

  /// The error of a value that lies deeper than the stack reaches.
  @usableFromInline @inline(never)
  package func stackIsFull() -> DecodeError {
    failure(
      .tooDeep, message: "nested too deeply for the stack of this thread",
      expected: "fewer levels")
  }
}
