// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error about a value that no alternative of a union accepts:
//
//   none of 2 alternatives: /x: expected an integer, found the string "1"; /y: the key is missing
//
// Each alternative is shown by its first error and the number of the others. A union may have many alternatives, and
// unions may be nested: a list shows at most 8, and lists are nested at most 3 deep; the rest is counted. So an error takes
// bounded memory, and combining two errors takes constant time.

internal import CDecantIndex

extension DecodeError {
  /// The errors of the alternatives of a union, in order.
  struct Alternatives {
    private var errors: [DecodeError] = []
    private(set) var count = 0
    /// How many lists are nested in this one, with it.
    private var height = 1

    private static var limit: Int { 8 }
    private static var maximumHeight: Int { 3 }

    fileprivate init(_ first: DecodeError, _ second: DecodeError) {
      add(first)
      add(second)
    }

    fileprivate mutating func add(_ error: DecodeError) {
      count += 1
      if errors.count == Self.limit { return }
      let nested = error.storage.alternatives
      if let nested, nested.height >= Self.maximumHeight {
        return errors.append(nested.cut(error))
      }
      errors.append(error)
      height = max(height, 1 + (nested?.height ?? 0))
    }

    /// The error of a union inside this one, without its alternatives.
    private func cut(_ error: DecodeError) -> DecodeError {
      let cut = error.storage.copy()
      cut.alternatives = nil
      cut.message = written { writeHeading(to: &$0) }
      return DecodeError(cut)
    }

    private func writeHeading(to text: inout ErrorSink) {
      text.add("none of ")
      text.add(count)
      text.add(" alternatives")
    }

    /// The error of each alternative, with its path below that of the value. `resolve` is called for unresolved errors.
    func message(below path: String, _ resolve: (DecodeError.Storage) -> Resolution) -> String {
      written { text in
        writeHeading(to: &text)
        for (place, error) in errors.enumerated() {
          text.add(place == 0 ? ": " : "; ")
          write(error, below: path, to: &text, resolve)
          if error.count > 1 {
            text.add(" (and ")
            text.add(error.count - 1)
            text.add(" more)")
          }
        }
        if count > errors.count { text.add("; …") }
      }
    }

    private func write(
      _ error: DecodeError, below path: String, to text: inout ErrorSink,
      _ resolve: (DecodeError.Storage) -> Resolution
    ) {
      if error.isResolved {
        // It has left its document, perhaps one inside this.
        let first = error.first
        text.addPlace(source: first.sourceName, location: first.location) {
          $0.add(first.path.text)
        }
        return add(first.message, to: &text)
      }
      let first = error.storage.copy()
      if first.resolution == nil { first.resolution = resolve(first) }
      let own = DecodeError(first)
      let whole = own.path.text.utf8
      let rest = whole.dropFirst(whole.starts(with: path.utf8) ? path.utf8.count : 0)
      text.addPlace(source: nil as String?, location: nil) {
        $0.add(String(decoding: rest, as: UTF8.self))
      }
      add(own.message, to: &text)
    }

    private func add(_ message: String, to text: inout ErrorSink) {
      text.addExcerpt(300, isEscaped: false) { $0.add(message) }
    }
  }

  /// The errors of two alternatives as one. If both are about one value and say what they expect, it names both. Else it
  /// has both, and is about the value that the union is decoded from.
  @usableFromInline @inline(never)
  package static func neither(_ first: DecodeError, _ second: DecodeError) -> DecodeError {
    let (a, b) = (first.storage, second.storage)
    let isSingle = first.list == nil && second.list == nil
    return (isSingle ? a.merged(with: b) : nil) ?? alternatives(first, second)
  }

  /// An error that has both, about the value that the union is decoded from.
  static func alternatives(
    _ first: DecodeError, _ second: DecodeError, at node: UInt64 = DECANT_NODE_NONE
  ) -> DecodeError {
    let a = first.storage
    let storage = Storage(.invalidValue)
    if var alternatives = a.alternatives, !first.isResolved, first.list == nil, a.node == node {
      alternatives.add(second)
      storage.alternatives = alternatives
    } else {
      storage.alternatives = Alternatives(first, second)
    }
    return DecodeError(storage)
  }
}

extension DecodeError.Storage {
  /// One error for two about one value that say what they expect; nil for others.
  fileprivate func merged(with other: DecodeError.Storage) -> DecodeError? {
    guard isPlain, other.isPlain, node == other.node, node != DECANT_NODE_NONE, tree == other.tree,
      let one = expectation, let another = other.expectation
    else { return nil }
    let isInvalid = code != .typeMismatch || other.code != .typeMismatch
    let merged = copy()
    merged.code = isInvalid ? .invalidValue : .typeMismatch
    merged.expectation = one == another ? one : one + " or " + another
    return DecodeError(merged)
  }

  /// Whether this is a single error in flight that says what it expected, and no more.
  private var isPlain: Bool {
    !isResolved && !hasSought && message == nil && remark == nil
      && extras?.refersToOthers != true && !isAboutDocument
  }
}
