// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// Rows of text in columns. Long tables and long cells are cut.
struct Table {
  let titles: [String]
  var rows: [[String]] = []
  /// How many rows there are; the cut ones included.
  var count = 0

  static let longest = 12
  static let widest = 44

  init(_ titles: String...) { self.titles = titles }

  mutating func add(_ cells: String...) {
    count += 1
    if rows.count < Table.longest { rows.append(cells.map(Table.cell)) }
  }

  func show() {
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].width }.max() ?? 0
    }
    for row in [titles] + rows {
      var line = " "
      for (cell, width) in zip(row, widths) {
        line += " " + cell + String(repeating: " ", count: width - cell.width + 1)
      }
      print(line.trimmingEnd)
    }
    if count > rows.count { print("  … and \(grouped(count - rows.count)) more") }
  }

  /// Text on one line, without what a terminal would take for a command, and cut.
  static func cell(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        || scalar.properties.isWhitespace ? " " : String(scalar)
    }.joined()
    return safe.count > widest ? safe.prefix(widest - 1) + "…" : safe
  }
}

extension String {
  /// The columns that a terminal gives to it: two for emoji and the wide scripts of East Asia.
  var width: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

  var trimmingEnd: Substring {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Character {
  fileprivate var isWide: Bool {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

/// `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String {
  var digits = Array(String(number.magnitude))
  var place = digits.count - 3
  while place > 0 {
    digits.insert(",", at: place)
    place -= 3
  }
  return (number < 0 ? "-" : "") + String(digits)
}

/// `1 user`, `2 users`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Lines, each with a margin.
func indented(_ text: String, by margin: String = "  ") -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { margin + $0 }
    .joined(separator: "\n")
}
