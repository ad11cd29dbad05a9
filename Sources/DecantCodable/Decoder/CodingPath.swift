// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The components of coding paths for which the model has no key.

internal import DecantCore

/// A component of a coding path for which the model has no key.
enum PathKey: CodingKey {
  /// A member by a name that no key type has, such as `super`.
  case name(String)
  /// A member of a dictionary. A numeric name has its number, as the standard library's own key does.
  case member(String)
  /// An element.
  case index(Int)

  init(stringValue: String) { self = .name(stringValue) }
  init(intValue: Int) { self = .index(intValue) }

  var stringValue: String {
    switch self {
    case .name(let name), .member(let name): name
    case .index(let index): "Index \(index)"
    }
  }

  var intValue: Int? {
    switch self {
    case .name: nil
    case .member(let name): integer(name)
    case .index(let index): index
    }
  }
}
