// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors of a document that was decoded inside another one, such as JSON in a string:
//
//   outer   {"log":"{\"a\":\"x\"}"}
//   inner   {"a":"x"}
//
//   2:8: /log: in the inner document, 1:6: /a: expected an integer, found the string "x"
//
// An error that leaves its document records which document that is (`Home`). The first frame of another document that the
// error passes makes an error about its own value, which refers to the inner error. Nothing is formatted until the outer
// error is read.
//
// The frame of an initializer does not know which field had the text. When the error is read, that field is searched: the
// one value of the object that is the inner document, or the one string that spells it. The text may no longer exist, so
// strings are compared by length and a hash of parts. If there is no such field, the error is about the object.

internal import CDecantIndex

extension DecodeError {
  /// Which document an error is of, as long as that is read. A context that is being read shares its address with no
  /// other, nor its text; copies of a context have their original's.
  struct Home: Equatable {
    private let context: UInt
    private let text: UInt
    /// The fingerprint of the text, if the text is not kept.
    let print: TextPrint?

    /// - Parameter isPrinted: whether to look at the text.
    init(_ reference: ContextRef, isPrinted: Bool = false) {
      // SAFETY: only addresses are taken.
      let original = unsafe reference.pointer.pointee.original ?? reference.pointer
      context = UInt(bitPattern: original)
      unsafe text = UInt(bitPattern: reference.pointer.pointee.text)
      print = isPrinted && reference.length > 0 ? TextPrint(reference.source) : nil
    }

    static func == (a: Home, b: Home) -> Bool { a.context == b.context && a.text == b.text }
  }

  /// The fingerprint of a text, to find it in another document.
  struct TextPrint: Equatable {
    let count: Int
    private let hash: Int

    init(_ text: Bytes) {
      count = text.count
      var hasher = Hasher()
      if count <= 4 * Self.window {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(text.buffer))
      } else {
        for start in [0, (count - Self.window) / 2, count - Self.window] {
          let part = text[start..<start + Self.window]
          unsafe hasher.combine(bytes: UnsafeRawBufferPointer(part.buffer))
        }
      }
      hash = hasher.finalize()
    }

    /// Bytes of the beginning, the middle and the end of a longer text. An error takes no time of its document's length.
    private static var window: Int { 1024 }

    init(_ text: String) {
      var text = text
      self = text.withUTF8 { unsafe TextPrint(Bytes($0.baseAddress, $0.count)) }
    }
  }

  /// An error of an inner document: one of several, if `whole` is several.
  struct Inner {
    let document: InnerDocument
    let place: Int

    var whole: DecodeError { document.error }

    var error: DecodeError {
      guard let list = whole.list else { return whole }
      let part = list.parts[place]
      return list.origin.map { part.read(from: $0) } ?? part
    }
  }

  /// The errors of an inner document, and which value of the outer one has it.
  @safe
  final class InnerDocument: @unchecked Sendable {
    let error: DecodeError
    // SAFETY: allocated in init and deallocated by deinit; C stores and loads it.
    private let field = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init(_ error: DecodeError) {
      self.error = error
      unsafe field.initialize(to: 0)
    }

    deinit { unsafe field.deallocate() }

    /// The value's node, which is looked for once for all the errors, unless it is more than a word.
    func field(_ find: () -> UInt64) -> UInt64 {
      let known = unsafe decant_word_load(field)
      if known != 0 { return UInt64(bitPattern: Int64(known)) &- 1 }
      let node = find()
      if let word = Int(exactly: Int64(bitPattern: node &+ 1)) {
        _ = unsafe decant_word_publish(field, word)
      }
      return node
    }
  }

  /// The error of a document that was decoded inside the value, with its path and place in that document, such as
  /// JSON in a string. Nil for every other error.
  ///
  ///     error.path               // /log
  ///     error.inner?.path        // /a
  ///
  /// - Complexity: constant.
  public var inner: DecodeError? { list == nil ? storage.inner?.error : nil }
}

extension DecodeError.Code {
  /// The code of the outer document's error: the value has the right kind, and its text is not acceptable. Codes of limits
  /// and memory stay.
  fileprivate var ofOuter: DecodeError.Code {
    switch category {
    case .limit, .memory: self
    case .syntax, .data, .input: .invalidValue
    }
  }
}

extension DecodeError {
  /// The document that the error has left or belongs to; nil for an error in flight of a document that is only borrowed,
  /// and for one that is about no document.
  fileprivate var home: Home? {
    switch form {
    case .simple: return nil
    case .list(let list): return list.origin?.home ?? (list.isResolved ? list.parts[0].home : nil)
    case .stored(let storage):
      return storage.origin?.home ?? storage.extras?.resolution?.home
        ?? storage.document.map { Home($0.reference) }
    }
  }

  /// The fingerprint of that document's text.
  fileprivate var innerPrint: TextPrint? {
    if case .list(let list) = form { return list.origin?.print ?? list.parts[0].innerPrint }
    return storage.origin?.print ?? storage.document.flatMap { Origin($0).print }
      ?? storage.extras?.resolution?.home?.print
  }
}

extension JSON {
  /// Whether an error is of another document.
  func isOfInner(_ error: DecodeError) -> Bool {
    guard let other = error.home else { return false }
    return other != DecodeError.Home(reference)
  }

  /// Whether an error is of another document, or one of several is.
  package func hasInner(_ error: DecodeError) -> Bool {
    isOfInner(error) || !error.isResolved && error.hasPart { isOfInner($0) }
  }

  /// An error of another document as one about this value, or one in flight that was made so; nil for others.
  package func inFlight(ofInner error: DecodeError) -> DecodeError? {
    if hasInner(error) { return located(error, at: node) }
    return !error.isResolved && error.hasPart { $0.storage.inner != nil } ? error : nil
  }

  /// An error of another document as one about this value; others as they are.
  package func placingInner(_ error: DecodeError) -> DecodeError {
    hasInner(error) ? located(error, at: node) : error
  }

  /// An error of another document as one about the value at `node`.
  @inline(never)
  func enclosing(_ error: DecodeError, at node: UInt64) -> DecodeError {
    let inner = DecodeError.InnerDocument(error)
    guard let list = error.list else { return enclosing(inner, 0, at: node) }
    let parts = list.parts.indices.map { enclosing(inner, $0, at: node) }
    return DecodeError(DecodeError.List(parts, omitted: list.omitted))
  }

  private func enclosing(
    _ inner: DecodeError.InnerDocument, _ place: Int, at node: UInt64
  ) -> DecodeError {
    let whole = inner.error
    let storage = DecodeError.Storage(
      whole.parts[place].code.ofOuter, node: field(ofCopied: whole, place, in: node))
    storage.tree = tree
    storage.document = Document.owner(of: reference)
    storage.inner = DecodeError.Inner(document: inner, place: place)
    return DecodeError(storage)
  }

  /// The value of an object or array that an error is in, if that is of the copy of this document (Document.keeping), whose
  /// nodes are the same; else the object.
  private func field(ofCopied whole: DecodeError, _ place: Int, in node: UInt64) -> UInt64 {
    let json = JSON(node, within: self)
    guard json.isNative, json.isContainer, let copy = Document.copy(of: reference),
      whole.home == DecodeError.Home(copy.reference)
    else { return node }
    let inner = whole.parts[place].storage.node
    var position: UInt64 = 0
    // SAFETY: a container of the document.
    let field = unsafe decant_child_around(context, node, inner, &position)
    return field == DECANT_NODE_NONE ? node : field
  }

  /// The node that an error with an inner one is about: of an object or array at its node, the one value that is the inner
  /// document or spells it, if there is one.
  ///
  /// - Complexity: linear in the text of both, once for all the errors of the inner document.
  func fieldOfInner(_ storage: DecodeError.Storage) -> UInt64 {
    let json = JSON(storage.node, within: self)
    guard json.kind == .object || json.kind == .array, let inner = storage.inner else {
      return storage.node
    }
    return inner.document.field {
      inner.whole.innerPrint.flatMap { json.child(spelling: $0) } ?? storage.node
    }
  }

  /// The one child that is a document or spells it.
  private func child(spelling print: DecodeError.TextPrint) -> UInt64? {
    var found: UInt64?
    var cursor = ChildCursor(seldom: self)
    while let node = cursor.next(in: self) {
      let child = JSON(node, within: self)
      guard child.spells(print) || child.isWritten(print) else { continue }
      if found != nil { return nil }
      found = node
    }
    return found
  }

  private func spells(_ print: DecodeError.TextPrint) -> Bool {
    if kind != .string { return false }
    if isNative {
      // An escape has at most six bytes for one.
      let length = token.count - 2
      if length < print.count || length / 6 > print.count { return false }
    }
    return seldomString.map { $0.utf8.count == print.count && DecodeError.TextPrint($0) == print }
      ?? false
  }

  private func isWritten(_ print: DecodeError.TextPrint) -> Bool {
    if !isNative {
      return unsafe bytes.withUnsafeBufferPointer {
        unsafe DecodeError.TextPrint(Bytes($0.baseAddress, $0.count)) == print
      }
    }
    let end = end
    return end - offset == print.count && DecodeError.TextPrint(source[offset..<end]) == print
  }
}

extension DecodeError.Resolution {
  /// Describes an error by that of the inner document.
  func describe(_ inner: DecodeError) {
    let own = inner.first.resolution(.all)
    message = written { text in
      text.add("in the inner document")
      let place = written { text in
        text.addPlace(source: own.sourceName, location: own.location) { $0.add(own.path) }
      }
      text.add(place.isEmpty ? ": " : ", ")
      text.add(place)
      // If the document's values are redacted, so are those of the inner document.
      if redacts, !own.redacts {
        text.add(inner.code.words)
      } else {
        let message = inner.message
        text.addExcerpt(600, isEscaped: false) { $0.add(message) }
      }
    }
    if !redacts { note = own.note }
  }
}
