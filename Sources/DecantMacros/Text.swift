// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The place of a declaration in its file, and the text that a macro writes.

/// The place of a declaration in its file.
struct Place {
  var file: String
  /// The line of its first byte, from 1.
  var line: Int
  var source: String

  func line(of offset: Int) -> Int {
    source.utf8.prefix(offset).reduce(line) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }
}

/// Source text that is written line by line.
///
/// `#sourceLocation` makes the compiler report errors about the type or the conversion of a property at the property's
/// line. Properties on consecutive lines need one such directive.
struct Text {
  private(set) var text = ""
  private let place: Place?
  private var depth = 0
  /// The line that the compiler takes the next one for, if not for its own.
  private var next: Int?

  init(_ place: Place? = nil) { self.place = place }

  /// A line about no property.
  mutating func line(_ line: String) {
    if next != nil { text += "#sourceLocation()\n" }
    next = nil
    add(line)
  }

  /// A line about the property or case that is at an offset of the declaration.
  mutating func line(_ line: String, at offset: Int) {
    guard let place else { return add(line) }
    let number = place.line(of: offset)
    if next != number { text += "#sourceLocation(file: \(literal(place.file)), line: \(number))\n" }
    next = number + 1 + line.utf8.count { $0 == UInt8(ascii: "\n") }
    add(line)
  }

  private mutating func add(_ line: String) {
    // Directives begin their lines.
    text += (line.hasPrefix("#") ? "" : String(repeating: "  ", count: depth)) + line + "\n"
  }

  /// Writes items with commas, in lines of about 100 characters.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    var line = head
    for (index, item) in items.enumerated() {
      if line.count + item.count > 86, index > 0 {
        self.line(line)
        line = "  "
      }
      line += item + (index + 1 < items.count ? ", " : tail)
    }
    self.line(items.isEmpty ? head + tail : line)
  }

  /// `head {` and `names in`, what `body` writes, and `}` with what it opens.
  mutating func block(
    _ head: String, _ names: String = "", opens tail: String = "",
    _ body: (inout Text) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    line(head + " {" + names)
    try indented(body)
    line("}" + tail)
  }

  mutating func indentedLine(_ text: String) {
    depth += 1
    line(text)
    depth -= 1
  }

  mutating func indented(_ body: (inout Text) throws(Diagnostic) -> Void) throws(Diagnostic) {
    depth += 1
    try body(&self)
    depth -= 1
  }
}
