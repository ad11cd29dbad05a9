// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Collects models: up to the first failure, or all good ones with a report of the others. Also the functions that sequences
// and asynchronous sequences share.

public import DecantCore

extension JSONLines {
  /// The models, up to the error of the first line that fails.
  ///
  ///     let events = try JSONLines<Event>(bytes).values.array()
  ///     for try await event in JSONLines<Event>(chunks).values { … }
  public var values: Values { Values(self) }

  /// The models that can be decoded, in order, and a report of the lines that cannot.
  ///
  /// - Parameter limit: How many failures the report keeps; the rest is counted.
  @_alwaysEmitIntoClient
  public func lossy(keeping limit: Int = 64) -> (models: [Model], report: JSONLinesReport) {
    var models: [Model] = []
    var report = JSONLinesReport(keeping: limit)
    for line in self {
      report.add(line)
      if case .success(let model) = line.result { models.append(model) }
    }
    return (models, report)
  }

  /// The models of ``values``.
  public struct Values {
    @usableFromInline let lines: JSONLines

    init(_ lines: JSONLines) { self.lines = lines }

    /// Returns all models of a stream that is in memory, or of a file.
    ///
    /// - Throws: The error of the first line that fails.
    @_alwaysEmitIntoClient
    public func array() throws(DecodeError) -> [Model] {
      var models: [Model] = []
      for line in lines { models.append(try line.result.get()) }
      return models
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONLines.Values: AsyncSequence {
  /// Returns the models, as their chunks arrive. They end with the error of the first line that fails, an error of
  /// the sequence of chunks, or `CancellationError`.
  @inlinable
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Model, any Error> {
    ArrivingModels(lines)
  }

  /// The models of a stream, as its chunks arrive.
  @usableFromInline
  struct ArrivingModels: AsyncIteratorProtocol {
    @usableFromInline var lines: JSONLines<Model>.AsyncIterator
    @usableFromInline var isEnded = false

    @usableFromInline
    init(_ lines: JSONLines<Model>) { self.lines = lines.makeAsyncIterator() }

    @inlinable
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Model? {
      if isEnded { return nil }
      guard let line = try await lines.next(isolation: actor) else { return nil }
      isEnded = line.result.error != nil
      return try line.result.get()
    }
  }
}

/// Both a sequence and an asynchronous one: a call without a closure would be ambiguous.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public protocol _JSONStream: Sequence, AsyncSequence {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONLines: _JSONStream {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONElements: _JSONStream {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONDocuments: _JSONStream {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension _JSONStream {
  /// The result of `transform` for each line or element.
  @_alwaysEmitIntoClient
  public func map<Value, Thrown>(
    _ transform: (Element) throws(Thrown) -> Value
  ) throws(Thrown) -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try transform(element)) }
    return values
  }

  /// The results of `transform` for each line or element that are not nil.
  @_alwaysEmitIntoClient
  public func compactMap<Value>(_ transform: (Element) throws -> Value?) rethrows -> [Value] {
    try map(transform).compactMap(\.self)
  }

  /// The first lines or elements, at most as many as `count`.
  @_alwaysEmitIntoClient
  public func prefix(_ count: Int) -> PrefixSequence<Self> {
    PrefixSequence(self, maxLength: count)
  }

  /// The lines or elements after the first `count`.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> DropFirstSequence<Self> {
    DropFirstSequence(self, dropping: count)
  }
}
