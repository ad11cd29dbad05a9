// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The codes of errors. decant.h has the same numbers (DECANT_UNEXPECTED_BYTE is 101); a test compares the two lists.

extension DecodeError {
  /// The kind of an error, with the same number as in C (`decant_status`). The hundreds are the
  /// ``Category``.
  ///
  /// Codes are added, never renumbered: a `switch` in another package needs `@unknown default`.
  @nonexhaustive
  public enum Code: Int32, CaseIterable, Sendable {
    // MARK: Syntax

    /// `[1 2]`: a byte that no rule allows here.
    case unexpectedByte = 101
    /// `[1,`: the input ends inside a value.
    case unexpectedEnd = 102
    /// `[nul]`: begins like `true`, `false` or `null` and is not.
    case invalidLiteral = 103
    /// `[01]`: against the grammar of numbers (RFC 8259 §6).
    case invalidNumber = 104
    /// A raw byte below 0x20 in a string.
    case controlCharacter = 105
    /// `["\x"]`: an unknown escape, or not four hexadecimal digits.
    case invalidEscape = 106
    /// `["\ud800"]`: an unpaired surrogate.
    case loneSurrogate = 107
    /// Bytes that are not UTF-8.
    case invalidUTF8 = 108
    /// `1 2`: something after the one value.
    case trailingBytes = 109
    /// A byte order mark before the document.
    case byteOrderMark = 110
    /// `1e400`: a number that libjansson cannot hold. The native engine keeps its text; a field of type Double
    /// fails with ``numberOutOfRange``.
    case numberOverflow = 111

    // MARK: Data

    /// `"5"` for an Int: another kind of value than the model expects.
    case typeMismatch = 201
    /// `{}` for a model with a required key. `null` counts as missing.
    case missingKey = 202
    /// `300` for an Int8.
    case numberOutOfRange = 203
    /// `1.5` for an Int.
    case notAnInteger = 204
    /// `"brunch"` for an enum without such a case: the right kind, not an accepted value.
    case invalidValue = 205
    /// A model's own error.
    case custom = 206
    /// `{"a":1,"a":2}` where duplicates are refused.
    case duplicateKey = 207
    /// `[]` for a path with `0`.
    case missingElement = 208
    /// `{"nmae":1}` where members that the model does not name are refused.
    case unknownKey = 209
    /// Several of the above: see ``DecodeError/underlying``.
    case multiple = 299

    // MARK: Limits

    /// More nesting than ``DecodingOptions/maximumDepth``.
    case tooDeep = 301
    /// More bytes than ``DecodingOptions/maximumBytes``, or than an engine can hold; or more memory than
    /// ``DecodingOptions/maximumMemory``.
    case tooLarge = 302

    // MARK: Input

    /// No bytes, or only white space.
    case emptyInput = 401
    /// A pointer that does not parse, such as `user` or `/~2` (RFC 6901 §3).
    case invalidPointer = 402
    /// An option that the engine cannot honor.
    case unsupported = 403
    /// C: a NULL pointer, or a struct of an unknown size.
    case invalidArgument = 404
    /// C: an invalid field table.
    case invalidRecord = 405

    // MARK: Memory

    /// No memory for the index.
    case outOfMemory = 501
    /// C: a buffer of the caller's that is too small. The message says how many bytes are needed.
    case bufferTooSmall = 502
  }

  /// The kind of cause of an error, which tells who can fix it: the hundreds of its code.
  public enum Category: Int32, Sendable {
    /// The bytes are not JSON.
    case syntax = 1
    /// JSON that is not this model.
    case data = 2
    /// JSON that exceeds a limit.
    case limit = 3
    /// A call with arguments or options that cannot be followed.
    case input = 4
    /// There was no memory.
    case memory = 5
  }
}

extension DecodeError.Category {
  /// `syntax`, `data`, `limit`, `input` or `memory`.
  package var name: String {
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
  /// The code of a status of C that is an error's.
  @_alwaysEmitIntoClient
  package init(status: Int32) { self = Self(rawValue: status) ?? .custom }

  /// The code in words, such as `type mismatch`; the same as `decant_status_name` returns in C.
  public var name: String { words.description }

  /// The same without a Swift heap.
  package var words: StaticString {
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
    case .unknownKey: "unknown key"
    case .multiple: "multiple"
    case .tooDeep: "too deep"
    case .tooLarge: "too large"
    case .emptyInput: "empty input"
    case .invalidPointer: "invalid pointer"
    case .unsupported: "unsupported"
    case .invalidArgument: "invalid argument"
    case .invalidRecord: "invalid record"
    case .outOfMemory: "out of memory"
    case .bufferTooSmall: "buffer too small"
    }
  }

  /// The kind of cause.
  public var category: DecodeError.Category {
    DecodeError.Category(rawValue: rawValue / 100) ?? .data
  }
}
