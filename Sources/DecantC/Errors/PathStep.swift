// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The path to a value, as a chain of steps in the frames of the walk that took them.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// One step of the path to a value, and those above.
struct PathStep {
  enum Step {
    /// A field's member, or what its pointer leads to.
    case field(FieldRef)
    /// A part of a field's pointer.
    case pointer(Bytes)
    /// A map's member, by its key.
    case member(Bytes, isEscaped: Bool)
    case index(Int)
    /// Into the document that the string at a node spells.
    case document(ContextRef, UInt64)
  }

  let above: StepPath
  fileprivate(set) var step: Step

  /// Whether the value is a field's; that of the pointer "" is what the value itself is.
  var isField: Bool {
    switch step {
    case .field, .pointer: !isItself || above.isField
    case .member, .index, .document: false
    }
  }

  /// The pointer "": the value itself.
  var isItself: Bool {
    switch step {
    case .field(let field): field.isItself
    case .pointer(let pointer): pointer.count == 0
    case .member, .index, .document: false
    }
  }
}

/// All the steps down to one, from the root on: an RFC 6901 pointer.
@safe
struct StepPath {
  // SAFETY: a frame of the walk that made the path, which outlives it: paths are handed to closures alone.
  private let pointer: UnsafePointer<PathStep>?

  /// No steps.
  init() { unsafe pointer = nil }

  private init(_ last: UnsafePointer<PathStep>) { unsafe pointer = last }

  var last: PathStep? { unsafe pointer?.pointee }

  /// Whether the value is a field's, not an element and not the value that decoding began with.
  var isField: Bool { last?.isField == true }

  /// Calls `body` with the path to a part of the value here.
  @inline(__always)
  func adding(_ step: PathStep.Step, _ body: (StepPath) -> Status) -> Status {
    unsafe withUnsafePointer(to: PathStep(above: self, step: step)) { unsafe body(StepPath($0)) }
  }

  /// Calls `body` with the paths to so many elements, until it returns a failure.
  @inline(__always)
  func forEachElement(_ count: Int, _ body: (Int, StepPath) -> Status) -> Status {
    var element = PathStep(above: self, step: .index(0))
    return unsafe withUnsafeMutablePointer(to: &element) { element in
      for index in 0..<count {
        unsafe element.pointee.step = .index(index)
        let status = unsafe body(index, StepPath(element))
        if status != ok { return status }
      }
      return ok
    }
  }

  /// The innermost document inside another one that the path leads into: the string that spells it, and the path there.
  var document: (outer: ContextRef, node: UInt64, path: StepPath)? {
    var path = self
    while let last = path.last {
      if case .document(let outer, let node) = last.step { return (outer, node, last.above) }
      path = last.above
    }
    return nil
  }

  /// Writes the steps as an RFC 6901 pointer, from the root of the innermost document on.
  func write(to sink: inout ErrorSink) {
    guard let last else { return }
    if case .document = last.step { return }
    last.above.write(to: &sink)
    if sink.isDone { return }
    switch last.step {
    case .field(let field) where field.isRest: break
    case .field(let field) where field.isPointer: field.key.scalars().write(to: &sink)
    case .pointer(let pointer): pointer.scalars().write(to: &sink)
    case .field(let field): write(token: field.key.scalars(), to: &sink)
    case .member(let key, let isEscaped):
      write(token: key.scalars(isEscaped: isEscaped), to: &sink)
    case .index(let index):
      sink.add("/")
      sink.add(index)
    case .document: break
    }
  }

  /// A number for the path's text (FNV-1a), which two paths have by chance alone; nil if there is no memory for the text.
  func digest(_ allocator: decant_allocator) -> UInt64? {
    var ruler = unsafe ErrorSink(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    write(to: &ruler)
    let size = ruler.length + 1
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    let status = withMemory(size, onStack: 256, allocator) { text in
      // SAFETY: the memory has so many bytes.
      var sink = unsafe ErrorSink(UnsafeMutableRawBufferPointer(start: text.start, count: size))
      write(to: &sink)
      for at in 0..<sink.used {
        digest = (digest ^ UInt64(text.load(UInt8.self, at: at))) &* 0x100_0000_01b3
      }
      return ok
    }
    return status == ok ? digest : nil
  }

  private func write(token: ScalarReader, to sink: inout ErrorSink) {
    sink.add("/")
    sink.add(token: token)
  }
}

extension ContextRef {
  /// Writes the path of a part of the value that is decoded: from the document's root down to the value, and on by
  /// steps.
  func writePath(_ steps: StepPath, to sink: inout ErrorSink) {
    writeAbove(to: &sink)
    // SAFETY: the document that a context is a copy of outlives the copy.
    if let document = unsafe pointer.pointee.original.map({ unsafe ContextRef($0) }) {
      document.root.writePath(downTo: root.node, to: &sink)
    }
    steps.write(to: &sink)
  }
}
