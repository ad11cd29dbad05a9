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
// An error that left its document knows which one that was (`Home`). The first frame of another document that the
// error passes makes an error about the value there, which refers to the inner one. Nothing is formatted before
// somebody reads the outer error.
//
// The frame of an initializer does not see which field had the text. It is looked for when the error is read: the one
// value of the object that is the inner document, or the one string that spells it. Without it the error is about the
// object.

internal import CDecantIndex

extension DecodeError {
  /// Which document an error is of, as long as that is read. A context that is being read shares its address with no
  /// other, nor its text; copies of a context have their original's.
  struct Home: Equatable {
    private let context: UInt
    private let text: UInt

    init(_ reference: ContextRef) {
      // SAFETY: only addresses are taken.
      let original = unsafe reference.pointer.pointee.original ?? reference.pointer
      context = UInt(bitPattern: original)
      unsafe text = UInt(bitPattern: reference.pointer.pointee.text)
    }
  }

  /// An error of an inner document: one of several, if `whole` is several.
  struct Inner {
    let whole: DecodeError
    let place: Int

    var error: DecodeError {
      guard let list = whole.list else { return whole }
      let part = list.parts[place]
      return list.origin.map { part.read(from: $0) } ?? part
    }
  }

  /// The error of a document that was decoded inside the value, with its path and place there: of JSON in a string.
  /// Nil for every other error.
  ///
  ///     error.path               // /log
  ///     error.inner?.path        // /a
  ///
  /// - Complexity: constant.
  public var inner: DecodeError? { list == nil ? storage.inner?.error : nil }
}

extension DecodeError.Code {
  /// What the outer document's error is. Its value is of the right kind, and its text is not acceptable; limits and
  /// memory are what they are everywhere.
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

  /// The text of that document, if it is known.
  fileprivate var innerText: [UInt8]? {
    if case .list(let list) = form {
      return (list.origin ?? list.parts[0].storage.origin)?.innerText
    }
    return storage.origin?.innerText ?? storage.document.map { Origin($0).innerText }
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
    isOfInner(error) || !error.isResolved && error.parts.contains { isOfInner($0) }
  }

  /// An error of another document as one about this value, or one in flight that was made so; nil for others.
  package func inFlight(ofInner error: DecodeError) -> DecodeError? {
    if hasInner(error) { return located(error, at: node) }
    return !error.isResolved && error.parts.contains { $0.storage.inner != nil } ? error : nil
  }

  /// An error of another document as one about this value; others as they are.
  package func placingInner(_ error: DecodeError) -> DecodeError {
    hasInner(error) ? located(error, at: node) : error
  }

  /// An error of another document as one about the value at `node`.
  @inline(never)
  func enclosing(_ error: DecodeError, at node: UInt64) -> DecodeError {
    guard let list = error.list else { return enclosing(error, 0, at: node) }
    let parts = list.parts.indices.map { enclosing(error, $0, at: node) }
    return DecodeError(DecodeError.List(parts, omitted: list.omitted))
  }

  private func enclosing(_ whole: DecodeError, _ place: Int, at node: UInt64) -> DecodeError {
    let storage = DecodeError.Storage(
      whole.parts[place].code.ofOuter, node: field(ofCopied: whole, place, in: node))
    storage.tree = tree
    storage.document = Document.owner(of: reference)
    storage.inner = DecodeError.Inner(whole: whole, place: place)
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
  func fieldOfInner(_ storage: DecodeError.Storage) -> UInt64 {
    let json = JSON(storage.node, within: self)
    guard let inner = storage.inner, let text = inner.whole.innerText, !text.isEmpty,
      json.kind == .object || json.kind == .array
    else { return storage.node }
    var found: UInt64?
    var cursor = ChildCursor(seldom: json)
    var rest = JSON.mostKeysShown
    while let node = cursor.next(in: json) {
      let child = JSON(node, within: json)
      rest -= 1
      if rest < 0 { return storage.node }
      guard child.spells(text) || child.isWritten(text) else { continue }
      if found != nil { return storage.node }
      found = node
    }
    return found ?? storage.node
  }

  private func spells(_ text: [UInt8]) -> Bool {
    if kind != .string { return false }
    if isNative {
      // An escape has at most six bytes for one.
      let length = token.count - 2
      if length < text.count || length / 6 > text.count { return false }
    }
    return seldomString.map { $0.utf8.elementsEqual(text) } ?? false
  }

  private func isWritten(_ text: [UInt8]) -> Bool {
    if isNative, end - offset != text.count { return false }
    return bytes == text
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
      // Of a document that tells no values no inner one does.
      if redacts, !own.redacts {
        text.add(inner.code.words)
      } else {
        text.addExcerpt(600, isEscaped: false) { $0.add(inner.message) }
      }
    }
    if !redacts { note = own.note }
  }
}
