// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The shape of documents: which kinds of values are where, and under which keys. Elements of one
// array are one shape.
//
//   [{"id":1,"email":null},{"id":2}]      array of 2
//                                           id     integer
//                                           email  null, in 1 of 2

import Decant

struct Shape {
  /// How many values this is the shape of.
  private var count = 0
  /// How many of them are of which kind, in the order in which kinds appeared.
  private var kinds: [(name: String, count: Int)] = []
  private var elements: [Shape] = []
  private var elementCount = 0
  private var members: [(key: String, shape: Shape)] = []
  private var places: [String: Int] = [:]
  private var otherKeys = 0

  static let deepest = 5
  static let mostKeys = 24

  /// Looks at a value, and at what is in it down to a small depth.
  mutating func add(_ json: JSON, depth: Int = 0) {
    count += 1
    add(kind: json.kindName)
    if json.kind == .array { elementCount += json.count }
    if depth == Shape.deepest { return }
    var elements = json.elements
    while let element = elements.next() {
      if self.elements.isEmpty { self.elements.append(Shape()) }
      self.elements[0].add(element, depth: depth + 1)
    }
    json.forEachMember { key, value in
      if let place = place(of: key) {
        members[place].shape.add(value, depth: depth + 1)
      } else {
        otherKeys += 1
      }
    }
  }

  /// Where a key's shape is; nil if it is one key too many.
  private mutating func place(of key: String) -> Int? {
    if let place = places[key] { return place }
    if members.count == Shape.mostKeys { return nil }
    places[key] = members.count
    members.append((key, Shape()))
    return members.count - 1
  }

  private mutating func add(kind name: String) {
    if let place = kinds.firstIndex(where: { $0.name == name }) {
      kinds[place].count += 1
    } else {
      kinds.append((name, 1))
    }
  }
}

// MARK: - As text

extension Shape {
  /// The outline, a line a key.
  var outline: String {
    ([summary] + lines(margin: "  ")).joined(separator: "\n")
  }

  /// The kinds that occur here: `string`, `integer 3, null 1`, `array of 12 objects`.
  private var summary: String {
    kinds.map { kind in
      let name = kind.name == "array" ? arraySummary : kind.name
      return kinds.count == 1 ? name : "\(name) \(grouped(kind.count))"
    }.joined(separator: ", ")
  }

  private var arraySummary: String {
    guard let element = elements.first else {
      return elementCount == 0 ? "empty array" : "array of \(grouped(elementCount))"
    }
    let total = count == 1 ? "" : " in all"
    let kinds = element.kinds.map(\.name)
    if kinds.count > 1 { return "array of \(grouped(elementCount))\(total) (\(element.summary))" }
    switch kinds[0] {
    case "array": return "array of \(grouped(elementCount))\(total) (\(element.summary))"
    case "null": return "array of \(grouped(elementCount)) null\(total)"
    case let noun: return "array of \(counted(elementCount, noun))\(total)"
    }
  }

  private func lines(margin: String) -> [String] {
    var lines: [String] = []
    let width = min(members.map { Table.cell($0.key).width }.max() ?? 0, 24)
    let objects = kinds.first { $0.name == "object" }?.count ?? 0
    for (key, shape) in members {
      let name = Table.cell(key)
      let padding = String(repeating: " ", count: max(0, width - name.width))
      let presence =
        shape.count < objects ? ", in \(grouped(shape.count)) of \(grouped(objects))" : ""
      lines.append("\(margin)\(name)\(padding)  \(shape.summary)\(presence)")
      lines += shape.lines(margin: margin + "  ")
    }
    if otherKeys > 0 {
      lines.append("\(margin)… and \(counted(otherKeys, "member")) of other keys")
    }
    for element in elements { lines += element.lines(margin: margin) }
    return lines
  }
}

extension JSON {
  fileprivate var kindName: String {
    switch kind {
    case .missing: "nothing"
    case .null: "null"
    case .bool: "boolean"
    case .number: int == nil ? "number" : "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
