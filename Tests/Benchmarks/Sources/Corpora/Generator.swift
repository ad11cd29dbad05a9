// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents of our own, the same on every machine: what `users` and `tiny` are, and what stands in
// for the published corpora where they are not at hand. They have the shape, the size and the kind
// of text of their models; numbers measured on them are near those of the published files, but not
// equal.

/// Makes documents.
public enum Generator {
  public static let tiny = #"{"id":1,"name":"Cool User","email":"u.cool@example.com"}"#

  /// An array of `count` users, about 60 bytes each, without white space.
  public static func users(count: Int) -> String {
    var text = "["
    text.reserveCapacity(count * 64 + 2)
    for id in 1...max(count, 1) {
      if id > 1 { text += "," }
      text += #"{"id":\#(id),"name":"Cool User","email":"u.cool\#(id)@example.com"}"#
    }
    return text + "]"
  }
}

// MARK: - What the generated documents are made of

/// SplitMix64: small, and the same everywhere.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// True `percent` times in a hundred.
  mutating func chance(_ percent: Int) -> Bool {
    integer(1...100) <= percent
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[integer(0...elements.count - 1)]
  }
}

/// A document before it is written. Strings must not need escaping, except `\n` and `\"`.
indirect enum Node {
  case raw(String)
  case string(String)
  case array([Node])
  case object([(String, Node)])

  static let null = Node.raw("null")
  static func integer(_ value: Int) -> Node { .raw("\(value)") }
  static func flag(_ value: Bool) -> Node { .raw("\(value)") }

  /// The text, with `indent` spaces a level, one value a line.
  func text(indent: Int) -> String {
    var text = ""
    write(to: &text, indent: indent, level: 0)
    return text
  }

  private func write(to text: inout String, indent: Int, level: Int) {
    switch self {
    case .raw(let raw):
      text += raw
    case .string(let string):
      Self.write(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        Self.startLine(&text, after: index, indent: indent, level: level + 1)
        element.write(to: &text, indent: indent, level: level + 1)
      }
      if !elements.isEmpty { Self.startLine(&text, after: 0, indent: indent, level: level) }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        Self.startLine(&text, after: index, indent: indent, level: level + 1)
        Self.write(member.0, to: &text)
        text += ": "
        member.1.write(to: &text, indent: indent, level: level + 1)
      }
      if !members.isEmpty { Self.startLine(&text, after: 0, indent: indent, level: level) }
      text += "}"
    }
  }

  private static func startLine(_ text: inout String, after index: Int, indent: Int, level: Int) {
    text += index > 0 ? ",\n" : "\n"
    text += String(repeating: " ", count: indent * level)
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for character in string.unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    text += "\""
  }
}
