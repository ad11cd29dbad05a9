// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models for the shape of documents, by `@JSONModel`.
//
//   [{"id":1,"user":{"full_name":"n"}},{"id":2}]
//
//   @JSONModel
//   struct Item {
//     let id: Int
//     let user: User?
//
//     @JSONModel(keys: .snakeCase)
//     struct User {
//       let fullName: String
//     }
//   }
//
// Nothing is guessed: what is a string in the document is a `String`. The declarations say what these documents have, and
// a comment where that is less than a model should know.

struct Declarations {
  /// A struct or a class for objects, an enum for values of several kinds.
  private final class Model {
    let name: String
    let shape: Shape
    let isEnum: Bool

    init(_ name: String, _ shape: Shape, isEnum: Bool) {
      self.name = name
      self.shape = shape
      self.isEnum = isEnum
    }
  }

  private let root: Shape
  private let rootHasNull: Bool
  private var models: [Model] = []
  private var names = Names(taken: Declarations.reserved)

  /// - Parameter name: what the documents are, such as a file's name without its ending.
  init(of shape: Shape, name: String) {
    root = shape
    rootHasNull = shape.has(.null)
    while Self.joinAlike(in: shape) {}
    nameModels(in: shape, KeyWords(name).type, parent: "")
  }

  /// The type of the whole document.
  var type: String { type(of: root, hasNull: rootHasNull) }

  /// The declarations; empty if the document is of a type that is there already.
  var text: String {
    guard let outer = models.first else { return "" }
    var lines = declaration(outer)
    let end = lines.removeLast()
    for model in models.dropFirst() { lines += [""] + declaration(model).map { "  " + $0 } }
    return (lines + [end]).joined(separator: "\n")
  }

  /// Names that the declarations use, or that a reader takes for something else.
  private static let reserved: Set<String> = [
    "Any", "Array", "Bool", "Character", "Data", "Date", "Decant", "Decoded", "Dictionary",
    "Double", "Error", "Float",
    "Int", "Int128", "JSON", "JSONField", "JSONModel", "JSONNumber", "JSONValue", "Never",
    "Optional", "Protocol",
    "Result", "Self", "Set", "String", "Substring", "Swift", "Task", "Type", "UInt128", "UInt64",
    "URL", "UUID", "Void",
  ]
}

// MARK: - Objects whose keys are data

extension Declarations {
  private static let mostKeys = 200

  /// Finds objects whose keys are data, which the outline shows as such.
  static func findDictionaries(in shape: Shape) {
    let shape = shape.joined
    if isDictionary(shape) { shape.becomeDictionary() }
    if let values = shape.dictionaryValues {
      findDictionaries(in: values)
    } else {
      for member in shape.members { findDictionaries(in: member.shape) }
    }
    if let elements = shape.elements { findDictionaries(in: elements) }
  }

  /// Whether the keys are data: identifiers, paths, addresses, or very many.
  private static func isDictionary(_ shape: Shape) -> Bool {
    guard !shape.members.isEmpty, shape.dictionaryValues == nil else { return false }
    if shape.members.count > mostKeys { return true }
    var kinds: Set<Shape.Kind> = []
    for member in shape.members { kinds.formUnion(member.shape.alternatives) }
    guard kinds.count == 1 else { return false }
    return shape.members.count > mostKeys / 2 || shape.members.allSatisfy { isData($0.key) }
  }

  private static func isData(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    guard let first = bytes.first else { return false }
    let isHexadecimal = bytes.allSatisfy { "0123456789abcdefABCDEF-".utf8.contains($0) }
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || (isHexadecimal && bytes.count >= 16)
      || bytes.dropFirst().contains { "/@".utf8.contains($0) } || first == UInt8(ascii: "/")
  }
}

// MARK: - Objects that are the same again

extension Declarations {
  /// The objects around the one that is looked at, and the keys by which it is reached.
  private typealias Around = [(shape: Shape, key: String)]

  /// Joins objects with the same keys, and those that are inside of their like. Returns whether there were any.
  private static func joinAlike(in root: Shape) -> Bool {
    var (seen, known): (Set<ObjectIdentifier>, [String: Shape]) = ([], [:])
    var hasJoined = false
    func find(_ signature: String, _ shape: Shape) -> Bool {
      guard let other = known[signature]?.joined, areAlike(other, shape) else {
        known[signature] = shape
        return false
      }
      if other === shape { return false }
      Shape.join(other, shape)
      hasJoined = true
      return true
    }
    func look(at shape: Shape, _ name: String, _ around: Around) {
      let shape = shape.joined
      guard seen.insert(ObjectIdentifier(shape)).inserted else { return }
      if let elements = shape.elements { look(at: elements, name, around) }
      if let values = shape.dictionaryValues { return look(at: values, name, around) }
      guard !shape.members.isEmpty else { return }
      for (other, key) in around.reversed() where isRecursion(shape, in: other.joined, by: key) {
        Shape.join(other, shape)
        hasJoined = true
        return
      }
      // Few keys are the same by chance, unless the name is, too, or they are side by side.
      let keys = shape.members.map(\.key).sorted().joined(separator: "\n")
      if shape.members.count > 4 {
        if find(keys, shape) { return }
      } else {
        let parent = around.last.map { "\(ObjectIdentifier($0.shape.joined))" } ?? ""
        if find("\(name)\n\n\(keys)", shape) || find("\(parent)\n\n\(keys)", shape) { return }
      }
      for member in shape.members {
        look(at: member.shape, member.key, around + [(shape, member.key)])
      }
    }
    look(at: root, "", [])
    return hasJoined
  }

  /// Whether an object is one of those around it, which leads to it by a key.
  private static func isRecursion(_ shape: Shape, in outer: Shape, by key: String) -> Bool {
    let (count, outerCount) = (shape.members.count, outer.members.count)
    guard shape.members.allSatisfy({ outer.has($0.key) }) else { return false }
    return (count == outerCount || shape.has(key) || (count >= 3 && count * 4 >= outerCount * 3))
      && areAlike(outer, shape)
  }

  /// Whether two shapes can be one, and no kinds of values are mixed by that.
  private static func areAlike(_ left: Shape, _ right: Shape) -> Bool {
    struct Pair: Hashable { var left, right: ObjectIdentifier }
    var seen: Set<Pair> = []
    func compare(_ left: Shape, _ right: Shape, isRoot: Bool = false) -> Bool {
      let (left, right) = (left.joined, right.joined)
      if left === right { return true }
      guard seen.insert(Pair(left: .init(left), right: .init(right))).inserted else { return true }
      let kinds = left.alternatives.union(right.alternatives)
      if kinds.count > 1, left.alternatives != right.alternatives { return false }
      if let a = left.elements, let b = right.elements, !compare(a, b) { return false }
      if left.members.isEmpty || right.members.isEmpty { return true }
      switch (left.dictionaryValues, right.dictionaryValues) {
      case (let a?, let b?): return compare(a, b)
      case (nil, nil): break
      default: return false
      }
      let common = left.members.filter { right.has($0.key) }
      guard isRoot || common.count * 2 >= max(left.members.count, right.members.count) else {
        return false
      }
      return common.allSatisfy { member in
        right.member(member.key).map { compare(member.shape, $0) } ?? true
      }
    }
    return compare(left, right, isRoot: true)
  }
}

// MARK: - Types

extension Declarations {
  private static let deepestBrackets = 8
  private static let longestName = 40

  private mutating func nameModels(in shape: Shape, _ name: String, parent: String) {
    let shape = shape.joined
    var (name, parent) = (name, parent)
    if !shape.isTooDeep, model(of: shape, isEnum: shape.alternatives.count > 1) != nil { return }
    if isEnum(shape) {
      name = addModel(shape, name, parent, isEnum: true)
      parent = name
    }
    if isStruct(shape) {
      parent = addModel(
        shape, isEnum(shape) ? name + "Object" : name, parent, isEnum: false)
      for member in shape.members {
        let isOneOfSeveral = shape.members.count { $0.shape.joined === member.shape.joined } > 1
        let one = KeyWords.singular(parent)
        let name = isOneOfSeveral && one != parent ? one : KeyWords(member.key).type
        nameModels(in: member.shape, name, parent: parent)
      }
    }
    if let values = shape.dictionaryValues {
      nameModels(in: values, KeyWords.singular(name), parent: parent)
    }
    if let elements = shape.elements {
      nameModels(in: elements, KeyWords.singular(name), parent: parent)
    }
  }

  private mutating func addModel(
    _ shape: Shape, _ name: String, _ parent: String, isEnum: Bool
  ) -> String {
    let isLong = name == parent || name.count + parent.count > Declarations.longestName
    let name = names.take(name, isLong ? name : parent + name)
    models.append(Model(name, shape, isEnum: isEnum))
    return name
  }

  private func model(of shape: Shape, isEnum: Bool) -> Model? {
    models.first { $0.shape === shape && $0.isEnum == isEnum }
  }

  private func isEnum(_ shape: Shape) -> Bool { !shape.isTooDeep && shape.alternatives.count > 1 }

  private func isStruct(_ shape: Shape) -> Bool {
    !shape.isTooDeep && !shape.members.isEmpty && shape.dictionaryValues == nil
  }

  private func type(of shape: Shape, hasNull: Bool, brackets: Int = 0) -> String {
    let shape = shape.joined
    guard !shape.isTooDeep, let kind = shape.alternatives.first else { return "JSONValue" }
    let type = model(of: shape, isEnum: true)?.name ?? type(of: shape, as: kind, brackets)
    return hasNull ? type + "?" : type
  }

  /// The type of those values that are of one kind.
  private func type(of shape: Shape, as kind: Shape.Kind, _ brackets: Int) -> String {
    func inner(_ inner: Shape?, _ hasNull: Bool) -> String {
      guard let inner, brackets < Declarations.deepestBrackets else { return "JSONValue" }
      return type(of: inner, hasNull: hasNull, brackets: brackets + 1)
    }
    switch kind {
    case .null: return "JSONValue"
    case .bool: return "Bool"
    case .integer, .number: return number(shape)
    case .string: return "String"
    case .array: return "[\(inner(shape.elements, shape.elementsHaveNull))]"
    case .object:
      return model(of: shape, isEnum: false)?.name
        ?? "[String: \(inner(shape.dictionaryValues, shape.valuesHaveNull))]"
    }
  }

  private func number(_ shape: Shape) -> String {
    let numbers = shape.numbers
    if shape.has(.number) { return numbers.isDouble ? "Double" : "JSONNumber" }
    if numbers.isInt { return "Int" }
    if numbers.isUInt64 { return "UInt64" }
    if numbers.isInt128 { return "Int128" }
    return numbers.isUInt128 ? "UInt128" : "JSONNumber"
  }

  // MARK: - Remarks

  /// What a type does not say.
  private func remark(_ shape: Shape, brackets: Int = 0) -> String? {
    let shape = shape.joined
    if shape.isTooDeep { return "deeper than \(Shape.deepest) levels" }
    guard let kind = shape.alternatives.first else { return "null wherever it is" }
    if shape.alternatives.count > 1 { return "of several kinds" }
    let isDeepest = brackets == Declarations.deepestBrackets
    switch kind {
    case .array:
      guard let elements = shape.elements else { return "empty wherever it is" }
      return isDeepest ? "arrays of arrays" : remark(elements, brackets: brackets + 1)
    case .object where shape.members.isEmpty: return "empty wherever it is"
    case .object:
      guard let values = shape.dictionaryValues else { return nil }
      let keys = "keys such as \(literal(String(shape.members[0].key.prefix(40))))"
      return ([keys] + [remark(values, brackets: brackets + 1)].compactMap { $0 }).joined(
        separator: "; ")
    case .integer, .number:
      return number(shape) == "JSONNumber" ? "more than a number type can have" : nil
    case .null, .bool, .string: return nil
    }
  }
}

// MARK: - Text

extension Declarations {
  private func declaration(_ model: Model) -> [String] {
    model.isEnum ? enumeration(model) : structure(model)
  }

  private func structure(_ model: Model) -> [String] {
    var names = Names()
    let fields = model.shape.members.map { ($0, names.take(KeyWords($0.key).property)) }
    func matches(_ style: KeyStyle) -> Int { fields.count { style.makes($0.key, of: $1) } }
    var style = KeyStyle.camelCase
    for other in KeyStyle.allCases where matches(other) > matches(style) { style = other }
    let word = containsItself(model) ? "final class" : "struct"
    var lines = [
      style == .camelCase ? "@JSONModel" : "@JSONModel(keys: .\(style))", "\(word) \(model.name) {",
    ]
    for (member, name) in fields {
      let isOptional = member.hasNull || member.count < model.shape.count(of: .object)
      let attribute =
        style.makes(member.key, of: name) ? "" : "@JSONField(\(literal(member.key))) "
      let type = type(of: member.shape, hasNull: false) + (isOptional ? "?" : "")
      let comment = remark(member.shape).map { "  // \($0)" } ?? ""
      lines.append("  \(attribute)let \(declared(name)): \(type)\(comment)")
    }
    return lines + ["}"]
  }

  private func enumeration(_ model: Model) -> [String] {
    let kinds = Shape.Kind.allCases.filter(model.shape.alternatives.contains)
    let cases = kinds.map { "\($0.caseName)(\(type(of: model.shape, as: $0, 0)))" }
    return [
      "@JSONModel(untagged: true)", "enum \(model.name) {",
      "  case \(cases.joined(separator: ", "))", "}",
    ]
  }

  /// Whether a value would be inside itself, other than in an array or a dictionary: a class can be, a struct cannot.
  private func containsItself(_ model: Model) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    func reaches(_ shape: Shape) -> Bool {
      for member in shape.members {
        let inner = member.shape.joined
        guard isStruct(inner), inner.has(.object) else { continue }
        if inner === model.shape { return true }
        if seen.insert(ObjectIdentifier(inner)).inserted, reaches(inner) { return true }
      }
      return false
    }
    return reaches(model.shape)
  }
}

extension Shape.Kind {
  fileprivate var caseName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
