// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Private layouts of the Swift standard library. Code that knows the layout of some of its types can make or read
// them several times faster, but the library does not promise the layout. This folder holds every such layout, under these rules:
//
//   - A probe compares the layout with what the library itself makes, once a process, before the first use.
//     If anything differs, the library's public interface is used. Compiler versions do not matter.
//   - Nothing is written into an object that the library made.
//   - One switch turns all of them off: the package trait `PublicLayoutsOnly`, `-DDECANT_PUBLIC_LAYOUTS_ONLY=ON` for
//     CMake, or, for tests and benchmarks, a call of `decant_use_public_layouts_only` before the first decode.
//   - A test fails when a layout is not in use with a toolchain that has it, and the suite runs once with all of
//     them off.
//
// To add a layout: a file here with a drawing, a probe that begins with `areAllowed`, and a case in `PrivateLayout`.

internal import CDecantIndex

/// The private layouts that Decant can use.
package enum PrivateLayout {
  /// Whether probes may find a layout as expected.
  package static var areAllowed: Bool { decant_private_layouts_allowed() }

  /// Whether strings of up to 15 bytes are made and read in registers.
  package static var smallStringsAreUsed: Bool { SmallString.isKnown }

  /// Whether longer strings are made in one step.
  package static var largeStringsAreUsed: Bool { unsafe LargeString.type != nil }
}
