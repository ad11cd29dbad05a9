// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors: `DecodingError`, with the case that `JSONDecoder` chooses and Decant's text. The text has no path, because
// the error's context has it. All of this is out of line.

internal import CDecantIndex
internal import DecantCore

extension ValueDecoder {
  /// `line:column: message`, if the place is known. A `DecodeError` has its place separately.
  @inline(never)
  private func text(_ node: UInt64, _ message: (inout ErrorSink) -> Void) -> String {
    written { text in
      if !context.makesDecodeErrors {
        text.addPlace(
          source: context.settings.options.sourceName, location: context.location(of: node))
      }
      message(&text)
    }
  }

  @inline(never)
  func text(_ node: UInt64, _ message: String) -> String { text(node) { $0.add(message) } }

  /// `line:column: expected …, found …`.
  @inline(never)
  private func text(_ node: UInt64, expected: String) -> String {
    text(node) { text in
      text.add("expected ")
      text.add(expected)
      text.add(", found ")
      let json = document.view(node)
      if json.isNull && !context.makesDecodeErrors { return text.add(foundNull) }
      json.writeFound(to: &text, redacts: json.reference.redacts)
    }
  }

  /// `JSONDecoder`'s words behind "found", which programs look for.
  private var foundNull: String { "null value instead" }

  /// Why the scalar at `node` is not a `type`.
  @inline(never)
  package func failure(_ type: Any.Type, _ node: UInt64, _ path: [any CodingKey]) -> DecodingError {
    // SAFETY: as in ValueDecoder.
    let json = document.view(node)
    let expected = phrase(type)
    func why(_ text: String) -> DecodingError.Context {
      .init(codingPath: path, debugDescription: text)
    }
    let kind = json.kind
    if kind == .number {
      let isInteger = type is any FixedWidthInteger.Type
      if isInteger, DecimalNumber(json.numberText)?.isIntegral != true {
        return .dataCorrupted(why(text(node, expected: "an integer")))
      }
      if isInteger || type is any BinaryFloatingPoint.Type {
        let message = "\(json.foundDescription) is out of range: expected \(expected)"
        return .dataCorrupted(why(text(node, message)))
      }
    }
    switch kind {
    case .null where type != Bool.self, .missing where type != Bool.self:
      return .valueNotFound(type, why(text(node, expected: expected)))
    default: return .typeMismatch(type, why(text(node, expected: expected)))
    }
  }

  private func phrase(_ type: Any.Type) -> String {
    if type == Int.self { return "an integer" }
    if type == String.self { return "a string" }
    if type == Bool.self { return "a boolean" }
    if type is any BinaryFloatingPoint.Type { return "a number" }
    let name = "\(type)"
    return (name.hasPrefix("I") || name.hasPrefix("A") ? "an " : "a ") + name
  }

  /// The reason why the value is not a container of the requested kind.
  @inline(never)
  func notA(_ container: String, _ type: Any.Type) -> DecodingError {
    let message = text(node, expected: container)
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: message)
    return json.isNull || !json.exists
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The string that represents a `type`. Null is an error about the type, another kind one about a string.
  package func text(for type: Any.Type) throws -> String {
    if json.isNull || !json.exists { throw failure(type, node, codingPath) }
    return try decode(String.self)
  }

  /// The value, as errors describe it.
  package var found: String { json.foundDescription }

  /// Why a value of the right kind is not acceptable.
  package func corrupted(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: text(node, message)))
  }

  /// The error of a model's `init(from:)`. Texts of the standard library and of the compiler do not have the place. They
  /// quote unknown raw values of enums, and the bounds of ranges:
  ///
  ///     Cannot initialize Meal from invalid String value brunch
  ///     Cannot initialize Range<Int> with a lowerBound (3) greater than upperBound (1)
  ///     Invalid number of keys found, expected one.
  ///     Expected Int key but found String key instead.
  @inline(never)
  func placed(_ error: any Error, of type: Any.Type) -> any Error {
    if let error = error as? DecodeError {
      guard json.hasInner(error) else { return error }
      // A decoder of a view has errors in flight. Another engine's nodes tell their path in the caller's view alone.
      if context.makesDecodeErrors { return json.isNative ? json.placingInner(error) : error }
      return json.placingInner(error).resolved(in: document, context.settings.options.sourceName)
    }
    if let inner = (error as? DecodingError)?.parts?.context.underlyingError as? DecodeError,
      json.hasInner(inner)
    {
      return failure(inner, of: type)
    }
    switch error as? DecodingError {
    case .dataCorrupted(let context)?:
      return placed(context, of: type, nil).map { DecodingError.dataCorrupted($0) } ?? error
    case .typeMismatch(let owner, let context)?:
      return placed(context, of: type, owner).map { DecodingError.typeMismatch(owner, $0) } ?? error
    default: return error
    }
  }

  @inline(never)
  private func placed(
    _ context: DecodingError.Context, of type: Any.Type, _ owner: Any.Type?
  ) -> DecodingError.Context? {
    guard let message = message(context.debugDescription, of: type, owner) else { return nil }
    let steps = context.codingPath.dropFirst(codingPath.count)
    guard steps.count <= 1 else { return nil }
    let place = steps.first.map { json.member($0.stringValue) } ?? node
    return .init(codingPath: context.codingPath, debugDescription: text(place, message))
  }

  /// The message for such a text; nil for any other.
  private func message(_ text: String, of type: Any.Type, _ owner: Any.Type?) -> String? {
    let redacts = json.reference.redacts
    if text.hasPrefix("Cannot initialize ") {
      let begin = "Cannot initialize \(type)"
      if owner == nil, type is any RawRepresentable.Type, text.hasPrefix(begin + " from invalid ") {
        return redacts ? "not one of the accepted values" : text
      }
      guard text.hasPrefix(begin + " with a lowerBound (") else { return nil }
      return redacts ? "the lower bound is greater than the upper bound" : text
    }
    let isKnown =
      text == "Invalid number of keys found, expected one." && owner == type
      || text.hasPrefix("Expected collection of key-value pairs; ")
      || text.hasPrefix("Expected Int key but found ")
      || text.hasPrefix("Could not convert key to type ")
    return isKnown ? text : nil
  }

  /// Why a model is not decoded where the stack ends.
  @inline(never)
  func stackIsFull() -> DecodingError { failure(json.stackIsFull(), of: Any.self) }

  /// Throws if the document may not have so many elements of a type.
  func checkMemory<Element>(_ count: Int, of type: Element.Type) throws {
    if !json.mayHold(count, of: type) { throw failure(json.memoryIsFull(), of: Any.self) }
  }

  /// The error of a `JSONDecodable` model, which is this decoder's value. It is read at once, and so it is resolved while
  /// the document is there: indexing a copy of the text again takes more stack than may be left.
  func failure(_ error: DecodeError, of type: Any.Type) -> DecodingError {
    let unread = json.placingInner(error)
    let inside = unread.steps(below: json)
    let error = unread.resolvedNow(in: document, context.settings.options.sourceName)
    let first = error.underlying.first ?? error
    var path = codingPath
    // The pointer has the components of the coding path, and then those inside the model.
    let steps = inside ?? Array((first.path.tokens ?? []).dropFirst(path.count))
    var view = json
    for step in steps {
      let index = view.kind == .array ? integer(step) : nil
      path.append(index.map { PathKey.index($0) } ?? .name(step))
      let node = index.map { view.element($0) } ?? view.member(step)
      // The error may be another document's.
      view = JSON(node == DECANT_NODE_NONE ? DECANT_NODE_MISSING : node, within: json)
    }
    let code = first.code
    let key = code == .missingKey ? path.popLast() : nil
    var summary =
      code == .unknownKey ? first.message : view.isNull ? "found \(foundNull)" : code.name
    if error.count > 1 {
      summary += ", and \(error.count - 1) more \(error.count == 2 ? "error" : "errors")"
    }
    // The error of a view's decoder is resolved where the whole document is read. Of a document inside another one, the
    // field is found by the text.
    let isInFlight = context.makesDecodeErrors && json.isNative
    let told =
      isInFlight
      ? unread : context.isInner ? unread.resolved(in: document, error.sourceName) : error
    let why = context.context(told, path, summary)
    if let key { return .keyNotFound(key, why) }
    switch code {
    case .typeMismatch where !view.isNull: return .typeMismatch(type, why)
    case .missingKey, .typeMismatch: return .valueNotFound(type, why)
    default: return .dataCorrupted(why)
    }
  }
}
