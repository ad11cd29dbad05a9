// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The steps of coding paths where the model has no keys of its own.

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
