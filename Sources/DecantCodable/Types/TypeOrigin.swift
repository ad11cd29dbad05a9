// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Which conformances of a type may exist, by its module. To find that a type does not conform, the runtime walks all
// conformances of the process: some 300,000 instructions in a large program, for each type and protocol. That was half of
// the first decode of a model of 30 types (benchmark: first). Reading a type's name costs a tenth of that.
//
//   Swift.Array<App.User>     may be StandardDecodable
//   Foundation.Date           may be StrategyDecodable
//   __C.NSDecimal             the same: Apple's Decimal
//   App.User                  neither: these protocols are not public
//
// A common base protocol of all these protocols would do the same for `JSONDecodable` and `JSONWritable`, but these are
// public: `extension Page: JSONDecodable where Item: JSONDecodable` compiles only if the protocol has no base.

internal import DecantCore

/// The owner of the module that declares a type.
enum TypeOrigin {
  case standardLibrary
  /// Decant, or Foundation's modules and those whose names begin alike.
  case library
  case program

  init(_ type: Any.Type) {
    let name = _typeName(type, qualified: true)
    if name.hasPrefix("Swift.") {
      self = .standardLibrary
    } else if name.hasPrefix("Foundation") || name.hasPrefix("__C.")
      || Self.ownModules.contains(where: name.hasPrefix)
    {
      self = .library
    } else {
      self = .program
    }
  }

  /// For a type that DecantFoundation codes, in a program without it: the reason why it is not coded; nil for every other
  /// type. Its own `Codable` would make a URL an object, and data an array of integers.
  static func problem(of type: Any.Type) -> String? {
    let name = _typeName(type, qualified: true)
    let isFoundations = name.hasPrefix("Foundation") || name.hasPrefix("__C.")
    guard isFoundations, [".URL", ".Data", "Decimal"].contains(where: name.hasSuffix) else {
      return nil
    }
    return "\(type) needs DecantFoundation, which this program does not contain"
  }

  /// `DecantCore.` and `DecantCodable.`, unless a package has other names for these modules.
  private static let ownModules = [JSONValue.self, DecodeContext.self].map { type in
    _typeName(type as Any.Type, qualified: true).prefix { $0 != "." } + "."
  }
}
