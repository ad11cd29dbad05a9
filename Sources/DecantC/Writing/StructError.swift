// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error of a struct that is written as JSON, with its path. There is no document, so errors have a path and
// no place:
//
//   /users/3/name: the string is not UTF-8

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A value that JSON cannot express, or that decoding by the same table would refuse.
struct StructError: MessageFacts {
  enum Problem {
    case notText, notFinite, notBoolean(UInt8)
    /// An enum or flags have a value that no name has.
    case noName(Int64)
    /// A required value is missing.
    case missing
    case noTarget(count: Int)
    /// More bytes or elements than there is memory: a `size_t` that Swift has as a negative number.
    case noLength
    case state(UInt8)
    /// Outside the field's bounds.
    case integer(Int64), natural(UInt64), real(Double)
    case length(Int), noTerminator, count(Int)
    /// A text that decoding takes for null.
    case nullText
    /// A decimal that has more digits than its field.
    case decimal
    /// The program's own words, which are there while the error is reported.
    case custom(Bytes)
    case notEncoded
    case notJSON, notObject, notKind(Int32)
    case keyIsNotText, mapWithoutKey, unionWithRepeatedKeys
    /// Names of one value have different records.
    case severalCases
    /// A time or a date outside of the years that RFC 3339 has.
    case year
    /// Another field has the same key or the same pointer, or a value inside this one.
    case sharedValue
    /// Another member of the map has the same key.
    case repeatedKey
    case tooDeep(StaticString), tooLarge, tooSmall(Int), noMemory
  }

  let problem: Problem
  let kind: FieldKind
  let field: FieldRef?

  var code: DecodeError.Code {
    switch problem {
    case .notText: .invalidUTF8
    case .missing: .missingKey
    case .custom: .custom
    case .notEncoded: .invalidRecord
    case .sharedValue, .repeatedKey: .duplicateKey
    case .keyIsNotText, .mapWithoutKey, .unionWithRepeatedKeys, .severalCases: .invalidRecord
    case .tooDeep: .tooDeep
    case .tooLarge: .tooLarge
    case .tooSmall: .bufferTooSmall
    case .noMemory: .outOfMemory
    default: .invalidValue
    }
  }

  func has(_ part: ErrorPart) -> Bool {
    switch part {
    case .message: true
    case .accepted: hasAccepted
    default: false
    }
  }

  private var hasAccepted: Bool {
    switch problem {
    case .noName: field?.names != nil
    case .custom, .notEncoded, .keyIsNotText, .mapWithoutKey, .unionWithRepeatedKeys, .severalCases,
      .noMemory:
      false
    default: true
    }
  }

  /// Writes what the field accepts.
  private func writeAccepted(to sink: inout ErrorSink) {
    switch problem {
    case .notText: sink.add("a string of UTF-8")
    case .notFinite: sink.add("a finite number")
    case .notBoolean: sink.add("0 or 1")
    case .noName: RecordError.Remark.names.writeAccepted(by: field, to: &sink)
    case .missing: sink.add(kind.expectation)
    case .state: sink.add("a state of 0 to 2")
    case .year: sink.add("a year of 0 to 9999")
    case .integer, .natural, .real:
      RecordError.Remark.range(kind: kind, isWhole: false).writeAccepted(by: field, to: &sink)
    case .length: RecordError.Remark.lengths(kind: kind).writeAccepted(by: field, to: &sink)
    case .count: RecordError.Remark.count(0, kind: kind).writeAccepted(by: field, to: &sink)
    case .noTarget: sink.add("a length of 0")
    case .noLength: sink.add("a smaller length")
    case .noTerminator: sink.add("a NUL byte")
    case .nullText: sink.add("another string")
    case .decimal: sink.add("fewer digits")
    case .notJSON: sink.add("one JSON value")
    case .notObject: sink.add("one JSON object")
    case .notKind: sink.add("a kind of 1 to 7")
    case .sharedValue, .repeatedKey: sink.add("each key once")
    case .tooDeep: sink.add("fewer levels")
    case .tooLarge: sink.add("at most 4 GiB")
    case .tooSmall(let count):
      sink.add("at least ")
      sink.add(count)
      sink.add(" bytes")
    case .custom, .notEncoded, .keyIsNotText, .mapWithoutKey, .unionWithRepeatedKeys, .severalCases,
      .noMemory:
      break
    }
  }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    if part == .accepted { return writeAccepted(to: &sink) }
    switch problem {
    case .notText: sink.add("the string is not UTF-8")
    case .notFinite: sink.add("JSON has no infinity and no NaN")
    case .notBoolean(let byte):
      sink.add("the bool has the value ")
      sink.add(Int(byte))
    case .noName(let value):
      sink.add("no name has the value ")
      sink.add(value)
      RecordError.Remark.writeNames(of: field, after: "; the names are ", to: &sink)
    case .missing:
      sink.add("expected ")
      sink.add(kind.expectation)
      sink.add(kind.needsBlock ? ", found NULL" : ", found none")
    case .noTarget(let count):
      sink.add("the pointer is NULL, and the length is ")
      sink.add(count)
    case .noLength: sink.add("the length is too large")
    case .state(let state):
      sink.add("the state is ")
      sink.add(Int(state))
      sink.add("; states are 0 to 2")
    case .integer(let value):
      writeOutOfBounds(to: &sink) { sink in
        if kind.hasUnits, let field, field.hasBounds {
          sink.add(units: value, of: kind, field)
        } else {
          sink.add(value)
        }
      }
    case .natural(let value): writeOutOfBounds(to: &sink) { $0.add(value) }
    case .real(let value): writeOutOfBounds(to: &sink) { $0.add(value) }
    case .length(let length):
      sink.add("expected ")
      RecordError.Remark.lengths(kind: kind).writeAccepted(by: field, to: &sink)
      sink.add(", found ")
      sink.add(length)
    case .noTerminator:
      sink.add("there is no NUL byte in ")
      sink.add(field?.capacity ?? 0)
      sink.add(" bytes")
    case .count(let count):
      RecordError.Remark.count(count, kind: kind).write(about: field, to: &sink)
    case .decimal: sink.add("the number has more digits than the decimal")
    case .nullText: sink.add("the string counts as null")
    case .notJSON: sink.add("the raw text is not one JSON value, or has more than 512 levels")
    case .custom(let text):
      if text.count == 0 { sink.add("the value is not accepted") }
      text.scalars().write(to: &sink)
    case .notEncoded: sink.add("its conversion has no encode")
    case .notObject: sink.add("the raw text is not one JSON object, or has more than 512 levels")
    case .notKind(let kind):
      sink.add("no kind has the value ")
      sink.add(Int(kind))
    case .keyIsNotText: sink.add("the record's key is not UTF-8")
    case .unionWithRepeatedKeys:
      sink.add("two fields of a record with a DECANT_UNION or DECANT_REST have one key")
    case .severalCases: sink.add("two names of one value have different records")
    case .year: sink.add("the year is not in 0 to 9999")
    case .mapWithoutKey: sink.add("the record of the map's members has no DECANT_KEY")
    case .sharedValue: sink.add("another field has the same value, or a part of it")
    case .repeatedKey: sink.add("another member of the map has the same key")
    case .tooDeep(let words): sink.add(words)
    case .tooLarge: sink.add("the text is larger than 4 GiB")
    case .noMemory: sink.add("out of memory")
    case .tooSmall(let count):
      sink.add("the buffer is too small: ")
      sink.add(count)
      sink.add(" bytes are needed")
    }
  }

  /// A number that the field's bounds exclude.
  private func writeOutOfBounds(
    to sink: inout ErrorSink, _ writeNumber: (inout ErrorSink) -> Void
  ) {
    sink.add("expected ")
    RecordError.Remark.range(kind: kind, isWhole: false).writeAccepted(by: field, to: &sink)
    let isText = kind.hasUnits && field?.hasBounds == true
    sink.add(isText ? ", found " : ", found the number ")
    writeNumber(&sink)
  }
}
