// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import DecantCore
public import Foundation

extension Data: JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes { unsafe body($0) }
  }
}
