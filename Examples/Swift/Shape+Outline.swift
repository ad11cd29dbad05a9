// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A shape as text, a line a key. What is deep, and what has many keys, is cut.

extension Shape {
  private static let deepestShown = 5
  private static let mostKeysShown = 24
  private static let widestKey = 24

  /// The outline.
  var outline: String {
    ([summary] + lines(margin: "  ", depth: 0)).joined(separator: "\n")
  }

  /// The kinds that occur here: `string`, `integer 3, null 1`, `array of 12 objects`.
  private var summary: String {
    kinds.map { kind, count in
      let name =
        switch kind {
        case .array: arraySummary
        case .object: objectSummary
        default: kind.name
        }
      return kinds.count == 1 ? name : "\(name) \(grouped(count))"
    }.joined(separator: ", ")
  }

  private var arraySummary: String {
    guard let element else {
      return elementCount == 0 ? "empty array" : "array of \(grouped(elementCount))"
    }
    let total = count == 1 ? "" : " in all"
    if element.kinds.count > 1 || element.kinds[0].kind == .array {
      return "array of \(grouped(elementCount))\(total) (\(element.summary))"
    }
    switch element.kinds[0].kind {
    case .null: return "array of \(grouped(elementCount)) null\(total)"
    case let kind: return "array of \(counted(elementCount, kind.name))\(total)"
    }
  }

  private var objectSummary: String {
    guard let values = dictionaryValues else { return "object" }
    let keys = "object with \(counted(members.count, "key")) such as \(Table.cell(members[0].key))"
    return "\(keys) (\(values.summary))"
  }

  private func lines(margin: String, depth: Int) -> [String] {
    if depth == Shape.deepestShown {
      return members.isEmpty && element == nil ? [] : [margin + "…"]
    }
    if let values = dictionaryValues { return values.lines(margin: margin, depth: depth + 1) }
    var lines: [String] = []
    let shown = members.prefix(Shape.mostKeysShown)
    let width = min(shown.map { Table.cell($0.key).width }.max() ?? 0, Shape.widestKey)
    let objects = count(of: .object)
    for member in shown {
      let (name, shape) = (Table.cell(member.key), member.shape)
      let padding = String(repeating: " ", count: max(0, width - name.width))
      let presence =
        member.count < objects ? ", in \(grouped(member.count)) of \(grouped(objects))" : ""
      lines.append("\(margin)\(name)\(padding)  \(shape.summary)\(presence)")
      lines += shape.lines(margin: margin + "  ", depth: depth + 1)
    }
    if members.count > shown.count {
      lines.append("\(margin)… and \(counted(members.count - shown.count, "key")) more")
    }
    if let element { lines += element.lines(margin: margin, depth: depth + 1) }
    return lines
  }
}

extension Shape.Kind {
  /// With no article.
  var name: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
