// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The source from which errors are resolved on demand: their document, or a copy of its text.
//
//   error ─┐
//   error ─┼─► origin ─► copy   | document or 0 | text |      indexed once, when the first of them is read
//   error ─┘

internal import CDecantIndex

extension DecodeError {
  /// The source that the errors of a document share. It lives as long as one of them.
  @safe
  final class Origin: @unchecked Sendable {
    // SAFETY: the paths are written while the document is read, by the thread that reads it; all else is immutable, but
    // for the first word of the copy, which C stores and loads.

    // The document's own text; unless it has an owner, a copy.
    private let document: Document?
    private let copy: UnsafeMutableRawBufferPointer?
    let rules: decant_rules
    let start: Location
    let home: Home
    /// The path of the document, if it is an element of a stream.
    let above: String
    let sourceName: String?
    let redacts: Bool
    /// The paths in a document that is not kept.
    var paths = ErrorPaths()

    /// - Parameters:
    ///   - keepsText: whether the text is copied. A document with an owner retains the owner instead.
    ///   - isPrinted: whether a text that is not kept may be searched in another document.
    init(
      _ context: ContextRef, _ sourceName: String?, keepsText: Bool, isPrinted: Bool = false
    ) {
      document = Document.owner(of: context)
      rules = context.rules
      start = context.start
      above = context.elementPath
      home = Home(context, isPrinted: isPrinted && !keepsText && document == nil)
      self.sourceName = sourceName
      redacts = context.redacts
      guard keepsText, document == nil else {
        unsafe copy = nil
        return
      }
      let text = unsafe context.source.buffer
      let copy = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.textOffset + text.count, alignment: MemoryLayout<Int>.alignment)
      unsafe copy.storeBytes(of: 0, as: Int.self)
      unsafe UnsafeMutableRawBufferPointer(rebasing: copy[Self.textOffset...]).copyMemory(
        from: text)
      unsafe self.copy = copy
    }

    /// The copy begins with the document that was made of it, or 0.
    private static var textOffset: Int { MemoryLayout<Int>.size }

    deinit {
      guard let copy = unsafe copy else { return }
      if let made = unsafe UnsafeRawPointer(bitPattern: copy.load(as: Int.self)) {
        unsafe Unmanaged<Document>.fromOpaque(made).release()
      }
      unsafe copy.deallocate()
    }

    /// Whether a borrowed document of `length` bytes is copied for so many errors: where copying it costs less than their
    /// texts. Larger ones are not, so that an error is never large.
    static func keeps(_ context: ContextRef, forErrors count: Int) -> Bool {
      context.isNative && context.length <= min(65_536 + 16_384 &* (count &- 1), 1 << 20)
    }

    /// The origin of the errors that models keep of a document.
    static func shared(by context: ContextRef) -> Origin {
      let what = UInt32(DECANT_KEPT_ORIGIN)
      // SAFETY: only this code keeps an object for errors beside a context.
      if let kept = unsafe decant_kept(context.pointer, what) {
        return unsafe Unmanaged<Origin>.fromOpaque(kept).takeUnretainedValue()
      }
      let keepsText = keeps(context, forErrors: context.errorLimit)
      let origin = Origin(context, nil, keepsText: keepsText)
      // The errors of values that share a document come from many threads.
      if origin.document != nil { return origin }
      let kept = unsafe Unmanaged.passRetained(origin)
      let isKept = unsafe decant_keep(context.pointer, what, kept.toOpaque()) { kept in
        if let kept = unsafe kept { unsafe Unmanaged<Origin>.fromOpaque(kept).release() }
      }
      if !isKept { unsafe kept.release() }
      return origin
    }

    /// The same for a document that outlives the call.
    init(_ document: Document) {
      self.document = document
      unsafe copy = nil
      let context = document.reference
      rules = context.rules
      start = context.start
      above = context.elementPath
      home = Home(context)
      sourceName = document.options.sourceName
      redacts = context.redacts
    }

    /// Whether errors can be read from here at any time.
    var isKept: Bool { unsafe document != nil || copy != nil }

    func owns(_ document: Document) -> Bool { self.document === document }

    /// The facts that the document's errors share.
    var blank: Resolution { Resolution(sourceName, redacts, above: above, home) }

    /// The document; nil if it is not kept, or if there is no memory to index it.
    private var whole: Document? {
      if let document { return document }
      guard let copy = unsafe copy, let base = copy.baseAddress else { return nil }
      // SAFETY: the word is there as long as the copy, and has a document that it owns, or 0.
      let word = unsafe base.assumingMemoryBound(to: Int.self)
      func made(_ word: Int) -> Document? {
        guard let made = unsafe UnsafeRawPointer(bitPattern: word) else { return nil }
        return unsafe Unmanaged<Document>.fromOpaque(made).takeUnretainedValue()
      }
      if let known = made(unsafe decant_word_load(word)) { return known }
      var options = DecodingOptions()
      options.rules = rules
      var isValid = true
      let document = unsafe withUnsafePointer(to: decant_start(start)) { start in
        let text = unsafe UnsafeRawBufferPointer(rebasing: copy[Self.textOffset...])
        return unsafe Document(text, options, from: start) { _, _ in isValid = false }
      }
      if !isValid { return nil }
      let mine = unsafe Unmanaged.passRetained(document)
      let own = unsafe Int(bitPattern: mine.toOpaque())
      let winner = unsafe decant_word_publish(word, own)
      if winner != own { unsafe mine.release() }
      return made(winner)
    }

    /// Calls `body` with the root of the document, if it is kept.
    func withRoot(_ body: (JSON) -> Void) {
      guard let document = whole else { return }
      defer { withExtendedLifetime(document) {} }
      body(document.reference.root)
    }

    /// The text of a borrowed document that is not JSON.
    func withText(_ body: (UnsafeRawBufferPointer) -> Void) {
      guard let copy = unsafe copy else { return }
      defer { withExtendedLifetime(self) {} }
      unsafe body(UnsafeRawBufferPointer(rebasing: copy[Self.textOffset...]))
    }

    /// The fingerprint of the document's text.
    var print: TextPrint? {
      if let root = document?.reference.root {
        if root.isNative { return TextPrint(root.source) }
        return unsafe root.bytes.withUnsafeBufferPointer {
          unsafe TextPrint(Bytes($0.baseAddress, $0.count))
        }
      }
      var print = home.print
      unsafe withText { unsafe print = TextPrint(Bytes($0)) }
      return print
    }
  }
}

/// An error that a model keeps. It is resolved when it is read, from the source that all such errors of a document share.
struct KeptError: @unchecked Sendable {
  // SAFETY: never written to again.
  private let unread: DecodeError
  private let origin: DecodeError.Origin?

  init(_ error: DecodeError, in context: ContextRef) {
    if error.isResolved || context.has(Int(DECANT_FACT_UNREAD)) {
      (unread, origin) = (error, nil)
      return
    }
    let shared = DecodeError.Origin.shared(by: context)
    let isKept = shared.isKept
    // A part of a document that is read by itself has a context of its own.
    unread = isKept ? error : error.resolvedNow(in: context, from: context.whole.root, shared)
    origin = isKept ? shared : nil
  }

  /// An error that another decoder reported.
  init(settled error: DecodeError) { (unread, origin) = (error, nil) }

  var error: DecodeError { origin.map { unread.read(from: $0) } ?? unread }
}
