// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An explanation of what a model did with a document, field by field.
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

/// How a model decoded a document, field by field: in the order of the model's look-ups, then the members that it did
/// not look up, in document order.
public struct JSONExplanation: Sendable, CustomStringConvertible {
  /// A field that the model looked up, or that the document has.
  public struct Field: Sendable, Hashable {
    let place: FieldPlace
    /// The result of the field.
    public let outcome: Outcome
    /// The value, shortened, or its error; may be empty.
    public let detail: String

    /// The path of the field, present or missing.
    ///
    /// - Complexity: linear in the path's length, at each call.
    public var path: JSONPointer { JSONPointer(place.text) }
  }

  /// The result of a field.
  public enum Outcome: String, Sendable {
    /// There, and used.
    case decoded
    /// Absent or null, and the model's default used.
    case defaulted
    /// Missing, and not required.
    case absent
    /// `null`, and not needed.
    case null
    /// Read as another kind, by a coercion of the model.
    case coerced
    /// Left out by a model that skips what fails.
    case skipped
    /// Wrong or missing: part of ``JSONExplanation/error``.
    case failed
    /// In the document, and never looked up.
    case ignored
  }

  /// The fields, at most a thousand: in the order of the model's look-ups, then those that it ignored.
  public let fields: [Field]
  /// The number of fields beyond the thousand in ``fields``.
  public let omittedCount: Int
  /// The error of decoding, or nil if the model was made.
  public let error: DecodeError?

  /// The fields of one outcome.
  @_alwaysEmitIntoClient
  public func fields(_ outcome: Outcome) -> [Field] { fields.filter { $0.outcome == outcome } }

  /// A line for each field: path, outcome, value.
  public var description: String {
    var width = 0
    for field in fields { width = max(width, min(40, characters(in: field.place.beginning))) }
    return written { text in
      for (place, field) in fields.enumerated() {
        if place > 0 { text.add("\n") }
        let beginning = field.place.beginning
        let path = quotedPath(beginning.utf8.isEmpty ? "(root)" : beginning)
        let outcome = field.outcome.rawValue
        text.add(path)
        text.add(UInt8(ascii: " "), times: max(0, width - characters(in: path)) + 2)
        text.add(outcome)
        if field.detail.utf8.isEmpty { continue }
        text.add(UInt8(ascii: " "), times: 11 - outcome.utf8.count)
        text.add(field.detail)
      }
      if omittedCount > 0 {
        text.add("\n… and ")
        text.add(omittedCount)
        text.add(" more")
      }
    }
  }
}

/// A field's path, which shares its components with others.
struct FieldPlace: Hashable, @unchecked Sendable {
  // SAFETY: never written to again.
  let path: ErrorPath?

  var text: String { written { path?.write(to: &$0) } }

  /// The beginning of the path, as texts show it.
  var beginning: String { written { $0.add(beginningOfPath: { path?.write(to: &$0) }) } }

  static func == (left: FieldPlace, right: FieldPlace) -> Bool {
    left.path === right.path || areSame(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) { hashBytes(of: text, into: &hasher) }
}

private func characters(in text: String) -> Int {
  var count = 0
  for byte in SeldomBytes(text) where byte & 0xC0 != 0x80 { count += 1 }
  return count
}
