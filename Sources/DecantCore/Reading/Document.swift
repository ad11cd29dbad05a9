// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document that outlives the call that read it: a copy of the text, an index of exactly its size (or an engine's tree),
// and the object that owns both. It is immutable except for the look-up words of the index, which are relaxed atomics, and
// the directories of huge objects, each of which is published by one atomic pointer. So threads can share it.

package import CDecantIndex

@safe
package class Document: @unchecked Sendable {
  // SAFETY: made in init and released in deinit, with the text and slots that it points to.
  package let context: UnsafeMutablePointer<decant_context>
  /// The copy of the text, after that of the slots if those are copied; empty for another engine's tree, which needs none.
  private let text: UnsafeMutableRawBufferPointer

  /// How it was read, for the errors of models that are decoded from it.
  package let options: DecodingOptions

  /// Reads `bytes`, and copies them if they are a document.
  /// - Parameter start: the place of the first byte, for a part of a stream.
  /// - Parameter failed: called with the code if they are not a document, while the context has the text. The
  ///   document is then of no use.
  init(
    _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions,
    from start: UnsafePointer<decant_start>? = nil,
    _ failed: (ContextRef, Int32) -> Void
  ) {
    unsafe context = .allocate(capacity: 1)
    self.options = options
    let code = unsafe open(context, bytes, options.engine, options.rules, from: start)
    if let start = unsafe start {
      unsafe context.pointee.start = UnsafePointer(start.copied())
    }
    let isKept = unsafe code == 0 && context.pointee.engine == nil
    unsafe text = .allocate(byteCount: isKept ? bytes.count : 0, alignment: 1)
    if code != 0 {
      failed(reference, code)
      return
    }
    if isKept {
      unsafe text.copyMemory(from: bytes)
      unsafe decant_index_fit(context)
    }
    // SAFETY: slots are offsets, so that they are right for a copy of the text too.
    let start = unsafe text.baseAddress!.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.text = UnsafePointer(start)
    unsafe context.pointee.length = text.count
    becomeOwner()
  }

  /// No document: its root is missing.
  package init() {
    unsafe context = .allocate(capacity: 1)
    unsafe prepare(context, .native, DecodingOptions().rules)
    unsafe text = .allocate(byteCount: 0, alignment: 1)
    options = DecodingOptions()
    unsafe context.pointee.root = DECANT_NODE_MISSING
  }

  /// A document over a tree that the options' engine has already; the engine's `discard` gives it back.
  package init(adopting root: UInt64, _ options: DecodingOptions) {
    self.options = options
    unsafe context = .allocate(capacity: 1)
    unsafe prepare(context, options.engine, options.rules)
    unsafe context.pointee.root = root
    unsafe text = .allocate(byteCount: 0, alignment: 1)
    becomeOwner()
  }

  /// A copy of what was read without another engine: text and slots, so that a value has the same node.
  private init(copying original: ContextRef, _ options: DecodingOptions) {
    self.options = options
    unsafe context = .allocate(capacity: 1)
    unsafe context.initialize(to: decant_context_copy(original.pointer, nil))
    unsafe context.pointee.root = original.whole.pointer.pointee.root
    // The original still owns the memory that was moved.
    unsafe context.pointee.owned_slots = nil
    unsafe context.pointee.original = nil
    let source = unsafe original.source.buffer
    let index = MemoryLayout<UInt64>.stride * Int(truncatingIfNeeded: original.slotCount)
    unsafe text = .allocate(
      byteCount: index + source.count, alignment: MemoryLayout<UInt64>.alignment)
    let start = unsafe text.baseAddress!
    // SAFETY: the slots come first, aligned as they need it, and the text follows.
    unsafe decant_index_move(context, start.assumingMemoryBound(to: UInt64.self))
    unsafe (start + index).copyMemory(from: source.baseAddress!, byteCount: source.count)
    unsafe context.pointee.text = UnsafePointer(
      (start + index).assumingMemoryBound(to: UInt8.self))
    unsafe context.pointee.start = context.pointee.start.map { unsafe UnsafePointer($0.copied()) }
    becomeOwner()
  }

  /// The document of a context. A borrowed document is copied, once for all callers while it is read: a list whose elements
  /// are all kept is copied once. Nil for another engine's tree.
  package static func keeping(_ context: ContextRef, _ options: DecodingOptions) -> Document? {
    if let owner = owner(of: context) { return owner }
    guard context.isNative, context.slotCount > 0 else { return nil }
    return copy(of: context) ?? Document(copying: context, options).keep(beside: context)
  }

  /// The same of another engine's tree: a document of its text, whose nodes are others.
  static func rewriting(_ context: ContextRef, _ options: DecodingOptions) -> Document? {
    if let copy = copy(of: context) { return copy }
    var isValid = true
    let copy = unsafe context.root.bytes.withUnsafeBytes { bytes in
      unsafe Document(bytes, options) { _, _ in isValid = false }
    }
    return isValid ? copy.keep(beside: context) : nil
  }

  /// The copy of a document that is only borrowed, if there is one.
  static func copy(of context: ContextRef) -> Document? {
    // SAFETY: only this code keeps a copy beside a context.
    unsafe decant_kept(context.pointer, UInt32(DECANT_KEPT_COPY)).map {
      unsafe Unmanaged<Document>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Keeps the copy for all who ask. Without memory for that it is the caller's alone.
  private func keep(beside context: ContextRef) -> Document {
    let kept = unsafe Unmanaged.passRetained(self)
    let isKept = unsafe decant_keep(
      context.pointer, UInt32(DECANT_KEPT_COPY), kept.toOpaque()
    ) { kept in
      if let kept = unsafe kept { unsafe Unmanaged<Document>.fromOpaque(kept).release() }
    }
    if !isKept { unsafe kept.release() }
    return self
  }

  private func becomeOwner() {
    // A limit that is there sends every collection to where it is counted, if it can be (MemoryGuard).
    unsafe context.pointee.rules.maximum_memory = UInt64(
      reference.memoryLimit(by: context.pointee.rules))
    unsafe context.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    unsafe context.pointee.facts |= UInt32(DECANT_FACT_DOCUMENT)
  }

  /// A copy of the context for one reader, which counts what it keeps.
  // SAFETY: document and misses outlive the copy.
  package func counting(_ misses: UnsafeMutablePointer<decant_misses>?) -> decant_context {
    var copy = unsafe decant_context_copy(context, misses)
    copy.rules.maximum_memory = options.rules.maximum_memory
    return copy
  }

  /// The context, as long as the document.
  package var reference: ContextRef { unsafe ContextRef(context) }

  /// The document that a context belongs to; nil if the context is only borrowed.
  // SAFETY: the fact says that the owner is a Document, which lives as long as its views.
  package static func owner(of context: ContextRef) -> Document? {
    guard context.has(Int(DECANT_FACT_DOCUMENT)) else { return nil }
    return unsafe context.pointer.pointee.owner.map {
      unsafe Unmanaged<Document>.fromOpaque($0).takeUnretainedValue()
    }
  }

  deinit {
    unsafe release(context)
    unsafe text.deallocate()
    // The initializer's copy.
    unsafe context.pointee.start?.deallocate()
    unsafe context.deallocate()
  }
}

extension ContextRef {
  /// Whether the context is a document's own, which threads share, and in which nothing is counted. All others are one
  /// reader's.
  var isShared: Bool {
    // SAFETY: only addresses are compared.
    Document.owner(of: self).map { unsafe UnsafePointer($0.context) == pointer } ?? false
  }

  /// The number of bytes of memory that the document may take by some rules. The tree of another engine has no text; the
  /// engine has bounded it.
  package func memoryLimit(by rules: decant_rules) -> Int {
    var rules = rules
    if length == 0, !isNative, rules.maximum_memory == 0 { return .max }
    return Int(clamping: unsafe decant_memory_limit(&rules, UInt64(length)))
  }

  /// How many bytes the index leaves of the memory that the document may take.
  package func memoryLeft(by rules: decant_rules) -> Int {
    max(0, memoryLimit(by: rules) - Int(clamping: slotCount) * 8)
  }
}
