// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What is declared in which header, in an order in which C can read it, and with names that C can take.

import DecantC

/// One header's declarations.
struct HeaderPlan {
  let header: CHeader
  /// Other headers that have structs or constants of these.
  private(set) var includes: [String] = []
  private(set) var declarations: [Declaration] = []
  /// Headers of structs that are pointed to alone: C needs nothing of them before.
  private(set) var includesBehind: [String] = []
  /// Structs whose members are being added, and those that are pointed to and need one of them.
  private var unfinished: Set<ObjectIdentifier> = []
  private var waiting: [any CModel.Type] = []

  enum Declaration {
    case constants(any CConstants.Type)
    case structure(CStruct)

    /// Such as `struct decant_user` or `enum decant_meal`.
    var name: String {
      switch self {
      case .constants(let type): "enum \(type.cPrefix)_\(type.cName)"
      case .structure(let outline): outline.typeName
      }
    }
  }

  static func all(_ headers: [CHeader]) throws(CHeader.Problem) -> [HeaderPlan] {
    var homes = Homes()
    for header in headers {
      for model in header.models {
        try homes.settle(model.description.typeName, model, in: header.file)
      }
    }
    var plans: [HeaderPlan] = []
    var names = NameCheck()
    for header in headers {
      var plan = HeaderPlan(header: header)
      for model in header.models { try plan.add(model, &homes) }
      try names.check(file: header.file, guardName: plan.guardName)
      for declaration in plan.declarations { try names.check(declaration) }
      plans.append(plan)
    }
    try checkIncludes(of: plans)
    return plans
  }

  /// Such as DECANT_USER_H.
  var guardName: String {
    let prefix = header.models.first?.description.prefix ?? "decant"
    return String("\(prefix)_\(header.file)".constantCase.map { $0.isASCII ? $0 : "_" })
  }

  /// Headers that include one another: whichever is read first would lack structs of the other.
  private static func checkIncludes(of plans: [HeaderPlan]) throws(CHeader.Problem) {
    var left = plans
    while let place = left.firstIndex(where: { plan in
      !left.contains { plan.includes.contains($0.header.file) }
    }) {
      left.remove(at: place)
    }
    if left.isEmpty { return }
    let files = left.map(\.header.file).joined(separator: ", ")
    throw CHeader.Problem(
      description: "\(files): structs of these are inside one another; declare them in one header")
  }

  /// A model's struct, after what it is made of.
  private mutating func add(_ model: any CModel.Type, _ homes: inout Homes) throws(CHeader.Problem)
  {
    let outline = model.description
    guard try homes.claim(outline.typeName, model, in: header.file) else {
      return include(homes.file(of: outline.typeName))
    }
    unfinished.insert(ObjectIdentifier(model))
    for member in outline.members { try add(member.type, &homes) }
    unfinished.remove(ObjectIdentifier(model))
    declarations.append(.structure(outline))
    while unfinished.isEmpty, let next = waiting.popLast() { try add(next, &homes) }
  }

  /// What a struct points to comes before it, too, unless it is made of structs that are unfinished.
  private mutating func add(pointedTo type: CType, _ homes: inout Homes) throws(CHeader.Problem) {
    guard case .structure(let model) = type else { return try add(type, &homes) }
    let name = model.description.typeName
    let file = homes.file(of: name)
    if file != header.file, !file.isEmpty {
      _ = try homes.claim(name, model, in: header.file)
      if !includesBehind.contains(file) { includesBehind.append(file) }
    } else if isMadeOfUnfinished(model) {
      waiting.append(model)
    } else {
      try add(model, &homes)
    }
  }

  private func isMadeOfUnfinished(_ model: any CModel.Type) -> Bool {
    model.description.members.contains { member in
      guard case .structure(let part) = member.type else { return false }
      return unfinished.contains(ObjectIdentifier(part)) || isMadeOfUnfinished(part)
    }
  }

  private mutating func add(_ type: CType, _ homes: inout Homes) throws(CHeader.Problem) {
    switch type {
    case .plain, .text: break
    case .pointer(let target): try add(pointedTo: target, &homes)
    case .structure(let model): try add(model, &homes)
    case .constants(let type):
      let declaration = Declaration.constants(type)
      guard try homes.claim(declaration.name, type, in: header.file) else {
        return include(homes.file(of: declaration.name))
      }
      declarations.append(declaration)
    }
  }

  private mutating func include(_ file: String) {
    if file != header.file, !includes.contains(file) { includes.append(file) }
  }
}

/// Which file declares which type, and for which Swift type.
private struct Homes {
  private var homes: [String: (file: String, type: ObjectIdentifier, isDeclared: Bool)] = [:]

  func file(of name: String) -> String { homes[name]?.file ?? "" }

  /// A type that a header lists.
  mutating func settle(_ name: String, _ type: any Any.Type, in file: String)
    throws(CHeader.Problem)
  {
    if let home = homes[name] {
      throw CHeader.Problem(
        description: "\(name) is declared twice, in \(home.file) and in \(file)")
    }
    homes[name] = (file, ObjectIdentifier(type), false)
  }

  /// Whether a file has to declare a type now.
  mutating func claim(_ name: String, _ type: any Any.Type, in file: String)
    throws(CHeader.Problem) -> Bool
  {
    guard let home = homes[name] else {
      homes[name] = (file, ObjectIdentifier(type), true)
      return true
    }
    guard home.type == ObjectIdentifier(type) else {
      throw CHeader.Problem(description: "\(name) is the name of two types, one of them \(type)")
    }
    if home.file != file || home.isDeclared { return false }
    homes[name]?.isDeclared = true
    return true
  }
}
