// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import CDecantIndex

/// The errors of a container's children, in document order: as many as the options allow, then a count.
package struct ErrorList: ~Escapable {
  let container: JSON
  let limit: Int
  private var first: DecodeError.Storage?
  private var last: DecodeError.Storage?
  /// Errors in the chain from `first` to `last`.
  private var count = 0
  private var omitted = 0

  @usableFromInline @_lifetime(copy container)
  package init(in container: JSON) {
    self.container = container
    limit = container.reference.errorLimit
  }

  /// Whether a first error is all that was asked for, and is there.
  @usableFromInline
  package var isDone: Bool { limit == 1 && count > 0 }

  package mutating func add(
    _ error: consuming DecodeError, at child: JSON, step: JSONPointer.Token
  ) {
    if count >= limit {
      omitted += error.count
      return container.keepSpare(error)
    }
    let chain = container.placed(error, at: child.node, along: [step]).chain()
    if chain.code == .missingKey, !chain.hasSought, chain.node == child.node {
      // Elements are there, if only as null.
      chain.code = .typeMismatch
    }
    omitted += chain.omitted
    chain.omitted = 0
    if let last { last.follow(with: chain) } else { first = chain }
    let (end, length) = chain.lastLink(within: limit - count)
    count += length
    last = end
    if let rest = end.takeFollowing() { omitted += rest.linkCount }
  }

  /// `add` for an array's element.
  @usableFromInline @inline(never)
  mutating func add(_ error: consuming DecodeError, at node: UInt64, index: Int) {
    if count < limit {
      return add(error, at: JSON(node, within: container), step: .index(index))
    }
    omitted += error.count
    container.keepSpare(error)
  }

  /// All errors as one, or nil if the list is empty.
  package var failure: DecodeError? {
    container.dropSpare()
    guard let first else { return nil }
    first.omitted = omitted
    return DecodeError(first)
  }
}
