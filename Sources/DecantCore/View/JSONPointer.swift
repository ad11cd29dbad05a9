// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// JSON Pointers (RFC 6901): paths of errors, and paths of look-ups.
//
//   tokens     users   3   a/b
//   text      /users  /3  /a~1b

/// A place in a JSON document (RFC 6901): `""` is the whole, `/users/3/age` a member of an element.
///
/// In a token, `~1` means `/` and `~0` means `~`. A malformed pointer is kept as it is;
/// using it to look something up is an error with the code ``DecodeError/Code/invalidPointer``.
public struct JSONPointer: Hashable, Sendable {
  /// The pointer as RFC 6901 writes it.
  public let text: String

  /// A pointer as RFC 6901 writes it. It is checked when it is used.
  public init(_ text: String) { self.text = text }

  /// The pointer of a sequence of steps from the root.
  public init(_ tokens: some Sequence<Token>) {
    var text = ""
    for token in tokens { text += "/" + token.escaped }
    self.text = text
  }

  /// Whether both have the same bytes: keys are compared without normalization (RFC 6901 §4).
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    areSame(left.text, right.text)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    hashBytes(of: text, into: &hasher)
  }

  /// This pointer and one step more.
  package func appending(_ token: Token) -> JSONPointer { JSONPointer(text + "/" + token.escaped) }

  /// Whether any proper, non-root prefix of this pointer satisfies the predicate.
  func hasAncestor(_ isOne: (JSONPointer) -> Bool) -> Bool {
    var ancestor: [UInt8] = []
    for byte in SeldomBytes(text) {
      if byte == UInt8(ascii: "/"), !ancestor.isEmpty,
        isOne(JSONPointer(String(decoding: ancestor, as: UTF8.self)))
      {
        return true
      }
      ancestor.append(byte)
    }
    return false
  }

  /// One step: a member's key, or an element's place.
  public enum Token: Hashable, Sendable {
    case key(String)
    case index(Int)

    /// Whether both are the same step: keys have the same bytes.
    public static func == (left: Token, right: Token) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): areSame(left, right)
      case (.index(let left), .index(let right)): left == right
      default: false
      }
    }

    /// Hashes the bytes of a key, or the index.
    public func hash(into hasher: inout Hasher) {
      switch self {
      case .key(let key): hashBytes(of: key, into: &hasher)
      case .index(let index): hasher.combine(index)
      }
    }

    var escaped: String {
      switch self {
      case .index(let index): return String(index)
      case .key(let key):
        var bytes: [UInt8] = []
        var isPlain = true
        for byte in SeldomBytes(key) {
          if byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/") {
            isPlain = false
            bytes.append(UInt8(ascii: "~"))
            bytes.append(byte == UInt8(ascii: "~") ? UInt8(ascii: "0") : UInt8(ascii: "1"))
          } else {
            bytes.append(byte)
          }
        }
        return isPlain ? key : String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// The unescaped tokens, or nil if the text is no pointer: it does not begin with `/`, or has a `~`
  /// that is followed by neither `0` nor `1`.
  public var tokens: [String]? {
    if text.utf8.isEmpty { return [] }
    var tokens: [String] = []
    var token: [UInt8] = []
    var isEscape = false
    var isFirst = true
    for byte in SeldomBytes(text) {
      if isFirst {
        if byte != UInt8(ascii: "/") { return nil }
        isFirst = false
      } else if isEscape {
        if byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return nil }
        token.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
        isEscape = false
      } else if byte == UInt8(ascii: "/") {
        tokens.append(String(decoding: token, as: UTF8.self))
        token = []
      } else if byte == UInt8(ascii: "~") {
        isEscape = true
      } else {
        token.append(byte)
      }
    }
    if isEscape { return nil }
    tokens.append(String(decoding: token, as: UTF8.self))
    return tokens
  }

  /// The array place a token names: digits without a leading zero (RFC 6901 §4). Nil also for more than
  /// an Int64 holds.
  package static func arrayIndex(_ token: Bytes) -> Int? {
    if token.count == 0 || token.count > 1 && token[0] == UInt8(ascii: "0") { return nil }
    var index: Int64 = 0
    for place in 0..<token.count {
      let digit = token[place] &- UInt8(ascii: "0")
      let (tens, isLarge) = index.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = tens.addingReportingOverflow(Int64(truncatingIfNeeded: digit))
      if digit > 9 || isLarge || isLarger { return nil }
      index = sum
    }
    return Int(clamping: index)
  }

  static func arrayIndex(_ token: String) -> Int? {
    var token = token
    return token.withUTF8 { unsafe arrayIndex(Bytes($0.baseAddress, $0.count)) }
  }
}

extension [JSONPointer.Token] {
  /// Appends the first `count` of some steps, the last one first.
  mutating func append(backwards steps: [Element], from count: Int) {
    var place = count
    while place > 0 {
      place -= 1
      append(steps[place])
    }
  }
}

/// `Int(text)`, by the parser of keys: the standard library's is generic.
@inline(never)
package func integer(_ text: String) -> Int? { Int(jsonKey: text) }

extension JSONPointer: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A pointer as RFC 6901 writes it.
  public init(stringLiteral text: String) { self.init(text) }

  /// The pointer as RFC 6901 writes it.
  public var description: String { text }
}
