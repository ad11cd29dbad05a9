// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import CDecantIndex

extension DecodingOptions {
  /// The tokenizer behind the values. Every engine gives the same answers; the documentation lists the few
  /// differences that cannot be removed.
  ///
  /// The core knows one, ``native``. A module that brings another extends this type, as DecantJansson does
  /// with `jansson`.
  @frozen @safe
  public struct Engine: Sendable, Equatable {
    // SAFETY: a table that lives as long as the program and is never written after it was made.
    @usableFromInline
    nonisolated(unsafe) package let table: UnsafePointer<decant_engine>?

    /// Decant's own structural index: the default, and the fast one.
    @_alwaysEmitIntoClient
    public static var native: Engine { unsafe Engine(table: nil) }

    @_alwaysEmitIntoClient
    package var isNative: Bool { unsafe table == nil }

    @unsafe @_alwaysEmitIntoClient
    package init(table: UnsafePointer<decant_engine>?) { unsafe self.table = unsafe table }

    /// `native`, `jansson`, …
    public var name: String {
      unsafe table.map { unsafe String(cString: $0.pointee.name) } ?? "native"
    }

    /// Whether two engines are one.
    public static func == (left: Engine, right: Engine) -> Bool {
      unsafe left.table == right.table
    }
  }
}
