// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The path to a value, as a chain of steps in the frames of the walk that took them.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// One step of the path to a value.
@safe
struct PathStep {
  enum Form {
    case key, pointer, member, escapedMember, index
  }

  // SAFETY: the frames of the walk above outlive the step.
  let parent: UnsafePointer<PathStep>?
  let bytes: Bytes
  let index: Int
  let form: Form

  init(_ parent: UnsafePointer<PathStep>?, _ bytes: Bytes, _ form: Form) {
    unsafe self.parent = unsafe parent
    self.bytes = bytes
    self.form = form
    index = 0
  }

  init(_ parent: UnsafePointer<PathStep>?, index: Int) {
    unsafe self.parent = unsafe parent
    bytes = unsafe Bytes(nil, 0)
    form = .index
    self.index = index
  }

  /// The pointer "": the value itself.
  var isItself: Bool { form == .pointer && bytes.count == 0 }
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

  func write(to sink: inout ErrorSink) {
    guard let step = unsafe last?.pointee else { return }
    unsafe StepPath(step.parent).write(to: &sink)
    if step.form != .pointer { sink.add("/") }
    switch step.form {
    case .index: sink.add(step.index)
    case .pointer: step.bytes.scalars().write(to: &sink)
    case .key, .member: sink.add(token: step.bytes.scalars())
    case .escapedMember: sink.add(token: step.bytes.scalars(isEscaped: true))
    }
  }
}

/// The path of an error: from the document's root down to the value that is decoded, and from there by steps.
@safe
struct FieldPath: ErrorPhrase {
  // SAFETY: the context outlives the path, and the document that it is a copy of outlives both.
  private let context: UnsafePointer<decant_context>
  private let steps: StepPath

  init(_ last: UnsafePointer<PathStep>?, in context: UnsafePointer<decant_context>) {
    unsafe self.context = unsafe context
    steps = unsafe StepPath(last)
  }

  /// The document, where a part of it is decoded.
  private var document: UnsafePointer<decant_context>? {
    guard let original = unsafe context.pointee.original,
      unsafe original.pointee.root != context.pointee.root
    else { return nil }
    return unsafe original
  }

  var isEmpty: Bool { unsafe document == nil && steps.isEmpty }

  func write(to sink: inout ErrorSink) {
    if let document = unsafe document {
      let root = unsafe JSON(context: document, node: document.pointee.root)
      let target = unsafe context.pointee.root
      if root.isNative {
        NodePath(target, below: root).write(to: &sink)
      } else {
        unsafe ForeignPath(document, target).write(to: &sink)
      }
    }
    steps.write(to: &sink)
  }
}

/// The path of a value of another engine, where the document has that value once. An engine can use one value for
/// every `null`, `true` or `false`; then the path is empty.
@safe
struct ForeignPath: ErrorPhrase {
  // SAFETY: the document outlives the path.
  private let document: UnsafePointer<decant_context>
  private let node: UInt64

  init(_ document: UnsafePointer<decant_context>, _ node: UInt64) {
    unsafe self.document = unsafe document
    self.node = node
  }

  // Recursion is bounded by the engine's own limit of nesting.
  func write(to sink: inout ErrorSink) {
    var parent = unsafe decant_parent()
    guard unsafe decant_parent_of(document, node, &parent) else { return }
    unsafe ForeignPath(document, parent.node).write(to: &sink)
    sink.add("/")
    guard let key = unsafe parent.key else { return sink.add(unsafe Int(parent.position)) }
    // SAFETY: the engine keeps the key's bytes as long as the document.
    sink.add(token: unsafe Bytes(key, parent.key_length).scalars())
  }
}
