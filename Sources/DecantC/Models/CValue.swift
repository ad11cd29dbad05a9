// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a property is in C:
//
//   Int, Int8 … UInt64   int64_t id               String        const char *name; size_t name_length
//   Bool                 bool is_new              [String]      decant_text *tags; size_t tags_length
//   Double, Float        double total             [Model]       struct … *items; size_t items_length
//   CEnum                int32_t state            Model         struct … place
//   Set of a CFlag       uint32_t meals           Model?        struct … *place, NULL for nil
//   Int?, CEnum? …       int64_t age; bool has_age
//   String?              NULL for nil

#if !hasFeature(Embedded)

  /// A type that properties with a place in a C struct may have: those of this module, and models. What is none
  /// of them is made one by the closure of a field.
  public protocol CValue: SendableMetatype {
    /// The room of all members together.
    static var cExtent: CExtent { get }

    /// The members. Relative to the first one's, their offsets are the same in every struct.
    static func cMembers(_ name: String, _ companion: String?, _ comment: String) -> [CMember]

    /// Writes the members over zeros, the first one to `place`; while measuring there is none.
    @unsafe
    func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock)
  }

  /// A type that may also be an element of an array, or optional.
  public protocol CElement: CValue {
    /// An element of an array, which takes the room of a member.
    static var cElement: CElementType { get }

    /// The room of an optional.
    static var cOptionalExtent: CExtent { get }

    /// The members of an optional. The first one's comment tells how nil looks.
    static func cOptional(_ name: String, _ companion: String?, _ comment: String) -> [CMember]

    /// Writes the members of an optional that has a value; nil is zeros.
    @unsafe
    func storeSome(at place: UnsafeMutableRawPointer?, _ block: inout CBlock)
  }

  /// What an element is in C.
  public struct CElementType {
    let type: CType

    init(_ type: CType) { self.type = type }
  }

  // MARK: - Numbers and booleans

  /// A type with the same bytes in C.
  public protocol CScalar: CElement, BitwiseCopyable {
    static var cName: String { get }
  }

  extension CScalar {
    @inlinable
    public static var cExtent: CExtent {
      CExtent(size: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment)
    }
    public static var cElement: CElementType { CElementType(.plain(cName, cExtent)) }
    @inlinable
    public static var cOptionalExtent: CExtent { cExtent.withPresence }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      [CMember(name, cElement.type, comment)]
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe place?.storeBytes(of: self, as: Self.self)
    }

    public static func cOptional(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      presence(cElement.type, name, companion, comment)
    }

    @unsafe
    @inlinable
    public func storeSome(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe store(at: place, &block)
      unsafe place?.storeBytes(of: true, toByteOffset: MemoryLayout<Self>.size, as: Bool.self)
    }
  }

  extension CExtent {
    /// With a `bool` after it.
    @inlinable
    var withPresence: CExtent { CExtent(size: size + 1, alignment: alignment) }
  }

  /// A value and whether there is one.
  private func presence(_ type: CType, _ name: String, _ companion: String?, _ comment: String)
    -> [CMember]
  {
    [
      CMember(name, type, comment),
      CMember(companion ?? "has_\(name)", .plain("bool", Bool.cExtent)),
    ]
  }

  extension Bool: CScalar { public static var cName: String { "bool" } }
  extension Int: CScalar { public static var cName: String { "int64_t" } }
  extension Int8: CScalar { public static var cName: String { "int8_t" } }
  extension Int16: CScalar { public static var cName: String { "int16_t" } }
  extension Int32: CScalar { public static var cName: String { "int32_t" } }
  extension Int64: CScalar { public static var cName: String { "int64_t" } }
  extension UInt: CScalar { public static var cName: String { "uint64_t" } }
  extension UInt8: CScalar { public static var cName: String { "uint8_t" } }
  extension UInt16: CScalar { public static var cName: String { "uint16_t" } }
  extension UInt32: CScalar { public static var cName: String { "uint32_t" } }
  extension UInt64: CScalar { public static var cName: String { "uint64_t" } }
  extension Float: CScalar { public static var cName: String { "float" } }
  extension Double: CScalar { public static var cName: String { "double" } }

  // MARK: - Strings

  extension String: CElement {
    @inlinable
    public static var cExtent: CExtent { .counted }
    public static var cElement: CElementType { CElementType(.text) }
    @inlinable
    public static var cOptionalExtent: CExtent { .counted }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      counted(.plain("const char", Int8.cExtent), name, companion, comment)
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      let text = unsafe block.add(self)
      unsafe place?.storeCounted(text, utf8.count)
    }

    public static func cOptional(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      cMembers(name, companion, noted(comment, "NULL when there is none"))
    }

    @unsafe
    @inlinable
    public func storeSome(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe store(at: place, &block)
    }
  }

  /// A pointer and how much it points to.
  private func counted(_ type: CType, _ name: String, _ companion: String?, _ comment: String)
    -> [CMember]
  {
    [
      CMember(name, .pointer(to: type), comment),
      CMember(companion ?? "\(name)_length", .plain("size_t", Int.cExtent)),
    ]
  }

  private func noted(_ comment: String, _ note: String) -> String {
    comment.isEmpty ? note : "\(comment); \(note)"
  }

  extension UnsafeMutableRawPointer {
    @inlinable
    func storeCounted(_ start: UnsafeMutableRawPointer?, _ count: Int) {
      unsafe storeBytes(of: start, as: CPointer.self)
      unsafe storeBytes(of: count, toByteOffset: 8, as: Int.self)
    }
  }

  // MARK: - Constants

  /// An enum whose cases are constants in C: `DECANT_MEAL_LUNCH`.
  public protocol CConstants: CaseIterable, Equatable, SendableMetatype {
    /// Such as `meal`.
    static var cName: String { get }

    /// What the constants begin with; by itself `decant`.
    static var cPrefix: String { get }

    /// The case's name in C, in whatever letters; by itself the raw value of a string enum, or else the name
    /// of the case.
    var cCase: String { get }

    /// The constant.
    var cConstant: Int64 { get }
  }

  extension CConstants {
    public static var cPrefix: String { "decant" }
    @inlinable
    public var cCase: String { "\(self)" }

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
    @inlinable
    public var cCase: String { rawValue }
  }

  /// An enum as a value: an `int32_t`, from 0 in the order of the cases.
  public protocol CEnum: CConstants, CElement {}

  extension CEnum {
    @inlinable
    public var cConstant: Int64 { Int64(place) }
    @inlinable
    public static var cExtent: CExtent { Int32.cExtent }
    public static var cElement: CElementType { CElementType(.constants(Self.self)) }
    @inlinable
    public static var cOptionalExtent: CExtent { cExtent.withPresence }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      [CMember(name, cElement.type, comment)]
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe place?.storeBytes(of: Int32(clamping: cConstant), as: Int32.self)
    }

    public static func cOptional(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      presence(cElement.type, name, companion, comment)
    }

    @unsafe
    @inlinable
    public func storeSome(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe store(at: place, &block)
      unsafe place?.storeBytes(of: true, toByteOffset: 4, as: Bool.self)
    }
  }

  /// An enum whose sets are or-ed bits of a `uint32_t`, the first case's the lowest.
  public protocol CFlag: CConstants, Hashable {}

  extension CFlag {
    @inlinable
    public var cConstant: Int64 { 1 << Int64(place) }
  }

  extension Set: CValue where Element: CFlag {
    @inlinable
    public static var cExtent: CExtent { UInt32.cExtent }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      [CMember(name, .constants(Element.self), comment)]
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      let bits = reduce(0) { $0 | UInt32(truncatingIfNeeded: $1.cConstant) }
      unsafe place?.storeBytes(of: bits, as: UInt32.self)
    }
  }

  // MARK: - Models, arrays and optionals

  extension CModel {
    @inlinable
    public static var cExtent: CExtent { room.extent }
    public static var cElement: CElementType { CElementType(.structure(Self.self)) }
    @inlinable
    public static var cOptionalExtent: CExtent { .pointer }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      [CMember(name, cElement.type, comment)]
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe walk(at: place, &block)
    }

    public static func cOptional(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      [CMember(name, .pointer(to: cElement.type), noted(comment, "NULL when there is none"))]
    }

    @unsafe
    @inlinable
    public func storeSome(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      let extent = Self.cExtent
      let room = unsafe block.room(extent.size, alignment: extent.alignment)
      unsafe room?.clear(extent.size)
      unsafe store(at: room, &block)
      unsafe place?.storeBytes(of: room, as: CPointer.self)
    }
  }

  extension Array: CValue where Element: CElement {
    @inlinable
    public static var cExtent: CExtent { .counted }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      counted(Element.cElement.type, name, companion, noted(comment, "NULL when there are none"))
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      let array = unsafe block.add(self)
      unsafe place?.storeCounted(array, count)
    }
  }

  extension Optional: CValue where Wrapped: CElement {
    @inlinable
    public static var cExtent: CExtent { Wrapped.cOptionalExtent }

    public static func cMembers(_ name: String, _ companion: String?, _ comment: String)
      -> [CMember]
    {
      Wrapped.cOptional(name, companion, comment)
    }

    @unsafe
    @inlinable
    public func store(at place: UnsafeMutableRawPointer?, _ block: inout CBlock) {
      unsafe self?.storeSome(at: place, &block)
    }
  }

#endif
