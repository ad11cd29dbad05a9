// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// A step of a coding path where the model has no key of its own: an element, a dictionary's member,
/// `super`. Three words, so that it fits an existential without a box.
struct PathKey: CodingKey {
  let stringValue: String
  private let index: Int

  var intValue: Int? { index < 0 ? nil : index }

  init(_ name: String) {
    stringValue = name
    index = -1
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    self.index = index
  }

  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(index: intValue) }
}
