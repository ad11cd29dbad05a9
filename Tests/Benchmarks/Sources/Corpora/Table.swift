// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Tables and numbers for people.

/// Rows of text in columns: the first column to the left, the others to the right.
public struct Table {
  private var rows: [[String]]

  public init(_ header: [String]) {
    rows = [header]
  }

  public mutating func add(_ row: [String]) {
    rows.append(row)
  }

  public var text: String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }
      return "  " + cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

/// Three significant digits: `0.912`, `45.1`, `119`.
public func digits(_ number: Double) -> String {
  switch abs(number) {
  case ..<10: fixed(number, 2)
  case ..<100: fixed(number, 1)
  default: fixed(number, 0)
  }
}

/// A time with its unit: `45.1 ns`, `119 µs`, `5.85 ms`.
public func time(nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<1e4: "\(nanoseconds < 1e3 ? digits(nanoseconds) : fixed(nanoseconds, 0)) ns"
  case ..<1e6: "\(digits(nanoseconds / 1e3)) µs"
  case ..<1e9: "\(digits(nanoseconds / 1e6)) ms"
  default: "\(digits(nanoseconds / 1e9)) s"
  }
}

/// A size with its unit, in powers of 1024.
public func size(bytes: Int) -> String {
  switch bytes {
  case ..<1024: "\(bytes) B"
  case ..<(1024 * 1024): "\(digits(Double(bytes) / 1024)) KB"
  default: "\(digits(Double(bytes) / 1024 / 1024)) MB"
  }
}

/// A number with so many decimals.
public func fixed(_ number: Double, _ decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (abs(number) * scale).rounded()
  let sign = number < 0 && scaled > 0 ? "-" : ""
  let whole = Int(scaled / scale)
  guard decimals > 0 else { return "\(sign)\(whole)" }
  let fraction = "\(Int(scaled) - whole * Int(scale))"
  let zeros = String(repeating: "0", count: decimals - fraction.count)
  return "\(sign)\(whole).\(zeros)\(fraction)"
}
