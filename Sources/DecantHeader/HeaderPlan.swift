// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Plans which declarations go into which header, in an order and with names that are valid in C.

import DecantC

/// One header's declarations.
struct HeaderPlan {
  let header: CHeader
  /// Other headers that have structs or constants of these.
  private(set) var includes: [String] = []
  private(set) var declarations: [Declaration] = []
  /// Headers of structs that are pointed to alone: C needs nothing of them before.
  private(set) var includesBehind: [String] = []
  /// Headers that would be among these, but came too early there.
  private var putOff: Set<String> = []
  /// Structs whose members are being added, and those that are pointed to and need one of them.
  private var unfinished: Set<ObjectIdentifier> = []
  private var waiting: [any CModel.Type] = []

  enum Declaration {
    case constants(any CConstants.Type)
    case structure(COutline)

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
    let order = innerFirst(headers, homes)
    var plans: [HeaderPlan] = []
    var names = NameCheck()
    for header in order.map({ headers[$0] }) {
      var plan = HeaderPlan(header: header)
      for model in header.models { try plan.add(model, &homes) }
      try names.check(file: header.file, guardName: plan.guardName)
      for declaration in plan.declarations { try names.check(declaration) }
      plans.append(plan)
    }
    plans = zip(order, plans).sorted { $0.0 < $1.0 }.map(\.1)
    try checkIncludes(of: plans)
    while let early = plans.lazy.compactMap({ IncludeWalk(plans).read($0.header.file) }).first {
      putOff(early, in: &plans)
    }
    return plans
  }

  /// The places of headers in an order in which structs come before those that they are inside of: with them are declared
  /// the constants and the parts that both need.
  private static func innerFirst(_ headers: [CHeader], _ homes: Homes) -> [Int] {
    var order: [Int] = []
    var begun: Set<Int> = []
    func visit(_ model: any CModel.Type) {
      for part in model.description.members.flatMap(\.type.parts) {
        let file = homes.file(of: part.description.typeName)
        let place = headers.firstIndex { $0.file == file }
        if let place { visit(at: place) } else { visit(part) }
      }
    }
    func visit(at place: Int) {
      guard begun.insert(place).inserted else { return }
      headers[place].models.forEach(visit(_:))
      order.append(place)
    }
    headers.indices.forEach(visit(at:))
    return order
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

  /// Lets the header whose structs are missing include the other one, after its own structs.
  private static func putOff(_ early: IncludeWalk.Early, in plans: inout [HeaderPlan]) {
    for place in plans.indices {
      let file = plans[place].header.file
      if file == early.includer {
        plans[place].includesBehind.removeAll { $0 == early.file }
        plans[place].putOff.insert(early.file)
        plans[place].include(behind: early.missing)
      }
      if file == early.missing { plans[place].include(behind: early.file) }
    }
  }

  private mutating func include(behind file: String) {
    if includesBehind.contains(file) || putOff.contains(file) { return }
    includesBehind.append(file)
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

  /// A struct that another points to also comes before it, unless it contains structs that are not complete yet.
  private mutating func add(pointedTo type: CType, _ homes: inout Homes) throws(CHeader.Problem) {
    guard case .structure(let model) = type else { return try add(type, &homes) }
    let name = model.description.typeName
    let file = homes.file(of: name)
    if file != header.file, !file.isEmpty {
      _ = try homes.claim(name, model, in: header.file)
      include(behind: file)
    } else if isMadeOfUnfinished(model) {
      waiting.append(model)
    } else {
      try add(model, &homes)
    }
  }

  private func isMadeOfUnfinished(_ model: any CModel.Type) -> Bool {
    model.description.members.flatMap(\.type.parts).contains { part in
      unfinished.contains(ObjectIdentifier(part)) || isMadeOfUnfinished(part)
    }
  }

  private mutating func add(_ type: CType, _ homes: inout Homes) throws(CHeader.Problem) {
    switch type {
    case .plain, .text, .raw, .special: break
    case .pointer(let target): try add(pointedTo: target, &homes)
    case .structure, .union: for part in type.parts { try add(part, &homes) }
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

/// The order in which a compiler reads headers when one is included. A header that another includes after its own structs
/// may need a third header that is still including that other one, so that its structs are missing:
///
///     engine.h     points to garages; includes garage.h at its end
///     van.h        has an engine; includes engine.h, and so garage.h, before its own structs
///     garage.h     has a van
private struct IncludeWalk {
  struct Early {
    /// The header that includes another after its structs, and that other one.
    let includer, file: String
    /// The header whose structs are needed then.
    let missing: String
  }

  private let plans: [HeaderPlan]
  private var begun: Set<String> = []
  private var declared: Set<String> = []

  init(_ plans: [HeaderPlan]) { self.plans = plans }

  /// The first include that comes too early, if a header is the first that is included.
  func read(_ file: String) -> Early? {
    var walk = self
    return walk.read(file, behind: (file, file))
  }

  /// - Parameter behind: the innermost include after structs that leads here.
  private mutating func read(
    _ file: String, behind: (includer: String, file: String)
  ) -> Early? {
    guard begun.insert(file).inserted, let plan = plans.first(where: { $0.header.file == file })
    else { return nil }
    for front in plan.includes {
      if let early = read(front, behind: behind) { return early }
      if !declared.contains(front) {
        return Early(includer: behind.includer, file: behind.file, missing: front)
      }
    }
    declared.insert(file)
    for next in plan.includesBehind where !plan.includes.contains(next) {
      if let early = read(next, behind: (file, next)) { return early }
    }
    return nil
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
