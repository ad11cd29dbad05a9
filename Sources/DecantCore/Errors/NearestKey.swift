// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "did you mean": the key that is nearest to a missing one. Keys that differ in case, `_` and `-` alone are
// nearest; then those within a third of the length in edits, where swapping two neighbours is one edit
// (optimal string alignment).

/// The nearest of `keys` to `name`, or nil if none is near.
func nearestKey(to name: String, among keys: [String]) -> String? {
  let wanted = Array(name.utf8.prefix(longestKey + 1))
  guard !wanted.isEmpty, wanted.count <= longestKey else { return nil }
  let wantedLetters = letters(of: wanted)
  var best: (key: String, distance: Int)?
  for key in keys {
    let bytes = Array(key.utf8.prefix(longestKey + 1))
    guard bytes.count <= longestKey else { continue }
    let found = letters(of: bytes)
    if found == wantedLetters, !found.isEmpty { return key }
    let allowed = min(best.map { $0.distance - 1 } ?? .max, max(wanted.count, bytes.count) / 3)
    guard abs(bytes.count - wanted.count) <= allowed, allowed > 0 else { continue }
    let distance = edits(wantedLetters, found)
    if distance <= allowed { best = (key, distance) }
  }
  return best?.key
}

/// Longer keys are not compared.
private var longestKey: Int { 48 }

/// The bytes without `_` and `-`, ASCII letters small.
private func letters(of key: [UInt8]) -> [UInt8] {
  var letters: [UInt8] = []
  for byte in key where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
    letters.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
  }
  return letters
}

private func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = last
    row[0] = i
    for j in 1...b.count {
      row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        row[j] = min(row[j], beforeLast[j - 2] + 1)
      }
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
