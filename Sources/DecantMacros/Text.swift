// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// Source text that is being written, line by line.
struct Text {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String) {
    // Directives begin their lines.
    text += (line.hasPrefix("#") ? "" : String(repeating: "  ", count: depth)) + line + "\n"
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
