// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

package import CDecant
internal import DecantCore

// SAFETY: the bytes of a StaticString end with NUL and live as long as the program.
private func text(_ string: StaticString) -> UnsafePointer<CChar> {
  unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
package func decant_version() -> UnsafePointer<CChar>! { unsafe text("0.1.0") }

@c @implementation
package func decant_version_number() -> Int32 { Int32(DECANT_VERSION_NUMBER) }

@c @implementation
package func decant_status_name(_ status: decant_status) -> UnsafePointer<CChar>! {
  if status == Status(DECANT_OK) { return unsafe text("ok") }
  return unsafe text(DecodeError.Code(rawValue: status)?.words ?? "unknown status")
}
