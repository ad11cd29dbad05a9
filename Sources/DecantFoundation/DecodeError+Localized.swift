// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The texts of errors for `localizedDescription`.

public import DecantCore
public import Foundation

extension DecodeError: LocalizedError {
  /// The error's text, so that `localizedDescription` says what is wrong and where.
  public var errorDescription: String? { description }
}

extension JSONWritingError: LocalizedError {
  /// The error's text, so that `localizedDescription` says what is wrong and where.
  public var errorDescription: String? { description }
}
