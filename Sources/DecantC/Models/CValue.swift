// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The type of a property in C:
//
//   Int, Int8 … UInt64   int64_t id               String        const char *name; size_t name_length
//   Bool                 bool is_new              [String]      decant_text *tags; size_t tags_length
//   Double, Float        double total             [Model]       struct … *items; size_t items_length
//   CEnum                int32_t state            Model         struct … place
//   Set of a CFlag       uint32_t meals           Model?        struct … *place, NULL for nil
//   Int?, CEnum? …       int64_t age; bool has_age
//   String?              NULL for nil
//
// CViews.swift has times, UUIDs, bytes, raw values, and arrays that lack elements; CUnion.swift has enums with a tag.

#if !hasFeature(Embedded)

  internal import CDecant
  public import DecantCore

  /// A type whose values have a place in a C struct: the types of this module, and models. A field's closure
  /// converts other types into one of these.
  public protocol CValue: SendableMetatype {
    /// Size and alignment of all members together, and what distinguishes nil.
    static var _cExtent: _CExtent { get }

    /// Writes the members over zeros, the first one to `place`; while measuring, there is no place.
    func _store(at place: _CMemory?, _ block: inout _CBlock)
  }

  /// A type that may also be optional.
  public protocol CNullable: CValue {
    /// How nil is distinguished. It does not depend on the extent, which a model that contains itself does not have yet.
    static var _cAbsence: _CAbsence { get }
  }

  /// A type that may also be an element of an array, or optional.
  public protocol CElement: CNullable {}

  extension CNullable {
    /// A `bool` after the value.
    @inlinable
    public static var _cAbsence: _CAbsence { .flag }
  }

  /// How nil is distinguished in C.
  @frozen
  public enum _CAbsence: Sendable {
    /// A `bool` after the value: the type has no value to spare for nil.
    case flag
    /// The value's own pointer is NULL.
    case null
    /// The value is behind a pointer, which is NULL.
    case pointer
  }

  // MARK: - In a header

  /// The members of a value, as a header lists them.
  enum CForm {
    /// One value; of text, a pointer and a length.
    case one(CType)
    case many(CType)
    case optional(CType, _CAbsence)
    /// Many, beside how many were left out.
    case lossy(CType)

    init(_ type: any CValue.Type) {
      switch type {
      case let scalar as any CScalar.Type: self = .one(.plain(scalar.name, scalar._cExtent))
      case let constants as any CEnum.Type: self = .one(.constants(constants))
      case let model as any CModel.Type: self = .one(.structure(model))
      case let formed as any CFormed.Type: self = formed.cForm
      default: fatalError("\(type) is no type that has a place in a C struct")
      }
    }

    /// The type of the value alone: an element of an array.
    var type: CType {
      switch self {
      case .one(let type), .many(let type), .optional(let type, _), .lossy(let type): type
      }
    }

    /// The members. Relative to the first one's, their offsets are the same in every struct.
    func members(_ name: String, _ companion: String?, _ comment: String) -> [CMember] {
      switch self {
      case .one(.text):
        return counted(.plain("const char", Int8._cExtent), name, companion, comment)
      case .one(.raw):
        let comment = noted(comment, "JSON text")
        var members = counted(.plain("const char", Int8._cExtent), name, companion, comment)
        members[0].kind = DECANT_RAW
        return members
      case .one(let type): return [CMember(name, type, comment)]
      case .many(let type):
        return counted(type, name, companion, noted(comment, "NULL when there are none"))
      case .lossy(let type):
        let leftOut = CMember(
          "\(name)_left_out", .plain("uint32_t", UInt32._cExtent), "elements that did not fit",
          role: .leftOut)
        return CForm.many(type).members(name, companion, comment) + [leftOut]
      case .optional(let type, .flag):
        let flag = CMember(
          companion ?? "has_\(name)", .plain("bool", Bool._cExtent), role: .presence)
        return [CMember(name, type, comment, role: .optionalValue), flag]
      case .optional(let type, .null):
        let comment = noted(comment, "NULL if missing")
        var members = CForm.one(type).members(name, companion, comment)
        members[0].role = .optionalValue
        return members
      case .optional(let type, .pointer):
        let comment = noted(comment, "NULL if missing")
        return [CMember(name, .pointer(to: type), comment, role: .optionalValue)]
      }
    }
  }

  /// A type of the standard library with a form of its own.
  protocol CFormed {
    static var cForm: CForm { get }
  }

  extension String: CFormed {
    static var cForm: CForm { .one(.text) }
  }

  extension Set: CFormed where Element: CFlag {
    static var cForm: CForm { .one(.constants(Element.self)) }
  }

  extension Array: CFormed where Element: CElement {
    static var cForm: CForm { .many(CForm(Element.self).type) }
  }

  extension LossyArray: CFormed where Element: CElement {
    static var cForm: CForm { .lossy(CForm(Element.self).type) }
  }

  extension JSONValue: CFormed {
    static var cForm: CForm { .one(.raw) }
  }

  extension JSONTimestamp: CFormed {
    static var cForm: CForm { .one(.special(.time)) }
  }

  extension CTime: CFormed {
    static var cForm: CForm { .one(.special(.time)) }
  }

  extension CUUID: CFormed {
    static var cForm: CForm { .one(.special(.uuid)) }
  }

  extension CBytes: CFormed {
    static var cForm: CForm { .one(.special(.bytes)) }
  }

  extension Optional: CFormed where Wrapped: CNullable {
    static var cForm: CForm { .optional(CForm(Wrapped.self).type, Wrapped._cAbsence) }
  }

  extension CScalar {
    /// Such as `int64_t`.
    fileprivate static var name: String {
      if Self.self == Bool.self { return "bool" }
      guard let integer = Self.self as? any FixedWidthInteger.Type else {
        return Self.self == Float.self ? "float" : "double"
      }
      return "\(integer.isSigned ? "int" : "uint")\(integer.bitWidth)_t"
    }
  }

  /// A pointer and how much it points to.
  private func counted(_ type: CType, _ name: String, _ companion: String?, _ comment: String)
    -> [CMember]
  {
    [
      CMember(name, .pointer(to: type), comment),
      CMember(companion ?? "\(name)_length", .plain("size_t", Int._cExtent), role: .length),
    ]
  }

  func noted(_ comment: String, _ note: String) -> String {
    comment.isEmpty ? note : "\(comment); \(note)"
  }

  // MARK: - Enums

  /// An enum whose cases are constants in C: `DECANT_MEAL_LUNCH`.
  public protocol CConstants: CaseIterable, Equatable, SendableMetatype {
    /// Such as `meal`.
    static var cName: String { get }

    /// The prefix of the constants; by default `decant`.
    static var cPrefix: String { get }

    /// The case's name in C, in whatever letters; by default the raw value of a string enum, or else the name
    /// of the case.
    var cCase: String { get }

    /// The case's name in JSON; by default the raw value of a string enum, or else the name of the case.
    var jsonName: String { get }

    /// The constant.
    var cConstant: Int64 { get }
  }

  extension CConstants {
    /// `decant`.
    public static var cPrefix: String { "decant" }

    /// The name of the case.
    @inlinable
    public var cCase: String { "\(self)" }

    /// The name of the case.
    @inlinable
    public var jsonName: String { "\(self)" }

    @inlinable
    var place: Int {
      var place = 0
      for other in Self.allCases {
        if other == self { break }
        place += 1
      }
      return place
    }
  }

  extension CConstants where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    @inlinable
    public var cCase: String { rawValue }

    /// The raw value.
    @inlinable
    public var jsonName: String { rawValue }
  }

  /// An enum as a value: an `int32_t`, from 0 in the order of the cases.
  public protocol CEnum: CConstants, CElement {}

  /// An enum whose sets are or-ed bits of a `uint32_t`, the first case's the lowest.
  public protocol CFlag: CConstants, Hashable {}

#endif
