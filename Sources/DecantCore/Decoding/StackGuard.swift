// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Recursive models and the stack. A model that contains itself decodes by recursion, a level of the document at a time,
// with the model's own frames in between. Every verb that decodes a value of a document asks before it descends, and
// fails with `tooDeep` where the thread's stack is nearly used up (decant_stack.h).
//
// Scalars are not asked about, which the compiler decides. A model of numbers is: it may be the sum of its parts.

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
    failure(.tooDeep, message: "nested too deeply for the stack of this thread")
  }
}
