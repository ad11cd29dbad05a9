// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Why a value did not become JSON text: the public error of writing, its codes, and their sentences.

/// A value that JSON cannot express, and where it is.
public struct JSONWritingError: Error, Hashable, Sendable {
  /// What is wrong with a value.
  public enum Code: Hashable, Sendable {
    /// An infinity or NaN.
    case nonFiniteNumber
    /// More nesting than the options allow, or than the thread's stack holds; or a cycle.
    case tooDeep
    /// A key that its object already has.
    case duplicateKey
    /// A text whose keys could not be compared: it has 4 GiB or more, or there is no memory for its index.
    case uncheckedKeys
    /// A `write(to:)` that wrote nothing, or a second value.
    case notOneValue
    /// A value of a type of the library that has no text, such as a date in the year 10000.
    case invalidValue
  }

  /// What is wrong.
  public let code: Code
  /// The path of the value.
  public let path: JSONPointer
}

extension JSONWritingError: CustomStringConvertible {
  /// The path and what is wrong: `/scores/3: JSON has no infinity and no NaN`.
  public var description: String {
    path.text.isEmpty ? code.text : quotedPath(path.text) + ": " + code.text
  }
}

extension JSONWritingError.Code {
  package var text: String {
    switch self {
    case .nonFiniteNumber: "JSON has no infinity and no NaN"
    case .tooDeep: "too many nested arrays and objects"
    case .duplicateKey: "duplicate key"
    case .uncheckedKeys: "the keys could not be checked for duplicates"
    case .notOneValue: "write(to:) must write exactly one value"
    case .invalidValue: "the value has no text"
    }
  }
}
