// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The words of errors, in one place for Swift and C. Swift's errors hold their facts as strings; C's look
// them up in the document while it is in scope, and write without allocating.

internal import CDecantIndex

/// The facts about an error of one value, for its text.
@usableFromInline
package protocol ErrorFacts {
  var code: DecodeError.Code { get }
  /// Whether the text must not quote the document.
  var redacts: Bool { get }
  /// The error is about a member's key.
  var isAboutKey: Bool { get }
  /// The place of the first of two equal keys.
  var otherLocation: DecodeError.Location? { get }

  func has(_ part: ErrorPart) -> Bool
  /// Writes a part that there is.
  func write(_ part: ErrorPart, to sink: inout ErrorSink)
}

@usableFromInline
package enum ErrorPart {
  /// All of the message, in words of the model's or the engine's.
  case message
  /// `an integer`
  case expected
  /// The same for programs, where the message says it in other words, or does not.
  case accepted
  /// `the number 300`; of a number also without its kind: `300`
  case found, bareFound
  /// The words after the found value, such as `is not one of "a", "b"`.
  case remark
  /// The key that the error is about.
  case key
  /// The nearest key: of the object's keys to a missing one, or of the model's keys to an unknown one.
  case nearKey
}

extension ErrorFacts {
  package var isAboutKey: Bool { false }
  package var otherLocation: DecodeError.Location? { nil }

  /// What is wrong, without the place.
  @_alwaysEmitIntoClient
  package func writeMessage(to sink: inout ErrorSink) {
    if has(.message) { return write(.message, to: &sink) }
    switch code {
    case .typeMismatch: writeMismatch(to: &sink)
    case .missingKey: writeMissingKey(to: &sink)
    case .missingElement: sink.add("the element is missing")
    case .numberOutOfRange where sink.saysRanges && has(.expected): writeMismatch(to: &sink)
    case .numberOutOfRange:
      sink.add("out of range for ")
      if has(.expected) {
        // `Int8`, where "an Int8" was expected.
        sink.addWithoutArticle { write(.expected, to: &$0) }
      } else {
        sink.add("its type")
      }
      writeNumber(to: &sink)
    case .notAnInteger:
      sink.add("not an integer")
      writeNumber(to: &sink)
    case .invalidValue: writeInvalidValue(to: &sink)
    case .duplicateKey: writeDuplicateKey(to: &sink)
    case .unknownKey: writeUnknownKey(to: &sink)
    case .unexpectedByte: sink.add("the input is not JSON")
    case .unexpectedEnd: sink.add("the input ends inside a value")
    case .invalidUTF8: sink.add("the input is not UTF-8")
    case .trailingBytes: sink.add("expected the end of the input")
    case .numberOverflow: sink.add("the number is too large")
    case .tooDeep: sink.add("nested too deeply")
    case .tooLarge: sink.add("the input is too large")
    case .emptyInput: sink.add("the input is empty")
    case .invalidPointer: sink.add("not a JSON Pointer (RFC 6901)")
    case .unsupported: sink.add("the engine does not support this")
    case .outOfMemory: sink.add("out of memory")
    default:
      sink.add("error ")
      sink.add(Int(code.rawValue))
    }
  }

  @_alwaysEmitIntoClient
  package func writeMismatch(to sink: inout ErrorSink) {
    if has(.expected) {
      sink.add("expected ")
      write(.expected, to: &sink)
    } else {
      sink.add("unexpected type")
    }
    guard has(.found) else { return }
    sink.add(", found ")
    write(.found, to: &sink)
  }

  @_alwaysEmitIntoClient
  func writeMissingKey(to sink: inout ErrorSink) {
    if has(.expected) { return writeMismatch(to: &sink) }
    sink.add("the key is missing")
    // The reader may have written either the document or the model.
    guard has(.nearKey) else { return }
    sink.add("; is ")
    write(.nearKey, to: &sink)
    sink.add(" a misspelling of it?")
  }

  @_alwaysEmitIntoClient
  func writeUnknownKey(to sink: inout ErrorSink) {
    sink.add("unknown key")
    if !redacts, has(.key) {
      sink.add(" ")
      write(.key, to: &sink)
    }
    guard has(.nearKey) else { return }
    sink.add("; did you mean ")
    write(.nearKey, to: &sink)
    sink.add("?")
  }

  /// The number that was found, as `: 300`; another kind with its name, as `: the string "300"`.
  @_alwaysEmitIntoClient
  func writeNumber(to sink: inout ErrorSink) {
    if redacts || !has(.found) { return }
    sink.add(": ")
    write(.bareFound, to: &sink)
  }

  @_alwaysEmitIntoClient
  func writeInvalidValue(to sink: inout ErrorSink) {
    if isAboutKey {
      sink.add("the key ")
      if !redacts, has(.key) {
        write(.key, to: &sink)
        sink.add(" ")
      }
      return sink.add("is not an accepted key")
    }
    if has(.expected), !has(.remark) { return writeMismatch(to: &sink) }
    if has(.found) {
      write(.found, to: &sink)
    } else {
      sink.add("the value")
    }
    sink.add(" ")
    if has(.remark) { write(.remark, to: &sink) } else { sink.add("is not an accepted value") }
  }

  @_alwaysEmitIntoClient
  func writeDuplicateKey(to sink: inout ErrorSink) {
    sink.add("duplicate key")
    if has(.key) {
      sink.add(" ")
      write(.key, to: &sink)
    }
    guard let otherLocation else { return }
    sink.add("; first occurrence at ")
    sink.add(otherLocation)
  }
}

extension ErrorSink {
  /// The text before a message: `[source:][line:column: ][path: ]`.
  @_alwaysEmitIntoClient
  package mutating func addPlace(
    source: (some ErrorPhrase)?, location: DecodeError.Location?,
    path: (inout ErrorSink) -> Void
  ) {
    addPlace(source: source, location: location)
    let start = length
    add(path: path)
    if length > start { add(": ") }
  }

  /// The same without a path.
  @_alwaysEmitIntoClient
  package mutating func addPlace(
    source: (some ErrorPhrase)?, location: DecodeError.Location?
  ) {
    if let source {
      source.write(to: &self)
      add(location == nil ? ": " : ":")
    }
    if let location {
      add(location)
      add(": ")
    }
  }

  /// `2:4`: the line and the column.
  @usableFromInline
  mutating func add(_ location: DecodeError.Location) {
    add(location.line)
    add(":")
    add(location.column)
  }

  package mutating func addOmitted(_ count: Int) {
    add("\n… and ")
    add(count)
    add(count == 1 ? " more error" : " more errors")
  }
}

// MARK: - From the document

extension JSON {
  /// Writes the value here for "found …": its kind, and the value itself if it is a scalar, cut.
  @usableFromInline
  package func writeFound(to sink: inout ErrorSink, redacts: Bool, isBare: Bool = false) {
    switch kind {
    case .bool where redacts, .number where redacts, .string where redacts: sink.add(kind.phrase)
    case .missing, .null: sink.add(kind.phrase)
    case .bool: sink.add(isTrue ? "true" : "false")
    case .array: sink.add(isEmpty ? "an empty array" : "an array")
    case .object: sink.add(isEmpty ? "an empty object" : "an object")
    case .number:
      if !isBare { sink.add("the number ") }
      writeNumber(to: &sink)
    case .string:
      sink.add("the string ")
      sink.add(quoted: scalars)
    }
  }

  func writeNumber(to sink: inout ErrorSink) {
    if isNative {
      return sink.add(excerpt: source[offset..<scalarEnd].scalars())
    }
    #if !hasFeature(Embedded)
      sink.add(excerpt: numberText)
    #endif
  }

  /// The keys of this object, as a note below an error: `the object has "id", "name"`.
  package func writeKeys(to sink: inout ErrorSink) {
    if kind != .object { return }
    var cursor = ChildCursor(seldom: self)
    var count = 0
    while count <= JSON.mostKeysShown, cursor.seldomNext(in: self) != nil {
      if count < 8 {
        sink.add(count == 0 ? "the object has " : ", ")
        sink.add(quoted: cursor.keyScalars(in: self))
      }
      count += 1
    }
    guard count > 8 else { return }
    sink.add(" and ")
    if count > JSON.mostKeysShown { sink.add("many") } else { sink.add(count - 8) }
    sink.add(" more")
  }

  /// The value here for "found …": its kind, and the value itself if it is a scalar, cut; redacted, only its kind.
  package var foundDescription: String {
    written { writeFound(to: &$0, redacts: reference.redacts) }
  }
}
