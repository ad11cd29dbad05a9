// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The layout of a struct as C lays it out: members in their order, each at the next multiple of its alignment,
// the size a multiple of the largest. One declaration serves three walks: over the sizes alone, over the members
// for the header, and over a model that is measured or written.
//
//   User    field("id", \.id)    field("name", \.name)     field("email", \.email)
//   C       int64_t id           const char *name          const char *email            void *storage
//                                size_t name_length        size_t email_length
//   offset  0                    8, 16                     24, 32                       40     size 48
//
// Walks share no state, and those at run time allocate nothing but the block.

#if !hasFeature(Embedded)

  public import DecantCore

  /// Size and alignment of a type, as C counts them.
  @frozen
  public struct _CExtent: Sendable {
    @usableFromInline
    package var size: Int
    @usableFromInline
    package var alignment: Int

    @inlinable
    package init(size: Int, alignment: Int) {
      self.size = size
      self.alignment = alignment
    }

    /// Appends a member, and returns its offset.
    @inlinable
    mutating func add(_ other: _CExtent) -> Int {
      let offset = aligned(size, to: other.alignment)
      size = offset + other.size
      alignment = max(alignment, other.alignment)
      return offset
    }

    /// A pointer, and how much it points to.
    @inlinable
    static var counted: _CExtent { _CExtent(size: 16, alignment: 8) }
    @inlinable
    static var pointer: _CExtent { _CExtent(size: 8, alignment: 8) }
  }

  /// A declaration of a struct: its name, and its fields.
  @safe
  public struct CLayout<Model> {
    @usableFromInline
    let place: _CMemory?
    // SAFETY: lives as long as the walk over it, or nil.
    @usableFromInline
    let model: UnsafePointer<Model>?
    @usableFromInline
    var block: _CBlock
    @usableFromInline
    var extent = _CExtent(size: 0, alignment: 1)
    @usableFromInline
    var hasStorage = true
    // Made for headers only.
    @usableFromInline
    let description: COutline?

    /// A walk over the sizes alone, or over the members too.
    @inlinable
    init(describing description: COutline?) {
      place = nil
      unsafe model = nil
      block = _CBlock.measuring
      self.description = description
    }

    /// A walk over a model, which is measured where there is no place.
    @inlinable
    init(of model: UnsafePointer<Model>, at place: _CMemory?, _ block: _CBlock) {
      self.place = place
      unsafe self.model = model
      self.block = block
      description = nil
    }

    /// Names the struct. Call this first.
    ///
    /// - Parameters:
    ///   - name: The name in functions: `user` for `decode_user` and `user_free`.
    ///   - comment: The struct's comment in the header.
    ///   - prefix: The prefix of types: `struct decant_user`.
    ///   - isPart: Whether the struct occurs only inside others: it has no functions, and no member `storage`.
    ///   - array: The plural, for documents that are an array: `users` for `decode_users` and `users_free`.
    ///   - lines: Whether there is a function `decode_user_lines`, for newline-delimited JSON.
    ///   - encodes: Whether there is a function `encode_user`, and `encode_users` for an array: see ``CTable``.
    ///   - closed: Whether the table rejects members that no field names: `DECANT_CLOSED`.
    @inlinable
    public mutating func structure(
      _ name: String, _ comment: String, prefix: String = "decant", isPart: Bool = false,
      array: String? = nil, lines: Bool = false, encodes: Bool = false, closed: Bool = false
    ) {
      hasStorage = !isPart
      description?.name(name, comment, prefix, isPart, array, lines, encodes, closed)
    }

    /// A member, and its companion: strings and arrays also have a length.
    ///
    /// - Parameters:
    ///   - name: Such as `email`.
    ///   - value: Such as `\.email`, or a closure that converts the value for C.
    ///   - comment: The member's comment in the header.
    ///   - companion: The name of the length, or of the flag that there is a value; by default
    ///     `email_length`, `has_age`.
    ///   - key: The key in JSON that ``CTable`` writes; by default the name.
    ///   - json: The other properties of the member in JSON, for the ``CTable``, such as `.pointer("/user/name")`. They have
    ///     no effect while a model is written.
    @inlinable
    public mutating func field<Value: CValue>(
      _ name: String, _ value: (Model) -> Value, _ comment: String = "", companion: String? = nil,
      key: String? = nil, json: @autoclosure () -> CRules<Value> = CRules()
    ) {
      let offset = extent.add(Value._cExtent)
      if let model = unsafe model {
        unsafe value(model.pointee)._store(at: place?.advanced(by: offset), &block)
      } else if let description {
        description.add(name, companion, comment, at: offset, key: key ?? name, json())
      }
    }

    /// The members of the object that no other field has, as the text of an object; NULL if there are none.
    ///
    /// - Parameters:
    ///   - name: Such as `others`.
    ///   - value: Such as `\.others`.
    ///   - comment: The member's comment in the header.
    ///   - companion: The name of the length; by default `others_length`.
    @inlinable
    public mutating func rest(
      _ name: String, _ value: (Model) -> [String: JSONValue], _ comment: String = "",
      companion: String? = nil
    ) {
      let offset = extent.add(.counted)
      if let model = unsafe model {
        let others = unsafe value(model.pointee)
        if others.isEmpty { return }
        others.jsonText()._store(at: place?.advanced(by: offset), &block)
      } else if let description {
        description.addRest(name, companion, comment, at: offset)
      }
    }

    /// A property of another type: a member is made of it by a closure that returns one of those that have a place.
    @available(
      *, unavailable,
      message:
        "the type of this property has no place in a C struct: make it a CModel or a CEnum, or give C another view of it"
    )
    public mutating func field<Value>(
      _ name: String, _ value: (Model) -> Value, _ comment: String = "", companion: String? = nil,
      key: String? = nil, json: @autoclosure () -> CRules<Value> = CRules()
    ) {}

    /// The end: `storage`, and the size rounded up. Returns the offset of `storage`.
    @inlinable
    mutating func finish() -> Int? {
      let storage = hasStorage ? extent.add(.pointer) : nil
      extent.size = aligned(extent.size, to: extent.alignment)
      description?.close(extent, storage: storage)
      return storage
    }
  }

  // MARK: - What a header says

  /// A type of C.
  package indirect enum CType {
    /// `int64_t`.
    case plain(String, _CExtent)
    /// `decant_text`: a pointer and a length.
    case text
    /// JSON text, as a pointer and a length.
    case raw
    case special(CSpecial)
    /// The constants of an enum, as a value or or-ed.
    case constants(any CConstants.Type)
    /// A model's struct, in place.
    case structure(any CModel.Type)
    case pointer(to: CType)
    /// One of several models' structs, in place.
    case union([CCaseOutline], _CExtent)

    /// The models whose structs are inside.
    package var parts: [any CModel.Type] {
      switch self {
      case .structure(let model): [model]
      case .union(let cases, _): cases.compactMap(\.model)
      default: []
      }
    }

    var extent: _CExtent {
      switch self {
      case .plain(_, let extent): extent
      case .text, .raw: .counted
      case .special(let special): special.extent
      case .constants: _CExtent(size: 4, alignment: 4)
      case .structure(let model): model._cExtent
      case .pointer: .pointer
      case .union(_, let extent): extent
      }
    }
  }

  /// A member of a struct.
  package struct CMember {
    package let name: String
    package let type: CType
    /// Its comment in the header; may be empty.
    package let comment: String
    package fileprivate(set) var offset = 0
    /// The purpose of the member.
    var role: Role
    /// The kind of a value, if its type does not determine it.
    var kind: Int?
    /// The key of a value in JSON.
    fileprivate(set) var key = ""
    /// Its other properties in JSON.
    fileprivate(set) var rules = CMemberRules()

    enum Role {
      case value, optionalValue
      /// The length of the value before it, its presence, or how many of its elements were left out.
      case length, presence, leftOut
      /// The tag of the union after it.
      case unionTag
      case storage
    }

    init(_ name: String, _ type: CType, _ comment: String = "", role: Role = .value) {
      self.name = name
      self.type = type
      self.comment = comment
      self.role = role
    }
  }

  /// A struct as a header describes it.
  @usableFromInline
  package final class COutline {
    /// The name in functions, such as `user`.
    package fileprivate(set) var name = ""
    package fileprivate(set) var comment = ""
    package fileprivate(set) var prefix = ""
    package fileprivate(set) var isPart = false
    package fileprivate(set) var plural: String?
    package fileprivate(set) var hasLines = false
    package fileprivate(set) var isEncoded = false
    private(set) var isClosed = false
    package fileprivate(set) var members: [CMember] = []
    /// The cases of its union, if it has one.
    package private(set) var tags: [String] = []
    package fileprivate(set) var extent = _CExtent(size: 0, alignment: 1)

    @usableFromInline
    func name(
      _ name: String, _ comment: String, _ prefix: String, _ isPart: Bool, _ plural: String?,
      _ hasLines: Bool, _ isEncoded: Bool, _ isClosed: Bool
    ) {
      self.name = name
      self.comment = comment
      self.prefix = prefix
      self.isPart = isPart
      self.plural = plural
      self.hasLines = hasLines
      self.isEncoded = isEncoded
      self.isClosed = isClosed
    }

    /// Such as `struct decant_user`.
    package var typeName: String { "struct \(prefix)_\(name)" }

    /// The members of a value.
    @usableFromInline
    func add<Value: CValue>(
      _ name: String, _ companion: String?, _ comment: String, at offset: Int, key: String,
      _ rules: CRules<Value>
    ) {
      var members = CForm(Value.self).members(name, companion, comment)
      members[0].rules = rules.erased
      add(members, at: offset, key: rules.key ?? key)
    }

    @usableFromInline
    func addRest(_ name: String, _ companion: String?, _ comment: String, at offset: Int) {
      let comment = noted(comment, "an object of the members that no other has, or NULL")
      var members = CForm.one(.raw).members(name, companion, comment)
      members[0].rules.isRest = true
      add(members, at: offset, key: name)
    }

    /// A union, and before it its tag.
    @usableFromInline
    func addUnion(
      _ name: String, _ tag: String, at offset: Int, key: String, _ cases: [CCaseOutline],
      _ extent: _CExtent
    ) {
      tags = cases.map(\.name)
      let remark = "which one it is"
      let members = [
        CMember(tag, .plain("int32_t", Int32._cExtent), remark, role: .unionTag),
        CMember(name, .union(cases, extent)),
      ]
      add(members, at: offset, key: key)
    }

    /// Members that follow one another, from an offset on.
    private func add(_ added: [CMember], at offset: Int, key: String) {
      var extent = _CExtent(size: offset, alignment: 1)
      for member in added {
        var member = member
        member.offset = extent.add(member.type.extent)
        member.key = key
        members.append(member)
      }
    }

    @usableFromInline
    func close(_ extent: _CExtent, storage: Int?) {
      self.extent = extent
      guard let storage else { return }
      let void = CType.plain("void", _CExtent(size: 0, alignment: 1))
      let remark = "the memory behind the pointers; NULL inside other structs"
      add([CMember("storage", .pointer(to: void), remark, role: .storage)], at: storage, key: "")
    }
  }

  extension CModel {
    /// The struct as a header describes it.
    package static var description: COutline {
      let description = COutline()
      var walk = CLayout<Self>(describing: description)
      layout(&walk)
      _ = walk.finish()
      return description
    }
  }

#endif
