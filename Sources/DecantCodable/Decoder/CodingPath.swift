// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The components of coding paths for which the model has no keys.

internal import DecantCore

/// A member by a name that no key type has, such as `super`.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A member of a dictionary. A numeric name has its number, as the standard library's own key does.
struct DictionaryKey: CodingKey {
  let stringValue: String
  var intValue: Int? { integer(stringValue) }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(String(intValue)) }
}

/// An element.
struct IndexKey: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }

  init(_ index: Int) { self.index = index }
  init(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
}
