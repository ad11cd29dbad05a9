// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The kinds of values, and how errors name them.

internal import CDecantIndex

/// The kind of a JSON value (RFC 8259 §3), or that it is missing.
@frozen
public enum JSONKind: Int32, Sendable, Hashable {
  /// A look-up found nothing.
  case missing = 0
  case null = 1
  case bool = 2
  case number = 4
  case string = 5
  case array = 6
  case object = 7

  /// The kind of a native slot by its tag (decant_index.h).
  package init(tag: UInt32) {
    switch tag {
    case ..<DECANT_STRING_LIMIT: self = .string
    case DECANT_OBJECT...: self = .object
    case DECANT_ARRAY...: self = .array
    case DECANT_NULL: self = .null
    case DECANT_FALSE, DECANT_TRUE: self = .bool
    default: self = .number
    }
  }

  /// The kind of an engine's code, DECANT_KIND_*: `false` and `true` have one each.
  package init(code: Int32) {
    self = code == Int32(DECANT_KIND_TRUE) ? .bool : JSONKind(rawValue: code) ?? .missing
  }

  /// The kind with its article, as errors say it.
  package var phrase: StaticString {
    switch self {
    case .missing: "nothing"
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
