// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for swift-http-types.

public struct HTTPField: Sendable {
  public struct Name: Hashable, Sendable {
    let text: String

    public static let contentType = Name(text: "content-type")
  }
}

public struct HTTPFields: Sendable, ExpressibleByDictionaryLiteral {
  private var values: [HTTPField.Name: String] = [:]

  public init() {}
  public init(dictionaryLiteral fields: (HTTPField.Name, String)...) {
    for (name, value) in fields { values[name] = value }
  }

  public subscript(name: HTTPField.Name) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }
}
