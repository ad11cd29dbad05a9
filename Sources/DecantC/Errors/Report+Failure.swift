// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors of Swift models, which have their texts already, into the caller's struct.

#if !hasFeature(Embedded)

  public import CDecant
  public import DecantCore

  /// Writes an error into the caller's struct, if there is one of a known size, and returns its code.
  @usableFromInline
  package func report(_ failure: DecodeError, to error: UnsafeMutablePointer<decant_error>?)
    -> decant_status
  {
    var report = unsafe Report(ErrorOut(error))
    return report.finish(with: failure)
  }

#endif
