// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Sorting: in order, equal ones as they were, as the standard library does it; and without more comparisons than that
// takes.

import DecantCore
import DecantTestSupport
import Testing

@Suite("Ordered places")
struct OrderedPlaces {
  @Test("places are in order, and equal ones stay as they are", arguments: [1, 3, 10, 1_000])
  func stable(kinds: Int) {
    var random = SeededRandom(printing: "ordered places")
    for count in 0...rounds(200) {
      let keys = (0..<count).map { _ in Int.random(in: 0..<kinds, using: &random) }
      let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
      let found = orderedPlaces(count) { keys[$0] < keys[$1] }
      guard found == expected else {
        Issue.record("\(keys): \(found)")
        return
      }
    }
  }

  @Test("what is in order is compared once with what is before it; the reverse is not quadratic")
  func comparisons() {
    for count in [2, 8, 9, 100, 10_000] {
      var comparisons = 0
      _ = orderedPlaces(count) {
        comparisons += 1
        return $0 < $1
      }
      #expect(comparisons < 2 * count)
      comparisons = 0
      _ = orderedPlaces(count) {
        comparisons += 1
        return $0 > $1
      }
      #expect(comparisons < 20 * count)
    }
  }
}
