// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

//
// Coding paths, and their steps where the model has no keys of its own.
//
// A path is an array of existentials, because `DecodingError` wants one, and every error has its own. So an
// error at depth d costs d steps; a model that tries alternatives at each depth would take quadratic time
// for a deep document. Copying is what costs: 5 ns a step through its value witnesses, 1 ns as bytes. Most
// keys are enums or indices, which may be copied as bytes; a path knows whether all of its steps are.

/// A step to a member of a dictionary, or to `super`.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A step to an element.
struct IndexKey: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }

  init(_ index: Int) { self.index = index }
  init(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
}

struct CodingPath {
  private(set) var keys: [any CodingKey] = []
  /// Whether every step is in its existential, not in a box, and has nothing to retain.
  private var isTrivial = true

  func appending(_ key: any CodingKey) -> CodingPath {
    var path = self
    path.isTrivial = isTrivial && CodingPath.isTrivial(key)
    if !isTrivial {
      path.keys.append(key)
      return path
    }
    // SAFETY: the steps are trivial values inside their existentials, and so copied by copying bytes; the
    // step after them is made in place.
    path.keys = unsafe Array(unsafeUninitializedCapacity: keys.count + 1) { copy, count in
      let start = UnsafeMutableRawPointer(copy.baseAddress!)
      unsafe keys.withUnsafeBytes { keys in
        if let source = keys.baseAddress {
          unsafe start.copyMemory(from: source, byteCount: keys.count)
        }
      }
      unsafe (copy.baseAddress! + keys.count).initialize(to: key)
      count = keys.count + 1
    }
    return path
  }

  private static func isTrivial<Key: CodingKey>(_ key: Key) -> Bool {
    _isPOD(Key.self) && MemoryLayout<Key>.size <= 3 * MemoryLayout<Int>.size
      && MemoryLayout<Key>.alignment <= MemoryLayout<Int>.alignment
  }
}
