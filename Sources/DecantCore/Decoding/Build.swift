// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What `build` (Build.Generated.swift) needs beside its arities.

/// The errors of a model's parts, gathered when at least one failed.
@usableFromInline
package struct PartErrors {
  @usableFromInline var error: DecodeError?

  @usableFromInline
  package init() {}

  @inlinable @inline(__always)
  package mutating func add<Part>(_ part: Decoded<Part>) {
    if case .failure(let error) = part { add(error) }
  }

  @usableFromInline @inline(never)
  package mutating func add(_ other: DecodeError) {
    error = error.map { .combining($0, other) } ?? other
  }

  /// All of them. Programmers' error if there is none.
  @usableFromInline
  package var combined: DecodeError {
    guard let error else { preconditionFailure("no part failed") }
    return error
  }
}
