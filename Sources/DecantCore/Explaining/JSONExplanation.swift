// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a model did with a document, field by field.
//
//   /id       decoded     5
//   /name     failed      expected a string, found the number 7
//   /email    absent
//   /admin    defaulted
//   /nick     ignored     "T"
//
// The model is decoded a second time over an engine that answers from the document and records every question
// (Recorder.swift). So decoding itself pays nothing, and every spelling of a decoder can be explained.

internal import CDecantIndex

/// What a document gave a model, field by field: in the order in which the model asked, then what it never
/// asked for, in document order.
public struct JSONExplanation: Sendable, CustomStringConvertible {
  /// A field that the model asked for, or that the document has.
  public struct Field: Sendable, Hashable {
    /// Where the field is, or would be.
    public let path: JSONPointer
    /// What became of the field.
    public let outcome: Outcome
    /// The value, cut, or what is wrong with it; empty if there is nothing to say.
    public let detail: String
  }

  /// What became of a field.
  public enum Outcome: String, Sendable {
    /// There, and used.
    case decoded
    /// Absent or null, and the model's default used.
    case defaulted
    /// Not there, and not needed.
    case absent
    /// `null`, and not needed.
    case null
    /// Read as another kind than it is, by a coercion that the model asks for.
    case coerced
    /// Left out by a model that skips what fails.
    case skipped
    /// Wrong or missing: part of ``JSONExplanation/error``.
    case failed
    /// In the document, and never asked for.
    case ignored
  }

  /// The fields, at most a thousand: in the order in which the model asked, then those that it ignored.
  public let fields: [Field]
  /// How many further fields there are than ``fields`` has: it has a thousand at most.
  public let omittedCount: Int
  /// The error of decoding, or nil if the model was made.
  public let error: DecodeError?

  /// The fields of one outcome.
  public func fields(_ outcome: Outcome) -> [Field] { fields.filter { $0.outcome == outcome } }

  /// A line a field: path, outcome, value.
  @_optimize(none)
  public var description: String {
    var width = 0
    for field in fields { width = max(width, min(40, field.path.text.unicodeScalars.count)) }
    var text = ""
    for field in fields {
      if !text.utf8.isEmpty { text += "\n" }
      var line = quotedPath(field.path.text.utf8.isEmpty ? "(root)" : field.path.text)
      line += String(repeating: " ", count: max(0, width - line.unicodeScalars.count) + 2)
      line += field.outcome.rawValue
      if !field.detail.utf8.isEmpty {
        line += String(repeating: " ", count: max(0, 11 - field.outcome.rawValue.utf8.count))
        line += field.detail
      }
      text += line
    }
    if omittedCount > 0 { text += "\n… and \(omittedCount) more" }
    return text
  }
}
