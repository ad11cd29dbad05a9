// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document that outlives the call that read it: its own copy of the text, an index of exactly the size
// it needs (or an engine's tree), and the one object that gives both back. Immutable but for the look-up
// words of the index, which are relaxed atomics, and the directories of huge objects, which are published
// by one atomic pointer each; so it is shared freely.

package import CDecantIndex

@safe
package class Document: @unchecked Sendable {
  // SAFETY: made in init, given back in deinit, and the text and slots it points to likewise.
  package let context: UnsafeMutablePointer<decant_context>
  /// The copy of the text; empty for another engine's tree, which needs none.
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

  private func becomeOwner() {
    unsafe context.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    unsafe context.pointee.facts |= UInt32(DECANT_FACT_DOCUMENT)
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
