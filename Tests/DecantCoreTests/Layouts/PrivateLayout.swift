// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The canary: a probe that finds nothing any more costs speed and nothing else, so no other test would notice.

import CDecantTestSupport
import DecantCore
import Testing

@Suite("Private layouts")
struct PrivateLayouts {
  /// Linux on 64 bits with the toolchains that this package is tested with, and not when the switch is on.
  private var isExpected: Bool {
    #if os(Linux) && _pointerBitWidth(_64)
      !decant_tests_use_public_layouts_only()
    #else
      false
    #endif
  }

  @Test("are in use where the toolchain has them, and none is with DECANT_PUBLIC_LAYOUTS_ONLY=1")
  func canary() {
    #expect(PrivateLayout.areAllowed != decant_tests_use_public_layouts_only())
    #expect(PrivateLayout.smallStringsAreUsed == isExpected)
    #expect(PrivateLayout.largeStringsAreUsed == isExpected)
  }
}
