// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// Counts what held and what did not, and prints the latter.
struct Check {
  private(set) var passed = 0
  private(set) var failed = 0

  mutating func that(_ condition: Bool, _ what: String, line: Int = #line) {
    if condition {
      passed += 1
    } else {
      failed += 1
      print("failed, line \(line): \(what)")
    }
  }

  mutating func equal<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) {
    that(value == expected, "\(value), expected \(expected)", line: line)
  }

  mutating func fails<Value>(_ text: String, line: Int = #line, _ body: () throws -> Value) {
    do {
      that(false, "\(try body()), expected the error: \(text)", line: line)
    } catch {
      // Below each line is the source, indented.
      let lines = "\(error)".split(separator: "\n").filter { !$0.hasPrefix(" ") }
      equal(lines.joined(separator: "\n"), text, line: line)
    }
  }
}
