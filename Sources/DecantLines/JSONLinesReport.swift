// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The report of a stream. Memory is constant: counts, and the first failures up to a limit.

public import DecantCore

/// A report of a stream: the number of lines, the number of failures, and the first failures.
public struct JSONLinesReport: Sendable {
  /// The number of lines with a document, good or bad.
  public private(set) var lineCount = 0
  /// The number of these that failed.
  public private(set) var failureCount = 0
  /// The first failures, in order, up to the limit.
  public private(set) var failures: [Failure] = []
  /// Whether the task was cancelled before all lines were read.
  public internal(set) var isCancelled = false

  /// A line that failed.
  public struct Failure: Sendable {
    /// The line's number, from 1.
    public let number: Int
    /// The bytes before the line.
    public let offset: Int
    /// The error, with path and place in the stream.
    public let error: DecodeError
  }

  private let limit: Int

  /// A report without lines. It will keep at most `limit` failures.
  public init(keeping limit: Int = 64) { self.limit = max(limit, 0) }

  /// Counts a line, and keeps its failure if the limit is not reached.
  @_alwaysEmitIntoClient
  public mutating func add<Model>(_ line: JSONLines<Model>.Line) {
    count()
    // Binding the payload would copy the line, which is the model for most lines.
    if case .success = line.result { return }
    addFailure(line)
  }

  @usableFromInline
  mutating func count() { lineCount += 1 }

  @usableFromInline
  mutating func addFailure<Model>(_ line: JSONLines<Model>.Line) {
    guard case .failure(let error) = line.result else { return }
    failureCount += 1
    guard failures.count < limit else { return }
    failures.append(Failure(number: line.number, offset: line.offset, error: error))
  }

  /// Adds what another thread saw. Each thread's failures are the first of its lines, in order: so the first of all
  /// are among them.
  @usableFromInline
  mutating func merge(_ other: JSONLinesReport) {
    lineCount += other.lineCount
    failureCount += other.failureCount
    isCancelled = isCancelled || other.isCancelled
    failures = failures.merged(with: other.failures, limit: limit)
  }
}

extension JSONLinesReport: CustomStringConvertible {
  /// The counts, and a paragraph for each of the failures.
  public var description: String {
    var text = "lines: " + lineCount.description + ", failed: " + failureCount.description
    if isCancelled { text += ", cancelled" }
    for failure in failures { text += "\n" + failure.description }
    return text
  }
}

extension JSONLinesReport.Failure: CustomStringConvertible {
  /// The line's number, and what is wrong.
  public var description: String { described("line", number, Decoded<Never>.failure(error)) }
}

extension [JSONLinesReport.Failure] {
  /// The first of both, which are in order.
  fileprivate func merged(with other: Self, limit: Int) -> Self {
    var all: Self = []
    var mine = 0, others = 0
    while all.count < limit, mine < count || others < other.count {
      if others == other.count || mine < count && self[mine].number <= other[others].number {
        all.append(self[mine])
        mine += 1
      } else {
        all.append(other[others])
        others += 1
      }
    }
    return all
  }
}
