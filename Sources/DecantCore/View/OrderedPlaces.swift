// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// The places 0 to `count - 1` in order; equal ones stay as they are. Sorting is compiled once, and not for each type
/// that is sorted.
@inline(never)
package func orderedPlaces(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  (0..<count).sorted(by: precedes)
}
