// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantC

/// Whether a compiler of C or C++ takes the names: written as identifiers are, no keywords, and none twice.
struct NameCheck {
  private var functions: Set<String> = []
  private var constants: Set<String> = []

  mutating func check(_ declaration: HeaderPlan.Declaration) throws(CHeader.Problem) {
    switch declaration {
    case .constants(let type): try check(type, in: declaration.name)
    case .structure(let outline): try check(outline)
    }
  }

  private mutating func check(_ outline: CStruct) throws(CHeader.Problem) {
    let owner = outline.typeName
    try checkIdentifier(outline.prefix, in: owner)
    try checkIdentifier(outline.name, in: owner)
    if outline.members.isEmpty { throw problem(owner, "has no members, which C forbids") }
    var seen: Set<String> = []
    for member in outline.members {
      try checkIdentifier(member.name, in: owner)
      if !seen.insert(member.name).inserted {
        throw problem(owner, "has two members \(member.name)")
      }
    }
    for function in FunctionText.all(of: outline).map(\.name) {
      try checkIdentifier(function, in: owner)
      if !functions.insert(function).inserted {
        throw problem(owner, "needs a function \(function), which another struct has")
      }
    }
  }

  private mutating func check(_ type: any CConstants.Type, in owner: String)
    throws(CHeader.Problem)
  {
    try checkIdentifier(type.cName, in: owner)
    for constant in type.namedConstants {
      try checkIdentifier(constant.name, in: owner)
      if !constants.insert(constant.name).inserted {
        throw problem(owner, "has a constant \(constant.name), which is there already")
      }
      if !type.accepts(constant.value) {
        throw problem(owner, "\(constant.name) does not fit 32 bits")
      }
    }
  }

  private func checkIdentifier(_ name: String, in owner: String) throws(CHeader.Problem) {
    let isWord = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
    }
    guard isWord, let first = name.utf8.first, first > UInt8(ascii: "9") else {
      throw problem(owner, "\"\(name)\" is no name in C")
    }
    if keywords.contains(name) { throw problem(owner, "\(name) is a keyword of C or C++") }
  }

  private func problem(_ owner: String, _ text: String) -> CHeader.Problem {
    CHeader.Problem(description: "\(owner): \(text)")
  }
}

/// C23's and C++20's, but those with a capital.
private let keywords = Set(
  """
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class \
  co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype \
  default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline \
  int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
  register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast \
  struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union \
  unsigned using virtual void volatile wchar_t while xor xor_eq
  """.split(separator: " ").map { String($0) })

extension CConstants {
  /// The constants as C has them: DECANT_MEAL_LUNCH.
  static var namedConstants: [(name: String, value: Int64)] {
    allCases.map { ("\(cPrefix)_\(cName)_\($0.cCase)".constantCase, $0.cConstant) }
  }

  static func accepts(_ value: Int64) -> Bool {
    isFlag ? UInt32(exactly: value).map { $0 > 0 } ?? false : Int32(exactly: value) != nil
  }

  static var isFlag: Bool { self is any CFlag.Type }
}

extension String {
  /// `openLate` and `open-late` as `OPEN_LATE`.
  var constantCase: String {
    var result = ""
    var wasSmall = false
    for character in self {
      let isCapital = character.isUppercase
      if isCapital && wasSmall { result += "_" }
      result += character.isLetter || character.isNumber ? character.uppercased() : "_"
      wasSmall = character.isLowercase || character.isNumber
    }
    return result
  }
}
