// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

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

  /// This pointer and one step more.
  package func appending(_ token: Token) -> JSONPointer { JSONPointer(text + "/" + token.escaped) }

  /// The pointers of the values around the one here, outermost first, but for the root.
  var ancestors: some Sequence<String> {
    text.utf8.indices.lazy.dropFirst().filter { text.utf8[$0] == UInt8(ascii: "/") }
      .map { String(text[..<$0]) }
  }

  /// One step: a member's key, or an element's place.
  public enum Token: Hashable, Sendable {
    case key(String)
    case index(Int)

    var escaped: String {
      switch self {
      case .index(let index): return String(index)
      case .key(let key):
        if !key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) {
          return key
        }
        var bytes: [UInt8] = []
        for byte in key.utf8 {
          switch byte {
          case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
          case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
          default: bytes.append(byte)
          }
        }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// The unescaped tokens, or nil if the text is no pointer: it does not begin with `/`, or has a `~`
  /// that is followed by neither `0` nor `1`.
  public var tokens: [String]? {
    if text.utf8.isEmpty { return [] }
    var tokens: [String] = []
    var token: [UInt8] = []
    var bytes = text.utf8.makeIterator()
    guard bytes.next() == UInt8(ascii: "/") else { return nil }
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "/"):
        tokens.append(String(decoding: token, as: UTF8.self))
        token.removeAll(keepingCapacity: true)
      case UInt8(ascii: "~"):
        switch bytes.next() {
        case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
        default: return nil
        }
      default: token.append(byte)
      }
    }
    tokens.append(String(decoding: token, as: UTF8.self))
    return tokens
  }

  /// The array place a token names: digits without a leading zero (RFC 6901 §4).
  static func arrayIndex(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    return integer(token)
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
