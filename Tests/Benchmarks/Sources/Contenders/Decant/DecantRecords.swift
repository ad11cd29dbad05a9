// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.c: see Sources/DecantRecords/decant_records.c.

import DecantRecords

extension ForeignContender {
  static var decantRecords: Self { Self(decant_records_contender) }
}
