// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents of a stream that is not lines.

internal import DecantCore

/// The documents of a stream that are not lines: records of RFC 7464, or documents one after another. Each has the
/// line and the offset where it begins, and its result.
///
///     for record in JSONLines<Event>(bytes).records { record.number; record.result }
///     for try await document in JSONLines<Event>(chunks).documents { … }
///
/// A document that fails is returned like any other, and the stream continues, as `decant.h` describes for
/// `DECANT_RECORDS` and `DECANT_DOCUMENTS`. If the end of an invalid document is unknown, it continues at the next line
/// that begins with `{` or `[`. Memory holds the unfinished document, up to `DecodingOptions.maximumBytes`.
///
/// Comments are not supported in these streams: with that option the only document fails with
/// `DecodeError.Code.unsupported`.
public struct JSONDocuments<Model> {
  let lines: JSONLines<Model>
  let framing: DocumentFraming
}

extension JSONLines {
  /// The records of RFC 7464: a record separator, 1E, precedes each document, and white space may follow it.
  ///
  /// A number or a literal may be cut short if no white space follows it: it fails with `DecodeError.Code.unexpectedEnd`.
  public var records: JSONDocuments<Model> { JSONDocuments(lines: self, framing: .records) }

  /// Documents one after another: the last bracket or quote ends a document; white space, a bracket or a quote ends
  /// others. A document may have several lines, and a line several documents.
  public var documents: JSONDocuments<Model> { JSONDocuments(lines: self, framing: .documents) }
}

extension JSONDocuments: Sequence {
  /// Returns the documents of a stream that is in memory, or of a file. A stream that arrives by an `AsyncSequence` is one
  /// document that fails: iterate over that by `for try await`.
  public func makeIterator() -> JSONLines<Model>.Iterator { .init(lines, framing) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONDocuments: AsyncSequence {
  /// Returns the documents as the chunks of the stream arrive. An error of the sequence of chunks, and
  /// `CancellationError`, end them.
  public func makeAsyncIterator() -> JSONLines<Model>.AsyncIterator { .init(lines, framing) }
}
