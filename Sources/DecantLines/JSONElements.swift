// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The elements of one array in a document of any size.

public import DecantCore

/// The elements of an array in one document of any size, each with its place and its result.
///
///     for try await feature in JSONLines<Feature>(chunks).elements(at: "/features") {
///       feature.index; feature.result
///     }
///
/// An invalid element fails alone, as a line does, unless its brackets or quotes hide its end. The document around
/// the array is checked when the stream ends: if it is invalid, or has no array at the pointer, the last element is
/// that error. Memory holds the unfinished element, and the document around the array.
///
/// Comments and `duplicateKeys: .last` are not supported: with those options the only element fails with
/// `DecodeError.Code.unsupported`. Levels of nesting count from the element.
public struct JSONElements<Model> {
  @usableFromInline let lines: JSONLines<Model>
  @usableFromInline let pointer: JSONPointer

  /// An element of the array.
  @frozen
  public struct Item {
    /// The place in the array, from 0.
    public let index: Int
    /// The bytes before the element.
    public let offset: Int
    /// The model, or the error.
    public let result: Decoded<Model>

    @usableFromInline
    init(_ index: Int, _ offset: Int, _ result: consuming Decoded<Model>) {
      self.index = index
      self.offset = offset
      self.result = result
    }
  }
}

extension JSONElements.Item: Sendable where Model: Sendable {}

extension JSONElements.Item: CustomStringConvertible {
  /// The index, and the model or the error: `element 1: Event(id: 7)`.
  public var description: String { described("element", index, result) }
}

extension JSONLines {
  /// The elements of the array at a pointer, in a stream that is one document.
  public func elements(at pointer: JSONPointer) -> JSONElements<Model> {
    JSONElements(lines: self, pointer: pointer)
  }
}

extension JSONElements: Sequence {
  /// Returns the elements of a document that is in memory, or of a file. A document that arrives by an `AsyncSequence` is
  /// one element that fails: iterate over that by `for try await`.
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Item> { Elements(lines, pointer) }

  /// The elements, one after the other.
  @usableFromInline
  struct Elements: IteratorProtocol {
    @usableFromInline var lines: JSONLines<Model>.Iterator
    @usableFromInline var count = 0

    @usableFromInline
    init(_ lines: JSONLines<Model>, _ pointer: JSONPointer) {
      self.lines = JSONLines.Iterator(lines, .elements(at: pointer))
    }

    @inlinable
    mutating func next() -> Item? {
      lines.next().map { JSONElements.item($0, &count) }
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONElements: AsyncSequence {
  /// Returns the elements, as the document's chunks arrive. What the sequence of chunks throws, and
  /// `CancellationError`, end them.
  @inlinable
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Item, any Error> {
    ArrivingElements(lines, pointer)
  }

  /// The elements of a document, as its chunks arrive.
  @usableFromInline
  struct ArrivingElements: AsyncIteratorProtocol {
    @usableFromInline var lines: JSONLines<Model>.AsyncIterator
    @usableFromInline var count = 0

    @usableFromInline
    init(_ lines: JSONLines<Model>, _ pointer: JSONPointer) {
      self.lines = JSONLines.AsyncIterator(lines, .elements(at: pointer))
    }

    @inlinable
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Item? {
      try await lines.next(isolation: actor).map { JSONElements.item($0, &count) }
    }
  }
}

extension JSONElements {
  @_alwaysEmitIntoClient
  static func item(_ document: JSONLines<Model>.Line, _ count: inout Int) -> Item {
    defer { count += 1 }
    return Item(count, document.offset, document.result)
  }
}
