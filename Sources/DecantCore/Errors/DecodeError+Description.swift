// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error's text, the same in Swift and in C. Input that is quoted is escaped, cut, and valid UTF-8.

extension DecodeError: CustomStringConvertible {
  /// One line an error: `[source:][line:column: ][path: ]what`.
  public var description: String {
    if storage.underlying.isEmpty { return line }
    var text = storage.underlying.map { $0.line }.joined(separator: "\n")
    if storage.omitted > 0 {
      text += "\n… and \(storage.omitted) more error\(storage.omitted == 1 ? "" : "s")"
    }
    return text
  }

  private var line: String {
    var text = ""
    if let name = storage.sourceName { text += name + ":" }
    if let location = storage.location { text += "\(location.line):\(location.column):" }
    if !text.isEmpty { text += " " }
    if !storage.path.text.isEmpty { text += "\(quotedPath(storage.path.text)): " }
    return text + message
  }

  /// What is wrong, without the place.
  public var message: String {
    if !storage.underlying.isEmpty { return "\(storage.underlying.count + storage.omitted) errors" }
    if let message = storage.message { return message }
    let expected = storage.expectation.map { "expected \($0)" }
    let found = storage.found ?? "nothing"
    switch code {
    case .unexpectedByte: return storage.found.map { "unexpected \($0)" } ?? "the input is not JSON"
    case .unexpectedEnd: return "the input ends inside a value"
    case .invalidLiteral: return "expected true, false or null, found \(found)"
    case .invalidNumber: return "\(found) does not continue the number"
    case .controlCharacter: return "\(found) must be escaped in a string"
    case .invalidEscape: return "\(found) does not continue the escape sequence"
    case .loneSurrogate: return "half of a surrogate pair"
    case .invalidUTF8: return storage.found.map { "not UTF-8: \($0)" } ?? "the input is not UTF-8"
    case .trailingBytes:
      return "expected the end of the input" + (storage.found.map { ", found \($0)" } ?? "")
    case .byteOrderMark: return "the input begins with a byte order mark"
    case .numberOverflow: return "the number is too large for a double"
    case .typeMismatch: return "\(expected ?? "another type was expected"), found \(found)"
    case .missingKey:
      if let expected { return "\(expected), found \(found)" }
      return "the key is missing"
    case .missingElement: return "the element is missing"
    case .numberOutOfRange: return "\(found) is out of range: \(expected ?? "")"
    case .notAnInteger: return "\(expected ?? "expected an integer"), found \(found)"
    case .invalidValue:
      return expected.map { "\($0), found \(found)" } ?? "\(found) is not an accepted value"
    case .duplicateKey:
      let first = storage.otherLocation.map { "; the first stands at \($0.line):\($0.column)" }
      return "the key stands twice in its object\(first ?? "")"
    case .tooDeep: return "nested too deeply"
    case .tooLarge: return "the input is too large"
    case .emptyInput: return "the input is empty"
    case .invalidPointer: return "not a JSON Pointer (RFC 6901)"
    case .unsupported: return "the engine does not support this"
    case .outOfMemory: return "out of memory"
    default: return "error \(code.rawValue)"
    }
  }
}

// MARK: - Quoting input

/// A byte as errors show it: the character if it is printable ASCII, its number otherwise.
func byteDescription(_ byte: UInt8) -> String {
  if byte > 0x20, byte < 0x7F { return "'\(Character(UnicodeScalar(byte)))'" }
  return "byte 0x\(hexadecimal(UInt32(byte), digits: 2))"
}

/// Text cut to a length that a line can bear.
func excerpt(_ text: String, limit: Int = 40) -> String {
  var result = String.UnicodeScalarView()
  var count = 0
  for scalar in text.unicodeScalars {
    if count == limit { return String(result) + "…" }
    result.append(scalar)
    count += 1
  }
  return text
}

/// Text in quotes, cut, with everything escaped that a terminal or a log could mistake.
package func quoted(_ text: String) -> String { "\"\(escaped(excerpt(text)))\"" }

func quotedPath(_ text: String) -> String { escaped(excerpt(text, limit: 200)) }

private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default:
      // C0, DEL, C1, and the marks that reorder or break lines.
      let value = scalar.value
      if value < 0x20 || (0x7F...0x9F).contains(value) || (0x200B...0x200F).contains(value)
        || (0x2028...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        || value == 0xFEFF
      {
        result += "\\u" + hexadecimal(value, digits: 4)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}

func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
