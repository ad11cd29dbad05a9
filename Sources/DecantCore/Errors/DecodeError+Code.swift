// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

extension DecodeError {
  /// What is wrong, by a number that C shares (`decant_status`). The hundreds are the ``Category``.
  /// Codes are added, never renumbered.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number, the same as in `decant.h`.
    public let rawValue: Int32

    @inlinable
    /// A code by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    // MARK: Syntax

    /// `[1 2]`: a byte that no rule allows here.
    public static var unexpectedByte: Code { Code(rawValue: 101) }
    /// `[1,`: the input ends inside a value.
    public static var unexpectedEnd: Code { Code(rawValue: 102) }
    /// `[nul]`: begins like `true`, `false` or `null` and is not.
    public static var invalidLiteral: Code { Code(rawValue: 103) }
    /// `[01]`: against the grammar of numbers (RFC 8259 §6).
    public static var invalidNumber: Code { Code(rawValue: 104) }
    /// A raw byte below 0x20 in a string.
    public static var controlCharacter: Code { Code(rawValue: 105) }
    /// `["\x"]`: an unknown escape, or not four hexadecimal digits.
    public static var invalidEscape: Code { Code(rawValue: 106) }
    /// `["\ud800"]`: an unpaired surrogate.
    public static var loneSurrogate: Code { Code(rawValue: 107) }
    /// Bytes that are not UTF-8.
    public static var invalidUTF8: Code { Code(rawValue: 108) }
    /// `1 2`: something after the one value.
    public static var trailingBytes: Code { Code(rawValue: 109) }
    /// A byte order mark before the document.
    public static var byteOrderMark: Code { Code(rawValue: 110) }
    /// `1e400`: a number that libjansson cannot hold. The native engine keeps its text; a field of type Double
    /// fails with ``numberOutOfRange``.
    public static var numberOverflow: Code { Code(rawValue: 111) }

    // MARK: Data

    /// `"5"` for an Int: another kind of value than the model expects.
    public static var typeMismatch: Code { Code(rawValue: 201) }
    /// `{}` for a model with a required key. `null` counts as missing.
    public static var missingKey: Code { Code(rawValue: 202) }
    /// `300` for an Int8.
    public static var numberOutOfRange: Code { Code(rawValue: 203) }
    /// `1.5` for an Int.
    public static var notAnInteger: Code { Code(rawValue: 204) }
    /// `"brunch"` for an enum without such a case: the right kind, not an accepted value.
    public static var invalidValue: Code { Code(rawValue: 205) }
    /// A model's own error.
    public static var custom: Code { Code(rawValue: 206) }
    /// `{"a":1,"a":2}` where duplicates are refused.
    public static var duplicateKey: Code { Code(rawValue: 207) }
    /// `[]` for a path with `0`.
    public static var missingElement: Code { Code(rawValue: 208) }
    /// Several of the above: see ``DecodeError/underlying``.
    public static var multiple: Code { Code(rawValue: 299) }

    // MARK: Limits

    /// More nesting than ``DecodingOptions/maximumDepth``.
    public static var tooDeep: Code { Code(rawValue: 301) }
    /// More bytes than ``DecodingOptions/maximumBytes``, or than an engine can hold.
    public static var tooLarge: Code { Code(rawValue: 302) }

    // MARK: Input

    /// No bytes, or only white space.
    public static var emptyInput: Code { Code(rawValue: 401) }
    /// A pointer that does not parse, such as `user` or `/~2` (RFC 6901 §3).
    public static var invalidPointer: Code { Code(rawValue: 402) }
    /// An option that the engine cannot honour.
    public static var unsupported: Code { Code(rawValue: 403) }
    /// C: a NULL pointer, or a struct of an unknown size.
    public static var invalidArgument: Code { Code(rawValue: 404) }
    /// C: a table that makes no sense.
    public static var invalidRecord: Code { Code(rawValue: 405) }

    // MARK: Memory

    /// No memory for the index.
    public static var outOfMemory: Code { Code(rawValue: 501) }
  }

  /// Who has to act.
  public enum Category: Int32, Sendable {
    /// The bytes are not JSON.
    case syntax = 1
    /// JSON that is not this model.
    case data = 2
    /// JSON that asks for more than was allowed.
    case limit = 3
    /// A call that cannot be answered.
    case input = 4
    case memory = 5
  }

  /// Who has to act: the category of ``code``.
  public var category: Category { code.category }
}

extension DecodeError.Category {
  /// `syntax`, `data`, `limit`, `input` or `memory`.
  public var name: String {
    switch self {
    case .syntax: "syntax"
    case .data: "data"
    case .limit: "limit"
    case .input: "input"
    case .memory: "memory"
    }
  }
}

extension DecodeError.Code {
  /// Every code of this version.
  public static var all: [DecodeError.Code] {
    [
      .unexpectedByte,
      .unexpectedEnd,
      .invalidLiteral,
      .invalidNumber,
      .controlCharacter,
      .invalidEscape,
      .loneSurrogate,
      .invalidUTF8,
      .trailingBytes,
      .byteOrderMark,
      .numberOverflow,
      .typeMismatch,
      .missingKey,
      .numberOutOfRange,
      .notAnInteger,
      .invalidValue,
      .custom,
      .duplicateKey,
      .missingElement,
      .multiple,
      .tooDeep,
      .tooLarge,
      .emptyInput,
      .invalidPointer,
      .unsupported,
      .invalidArgument,
      .invalidRecord,
      .outOfMemory,
    ]
  }

  /// The code in words, such as `type mismatch`; the same as `decant_status_name` returns in C.
  public var name: String {
    switch self {
    case .unexpectedByte: "unexpected byte"
    case .unexpectedEnd: "unexpected end"
    case .invalidLiteral: "invalid literal"
    case .invalidNumber: "invalid number"
    case .controlCharacter: "control character"
    case .invalidEscape: "invalid escape"
    case .loneSurrogate: "lone surrogate"
    case .invalidUTF8: "invalid UTF-8"
    case .trailingBytes: "trailing bytes"
    case .byteOrderMark: "byte order mark"
    case .numberOverflow: "number overflow"
    case .typeMismatch: "type mismatch"
    case .missingKey: "missing key"
    case .numberOutOfRange: "number out of range"
    case .notAnInteger: "not an integer"
    case .invalidValue: "invalid value"
    case .custom: "custom"
    case .duplicateKey: "duplicate key"
    case .missingElement: "missing element"
    case .multiple: "multiple"
    case .tooDeep: "too deep"
    case .tooLarge: "too large"
    case .emptyInput: "empty input"
    case .invalidPointer: "invalid pointer"
    case .unsupported: "unsupported"
    case .invalidArgument: "invalid argument"
    case .invalidRecord: "invalid record"
    case .outOfMemory: "out of memory"
    default: "unknown status"
    }
  }

  /// The hundreds of the number.
  public var category: DecodeError.Category {
    DecodeError.Category(rawValue: rawValue / 100) ?? .data
  }
}
