// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender jansson.json_unpack: see Sources/RivalJansson/jansson_unpack.c.

import RivalJansson

extension ForeignContender {
  static var janssonUnpack: Self { Self(jansson_unpack_contender) }
}
