// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A C string as it is.
struct CText: ErrorPhrase {
  let bytes: Bytes

  /// The empty string.
  init() { bytes = Bytes() }

  // SAFETY: the string, which ends with a NUL byte, outlives the text.
  init(_ start: UnsafePointer<CChar>) {
    bytes = unsafe Bytes(
      UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), decant_c_string_length(start))
  }

  /// Nil for NULL.
  init?(_ start: UnsafePointer<CChar>?) {
    guard let start = unsafe start else { return nil }
    unsafe self.init(start)
  }

  var scalars: ScalarReader { bytes.scalars() }

  func write(to sink: inout ErrorSink) { scalars.write(to: &sink) }
}
