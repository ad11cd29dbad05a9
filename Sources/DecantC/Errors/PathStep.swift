// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The path to a value, as a chain of steps in the frames of the walk that took them.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// One step of the path to a value.
struct PathStep {
  enum Form {
    case key, pointer, member, escapedMember, index
  }

  let parent: StepPath
  let bytes: Bytes
  let index: Int
  let form: Form

  init(_ parent: StepPath, _ bytes: Bytes, _ form: Form) {
    self.parent = parent
    self.bytes = bytes
    self.form = form
    index = 0
  }

  init(_ parent: StepPath, index: Int) {
    self.parent = parent
    bytes = Bytes()
    form = .index
    self.index = index
  }

  /// The pointer "": the value itself.
  var isItself: Bool { form == .pointer && bytes.count == 0 }
}

/// All the steps down to one, from the root on: an RFC 6901 pointer.
@safe
struct StepPath: ErrorPhrase {
  // SAFETY: a frame of the walk that made the path, which outlives it.
  private let pointer: UnsafePointer<PathStep>?

  /// No steps.
  init() { unsafe pointer = nil }

  init(_ last: UnsafePointer<PathStep>) { unsafe pointer = last }

  var last: PathStep? { unsafe pointer?.pointee }

  var isEmpty: Bool {
    guard let last else { return true }
    return last.isItself && last.parent.isEmpty
  }

  func write(to sink: inout ErrorSink) {
    guard let step = last else { return }
    step.parent.write(to: &sink)
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
struct FieldPath: ErrorPhrase {
  private let context: ContextRef
  private let steps: StepPath

  init(_ steps: StepPath, in context: ContextRef) {
    self.context = context
    self.steps = steps
  }

  /// The document, where a part of it is decoded.
  private var document: ContextRef? {
    // SAFETY: the document that a context is a copy of outlives the copy.
    guard let original = unsafe context.pointer.pointee.original.map({ unsafe ContextRef($0) }),
      original.root.node != context.root.node
    else { return nil }
    return original
  }

  var isEmpty: Bool { !context.isElement && document == nil && steps.isEmpty }

  func write(to sink: inout ErrorSink) {
    context.writeAbove(to: &sink)
    if let document {
      let root = document.root
      let target = context.root.node
      if root.isNative {
        NodePath(target, below: root).write(to: &sink)
      } else {
        ForeignPath(document, target).write(to: &sink)
      }
    }
    steps.write(to: &sink)
  }
}

/// The path of a value of another engine, where the document has that value once. An engine can use one value for
/// every `null`, `true` or `false`; then the path is empty.
struct ForeignPath: ErrorPhrase {
  private let document: ContextRef
  private let node: UInt64

  init(_ document: ContextRef, _ node: UInt64) {
    self.document = document
    self.node = node
  }

  // Recursion is bounded by the engine's own limit of nesting.
  func write(to sink: inout ErrorSink) {
    var parent = decant_parent()
    guard unsafe decant_parent_of(document.pointer, node, &parent) else { return }
    ForeignPath(document, parent.node).write(to: &sink)
    sink.add("/")
    guard let key = unsafe parent.key else { return sink.add(Int(parent.position)) }
    // SAFETY: the engine keeps the key's bytes as long as the document.
    sink.add(token: unsafe Bytes(key, parent.key_length).scalars())
  }
}
