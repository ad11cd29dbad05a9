// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import DecantCore

extension Reference {
  /// Calls `body` with the object, which is not counted meanwhile.
  @_transparent
  func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe unmanaged._withUnsafeGuaranteedRef(body)
  }
}
