// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The parts of `build`: each part is unwrapped once, failures are collected, and if there are none, the model is made at
// the end. A part's strings move into the model. `DecodeErrors` does the same for models that are read field by field.

/// The failures among a model's parts.
@frozen @usableFromInline
package struct _BuildFailures {
  /// The failures so far as one error, in the order of the parts.
  @usableFromInline package var error: DecodeError?

  /// No failures so far.
  @_alwaysEmitIntoClient @inline(__always)
  package init() { error = nil }

  /// Takes a part apart: keeps its value, or notes its error.
  @_alwaysEmitIntoClient @inline(__always)
  package mutating func part<Value>(_ part: consuming Decoded<Value>) -> Value? {
    switch consume part {
    case .success(let value): return value
    case .failure(let failure):
      add(failure)
      return nil
    }
  }

  @usableFromInline @inline(never)
  mutating func add(_ failure: consuming DecodeError) {
    guard let earlier = error.take() else { return error = failure }
    error = .combining(earlier, failure)
  }
}

extension Optional {
  /// A part's value. `build` reads it only if no part failed.
  @_alwaysEmitIntoClient @inline(__always)
  var _part: Wrapped {
    // SAFETY: a part without a value has left its error in `_BuildFailures`, and `build` has returned it.
    unsafe unsafelyUnwrapped
  }
}
