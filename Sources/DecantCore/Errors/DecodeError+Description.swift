// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error's text, the same in Swift and in C.
//
//   users.json:2:4: /1/user_name: the key is missing; did you mean "userName"?      a line an error
//     {"id": 2, "userName": "Ann"}                                          where the engine knows it:
//     ^                                                                       the source, and a mark
//     the object has "id", "userName"                                       notes
//
// Errors about one place that follow one another share the lines below. Input that is quoted is escaped,
// cut, and valid UTF-8; with `redactsInput` there is none.

extension DecodeError: CustomStringConvertible {
  /// A line an error, `[source:][line:column: ][path: ]what`, and under it the source line with a mark,
  /// where the engine knows the place.
  public var description: String {
    var text = ""
    let parts = storage.isList ? underlying : [self]
    for (place, part) in parts.enumerated() {
      let resolution = part.resolution
      if place > 0 { text += "\n" }
      text += part.line(resolution)
      let next = place + 1 < parts.count ? parts[place + 1].storage.resolution : nil
      if let location = resolution.location, location == next?.location { continue }
      if let excerpt = resolution.excerpt { text += "\n" + excerpt }
      if let note = part.note(resolution) { text += "\n  " + note }
    }
    if storage.omitted > 0 {
      text += "\n… and \(storage.omitted) more error\(storage.omitted == 1 ? "" : "s")"
    }
    return text
  }

  private func line(_ resolution: Resolution) -> String {
    var text = ""
    if let name = resolution.sourceName { text += name + ":" }
    if let location = resolution.location { text += "\(location.line):\(location.column):" }
    if !text.isEmpty { text += " " }
    if !resolution.path.text.isEmpty { text += "\(quotedPath(resolution.path.text)): " }
    return text + message(resolution)
  }

  /// What is wrong, without the place.
  public var message: String {
    storage.isList ? "\(count) errors" : message(resolution)
  }

  /// What helps to mend it: the keys that an object has where one is missing.
  private func note(_ resolution: Resolution) -> String? {
    guard code == .missingKey, !resolution.keys.isEmpty else { return nil }
    let shown = resolution.keys.prefix(8).map { quoted($0) }.joined(separator: ", ")
    let rest = resolution.keys.count - 8
    if rest <= 0 { return "the object has \(shown)" }
    return "the object has \(shown) and \(resolution.hasMoreKeys ? "many" : "\(rest)") more"
  }

  private func message(_ resolution: Resolution) -> String {
    if let message = storage.message ?? resolution.message { return message }
    let expected = storage.expectation.map { "expected \($0)" }
    let found = resolution.found ?? "nothing"
    switch code {
    case .typeMismatch: return "\(expected ?? "another type was expected"), found \(found)"
    case .missingKey: return missingKey(resolution, expected, found)
    case .missingElement: return "the element is missing"
    case .numberOutOfRange:
      return "out of range for \(bareType)" + number(resolution)
    case .notAnInteger: return "not an integer" + number(resolution)
    case .invalidValue:
      if storage.isAboutKey { return aboutKey(resolution) }
      if let remark = storage.remark { return "\(found) \(remark())" }
      return expected.map { "\($0), found \(found)" } ?? "\(found) is not an accepted value"
    case .duplicateKey: return duplicateKey(resolution)
    case .emptyInput: return "the input is empty"
    case .invalidPointer: return "not a JSON Pointer (RFC 6901)"
    case .unsupported: return "the engine does not support this"
    case .outOfMemory: return "out of memory"
    default: return Self.fallback(code)
    }
  }

  /// What codes say that need more than there is to say more: another engine's errors.
  private static func fallback(_ code: Code) -> String {
    switch code {
    case .unexpectedByte: "the input is not JSON"
    case .unexpectedEnd: "the input ends inside a value"
    case .invalidUTF8: "the input is not UTF-8"
    case .trailingBytes: "expected the end of the input"
    case .numberOverflow: "the number is too large"
    case .tooDeep: "nested too deeply"
    case .tooLarge: "the input is too large"
    default: "error \(code.rawValue)"
    }
  }

  private func missingKey(_ resolution: Resolution, _ expected: String?, _ found: String) -> String
  {
    if let expected { return "\(expected), found \(found)" }
    guard case .key(let name)? = storage.step,
      let near = nearestKey(to: name, among: resolution.keys)
    else { return "the key is missing" }
    return "the key is missing; did you mean \(quoted(near))?"
  }

  /// `Int8`, where "an Int8" was expected.
  private var bareType: String {
    guard let expected else { return "its type" }
    return expected.split(separator: " ", maxSplits: 1).last.map { String($0) } ?? expected
  }

  /// The number that was found, as `: 300`; another kind with its name, as `: the string "300"`.
  private func number(_ resolution: Resolution) -> String {
    guard let found = resolution.found, !resolution.redacts else { return "" }
    let prefix = "the number "
    return ": \(found.hasPrefix(prefix) ? String(found.dropFirst(prefix.count)) : found)"
  }

  private func aboutKey(_ resolution: Resolution) -> String {
    guard !resolution.redacts, let name = resolution.path.tokens?.last else {
      return "the key is not an accepted one"
    }
    return "the key \(quoted(name)) is not an accepted one"
  }

  private func duplicateKey(_ resolution: Resolution) -> String {
    let name = resolution.keys.first.map { " \(quoted($0))" } ?? ""
    let first = resolution.otherLocation.map { "; the first stands at \($0.line):\($0.column)" }
    return "the key\(name) stands twice in its object\(first ?? "")"
  }
}
