// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What is decoded: five documents of different character.

/// A document and the model that every contender makes of it.
public enum Work: UInt32, CaseIterable, Sendable {
  /// One object of three fields: the cost of a call.
  case tiny
  /// Search results: much text beyond ASCII, deep objects, five fields in six not in the model.
  case twitter
  /// A catalogue: integers, short keys, empty arrays, white space.
  case citm
  /// A map: 55,563 points, each an array of two floating-point numbers.
  case canada
  /// 100,000 objects like `tiny`: nearly all is strings and arrays.
  case users

  public var name: String { "\(self)" }

  public init?(name: some StringProtocol) {
    guard let work = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = work
  }

  /// The file that holds the document in a corpora folder; nil where it is always made in code.
  public var fileName: String? {
    switch self {
    case .tiny, .users: nil
    case .twitter: "twitter.json"
    case .citm: "citm_catalog.json"
    case .canada: "canada.json"
    }
  }
}
