// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How a container collects the errors of its children. Every decoder of members or elements has one list, adds the
// error of each child that failed, and fails with `failure` at the end.
//
//   [1,"2",true]  as [Int]    /1: expected an integer …, /2: expected an integer …

internal import CDecantIndex

/// The errors of a container's children, in document order: as many as the options allow, then a count.
package struct ErrorList: ~Escapable {
  let container: JSON
  let limit: Int
  private var parts: [DecodeError] = []
  private var omitted = 0

  @usableFromInline @_lifetime(copy container)
  package init(in container: JSON) {
    self.container = container
    limit = container.reference.errorLimit
  }

  /// Whether the list has its first error, and needs no other.
  @usableFromInline
  package var isDone: Bool { limit == 1 && !parts.isEmpty }

  package mutating func add(
    _ error: consuming DecodeError, at child: JSON, step: JSONPointer.Token
  ) {
    if parts.count >= limit { return omitted += error.count }
    add(container.placed(error, ofElement: child.node, step))
  }

  /// `add` for an array's element.
  @usableFromInline @inline(never)
  mutating func add(_ error: consuming DecodeError, at node: UInt64, index: Int) {
    if parts.count >= limit { return omitted += error.count }
    add(container.placed(error, ofElement: node, .index(index)))
  }

  private mutating func add(_ error: consuming DecodeError) {
    guard case .list(let list) = error.form else { return parts.append(error) }
    let all = list.isResolved ? error.underlying : list.parts
    let count = min(all.count, limit - parts.count)
    parts += all[..<count]
    omitted += list.omitted + all.count - count
  }

  /// All errors as one, or nil if the list is empty.
  package var failure: DecodeError? {
    parts.isEmpty ? nil : DecodeError.List(parts, omitted: omitted).error
  }
}

extension JSON {
  /// Tells an element's or a member's error its place. Elements are there, if only as null.
  func placed(
    _ error: DecodeError, ofElement node: UInt64, _ step: JSONPointer.Token
  ) -> DecodeError { placed(error, at: node, along: [step], isField: false) }
}
