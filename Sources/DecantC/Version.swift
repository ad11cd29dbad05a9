// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The version and the names of statuses, as decant.h declares them.

package import CDecant
internal import DecantCore

// The bytes of a literal end with NUL.

@c @implementation
package func decant_version() -> UnsafePointer<CChar>! { unsafe Bytes("0.1.0").memory?.textPointer }

@c @implementation
package func decant_version_number() -> Int32 { Int32(DECANT_VERSION_NUMBER) }

@c @implementation
package func decant_status_name(_ status: decant_status) -> UnsafePointer<CChar>! {
  let words = status == ok ? "ok" : DecodeError.Code(rawValue: status)?.words ?? "unknown status"
  return unsafe Bytes(words).memory?.textPointer
}
