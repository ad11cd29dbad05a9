// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one sort of the library: of an object's members by their keys, and of errors by their places.

/// The places 0 to `count - 1` in order; equal ones stay as they are. This is a merge sort: the standard library's is ten
/// times as much code. It is dynamic, so that the compiler specializes it neither for each type nor for each closure.
///
/// - Complexity: n log n comparisons, and n if all are in order.
@inline(never)
package dynamic func orderedPlaces(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  var places: [Int] = []
  places.reserveCapacity(count)
  var width = 8
  // Runs of eight are in order as they are made.
  for place in 0..<count {
    places.append(place)
    var at = place
    while at % width != 0, precedes(place, places[at - 1]) {
      places[at] = places[at - 1]
      at -= 1
    }
    places[at] = place
  }
  if count <= width { return places }
  var merged = places
  while width < count {
    var start = 0
    while start < count {
      let middle = min(start + width, count)
      let end = min(middle + width, count)
      var left = start
      var right = middle
      // Runs that follow one another are taken as they are.
      if right < end, !precedes(places[right], places[right - 1]) { right = end }
      for place in start..<end {
        if right == end || left < middle && !precedes(places[right], places[left]) {
          merged[place] = places[left]
          left += 1
        } else {
          merged[place] = places[right]
          right += 1
        }
      }
      start = end
    }
    swap(&places, &merged)
    width *= 2
  }
  return places
}
