// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One error type, one word, in three states.
//
//   in flight   a code, a node, and what was expected there. Nothing is formatted, so that failure costs
//               little and success nothing. A plain mismatch in a native document fits into the word itself;
//               other errors are a reference. Several errors are a list of such words.
//   kept        at the boundary, for a small document: the same, and a copy of the document's bytes. Path,
//               place and text are computed from it, each on demand.
//   resolved    at the boundary, for a large document or another engine's: path, place and what was found,
//               computed while the document existed.
//
// After the boundary an error never changes. DecodeError+Resolving.swift resolves errors; DecodeError+Description.swift
// makes the text.

package import CDecantIndex

/// Why a document did not become a model: what, where, and on which path.
///
///     try User(decoding: #"{"id":"5","name":"Tester"}"#)
///     // 1:7: /id: expected an integer, found the string "5"
///     //   {"id":"5","name":"Tester"}
///     //         ^~~
///
/// If there are several errors, ``code`` is ``Code/multiple`` and ``underlying`` has them all, in the order of the
/// model and of the document.
public struct DecodeError: Error, @unchecked Sendable {
  var form: Form

  enum Form {
    case simple(Simple)
    // SAFETY: mutated only in flight, by the one frame that holds it, and never after it passed the
    // boundary. An error that a model can hold is copied before it is first written to.
    case stored(Storage)
    // SAFETY: as above.
    case list(List)
  }

  /// An error in flight about a native value: seven bytes, so that with the other forms it fits into eight.
  struct Simple: Equatable {
    let node: UInt32
    var code: UInt16
    let expected: Expectation

    init(_ code: Code, _ node: UInt64, _ expected: Expectation) {
      self.node = UInt32(truncatingIfNeeded: node)
      self.code = UInt16(truncatingIfNeeded: code.rawValue)
      self.expected = expected
    }
  }

  init(_ storage: Storage) { form = .stored(storage) }

  init(_ simple: Simple) { form = .simple(simple) }

  init(_ list: List) { form = .list(list) }

  /// Whether the error can leave its document.
  var isResolved: Bool {
    switch form {
    case .simple: false
    case .stored(let storage): storage.isResolved
    case .list(let list): list.isResolved
    }
  }

  /// The error's own storage, or one made from its simple form: to be read, not to be written to. Of several errors, the
  /// first one's.
  var storage: Storage {
    @inline(never) get {
      switch form {
      case .simple(let simple): Storage(simple)
      case .stored(let storage): storage
      case .list(let list): list.parts[0].storage
      }
    }
  }

  /// The several errors, if they are.
  var list: List? {
    guard case .list(let list) = form else { return nil }
    return list
  }
}

// MARK: - For readers

extension DecodeError {
  /// What is wrong.
  public var code: Code {
    switch form {
    case .simple(let simple): Code(status: Int32(simple.code))
    case .stored(let storage): storage.code
    case .list: .multiple
    }
  }

  /// The place in the document as an RFC 6901 pointer; for a missing key, where it should be.
  /// The pointer of ``Code/multiple`` is the first underlying error's.
  ///
  /// - Complexity: linear in the path's length, at each call.
  public var path: JSONPointer { JSONPointer(first.resolution(.path).path) }

  /// The place in the bytes; nil if the engine does not know it. libjansson does not know it after
  /// parsing.
  public var location: Location? { first.resolution(.place).location }

  /// For a duplicate key, the place of its first occurrence.
  public var otherLocation: Location? {
    code == .duplicateKey ? resolution(.text).otherLocation : nil
  }

  /// The single errors when there are several, flat and in order; empty otherwise.
  ///
  /// - Complexity: linear in the errors at each call: a loop over many of them keeps the array.
  public var underlying: [DecodeError] {
    guard let list else { return [] }
    guard let origin = list.origin else { return list.parts }
    return list.parts.map { $0.read(from: origin) }
  }

  /// How many further errors were counted and not kept.
  package var omittedCount: Int { list?.omitted ?? 0 }

  /// How many errors this is: 1, or all of ``Code/multiple``, including those that were only counted and are not
  /// in ``underlying`` (see ``DecodingOptions/maximumErrors``).
  public var count: Int { list.map { $0.parts.count + $0.omitted } ?? 1 }

  /// What was expected, such as `an integer`; `',' or ']'` in a document that is not JSON.
  public var expected: String? {
    if list != nil { return nil }
    let storage = storage
    return storage.expectation
      ?? (storage.code.category == .syntax ? resolution(.text).accepted : nil)
  }

  /// What was found, such as `the string "thirty"`; with ``DecodingOptions/redactsInput``, its kind.
  public var found: String? { list == nil ? resolution(.text).found : nil }

  /// The name of the document: ``DecodingOptions/sourceName``.
  public var sourceName: String? { first.resolution([]).sourceName }

  var first: DecodeError {
    guard let list, let first = list.parts.first else { return self }
    return list.origin.map { first.read(from: $0) } ?? first
  }

  /// A place in the bytes of a document.
  public struct Location: Hashable, Sendable {
    /// Bytes before it.
    public let offset: Int
    /// From 1; lines end with LF.
    public let line: Int
    /// In characters (Unicode scalars), from 1.
    public let column: Int

    package init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }

    /// The place of the first byte of a stream.
    package static var start: Location { Location(offset: 0, line: 1, column: 1) }
  }
}

// MARK: - For writers of decoders

extension DecodeError {
  /// An error of your own, with a message. Its path and place are those of the value being decoded; a document's root
  /// has neither. ``invalidValue(_:in:)`` is about a value that you name, such as a field.
  public static func custom(_ message: String) -> DecodeError {
    let storage = Storage(.custom)
    storage.message = message
    return DecodeError(storage)
  }

  /// The error about a value that is not what the model expects, such as `a date`.
  ///
  /// - Parameter code: ``Code/typeMismatch`` for a value of another kind; for one of the right kind,
  ///   ``Code/invalidValue`` or ``Code/numberOutOfRange``.
  public static func mismatch(
    _ code: Code = .typeMismatch, expected: StaticString, in json: JSON
  ) -> DecodeError { json.failure(code, expected: expected) }

  /// The error about a value of the right kind that is not acceptable.
  public static func invalidValue(_ message: String, in json: JSON) -> DecodeError {
    json.failure(.invalidValue, message: message)
  }

  /// Several errors as one: flat, in order, a single one unwrapped. The operation is associative. If successive
  /// fields report the same error about one value, such as a root that is not an object, it is kept once. Errors
  /// after the first 1,024 are only counted: a fold from the left is linear in the errors; one from the right copies
  /// up to 1,024 for each.
  public static func combining(
    _ first: consuming DecodeError, _ second: consuming DecodeError
  ) -> DecodeError {
    if case .simple(let one) = first.form, case .simple(let other) = second.form, one == other {
      return first
    }
    let list = first.growing()
    list.append(second)
    return list.error
  }
}

// MARK: - For callers of other languages

extension DecodeError {
  /// A call that cannot be answered.
  package static func invalidArgument(
    _ message: String, _ code: Code = .invalidArgument
  ) -> DecodeError {
    DecodeError(settled: code, message)
  }

  /// The same error with its places in a stream, where bytes were taken out of the text, which begins at `start`.
  package func moved(
    behind seam: TextSeam, in text: Bytes, from start: Location, _ rules: decant_rules
  ) -> DecodeError {
    let moved = storage.copy()
    let resolution = self.resolution(.all)
    func place(_ location: Location) -> Location {
      seam.location(of: location.offset - start.offset, in: text, from: start)
    }
    if resolution.excerpt != nil, let location = resolution.location {
      var lines = LineCounter(text, from: start)
      let offset = location.offset - start.offset
      _ = lines.location(of: offset)
      let length = DocumentFacts.markedLength(code, at: offset, in: text)
      let excerpt = SourceExcerpt(
        text, offset: offset, length: length, lineStart: lines.lineStart, gap: seam.gap)
      resolution.excerpt = written { excerpt.write(to: &$0) }
    }
    resolution.location = resolution.location.map(place)
    resolution.otherLocation = resolution.otherLocation.map(place)
    if code.category == .syntax, moved.isAboutDocument {
      resolution.setTexts(
        of: SyntaxMessage(
          code: code, offset: min(Int(moved.node), text.count), text: text, start: start,
          rules: rules, seam: seam))
    }
    moved.origin = nil
    moved.resolution = resolution
    return DecodeError(moved)
  }

  /// The error of a stream that cannot be read from a place on, or of a document that is not read.
  package static func unreadable(
    _ message: String, at place: Location, _ code: Code = .custom, _ sourceName: String? = nil
  ) -> DecodeError { DecodeError(settled: code, message, at: place, sourceName) }

  /// The error that another decoder reported for the value at a path.
  package static func reported(
    _ code: Code, _ message: String, at path: JSONPointer
  ) -> DecodeError { DecodeError(settled: code, message, below: path.text) }

  /// No memory for the result.
  @usableFromInline
  package static var outOfMemory: DecodeError { DecodeError(settled: .outOfMemory) }

  /// An error about no document.
  private init(
    settled code: Code, _ message: String? = nil, at place: Location? = nil,
    _ sourceName: String? = nil, below path: String = ""
  ) {
    let storage = Storage(code)
    let resolution = Resolution(sourceName, above: path)
    resolution.location = place
    storage.message = message
    storage.expected = code.acceptedOfCall
    storage.resolution = resolution
    self.init(storage)
  }
}
