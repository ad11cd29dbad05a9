// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The way to a value, as a chain of steps in the frames of the walk that took them.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// One step of the path to a value.
@safe
struct PathStep {
  enum Form {
    case key, escapedKey, pointer, index
  }

  // SAFETY: the frames of the walk above, and bytes of the document or the table: all outlive the step.
  let parent: UnsafePointer<PathStep>?
  let start: UnsafePointer<UInt8>?
  let count: Int
  let form: Form

  /// The pointer "": the value itself.
  var isItself: Bool { form == .pointer && count == 0 }

  static func index(_ index: Int, parent: UnsafePointer<PathStep>?) -> PathStep {
    unsafe PathStep(parent: parent, start: nil, count: index, form: .index)
  }
}

/// All the steps down to one, from the root on: an RFC 6901 pointer.
@safe
struct StepPath: ErrorPhrase {
  // SAFETY: as above.
  private let last: UnsafePointer<PathStep>?

  init(_ last: UnsafePointer<PathStep>?) { unsafe self.last = unsafe last }

  var isEmpty: Bool {
    guard let step = unsafe last?.pointee else { return true }
    return unsafe step.isItself && StepPath(step.parent).isEmpty
  }

  func write(to sink: inout some ErrorSink) {
    guard let step = unsafe last?.pointee else { return }
    unsafe StepPath(step.parent).write(to: &sink)
    if step.form != .pointer { sink.add("/") }
    guard let start = unsafe step.start else { return sink.add(step.count) }
    let text = unsafe ScalarReader(
      UnsafeBufferPointer(start: start, count: step.count), isEscaped: step.form == .escapedKey)
    if step.form == .pointer { text.write(to: &sink) } else { sink.add(token: text) }
  }
}
