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
      for declaration in plan.declarations { try names.check(declaration) }
      plans.append(plan)
    }
    return plans
  }

  /// A model's struct, after what it is made of.
  private mutating func add(_ model: any CModel.Type, _ homes: inout Homes) throws(CHeader.Problem)
  {
    let outline = model.description
    guard try homes.claim(outline.typeName, model, in: header.file) else {
      return include(homes.file(of: outline.typeName))
    }
    for member in outline.members { try add(member.type, &homes) }
    declarations.append(.structure(outline))
  }

  private mutating func add(_ type: CType, _ homes: inout Homes) throws(CHeader.Problem) {
    switch type {
    case .plain, .text: break
    case .pointer(let target): try add(target, &homes)
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
