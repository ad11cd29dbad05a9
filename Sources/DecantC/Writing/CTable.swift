// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The table of a model's struct, made of the layout that the header is made of. It takes the struct back to JSON:
//
//   private let users = CTable(User.self)
//
//   @c(encode_user)
//   public func encode_user(
//     _ user: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
//     _ length: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<decant_error>?
//   ) -> decant_status {
//     users.encode(user, buffer, capacity, length, error: error)
//   }
//
// A member's key is its name, or the `key` of its field; nil is left out; enums and flags are written by their names.

#if !hasFeature(Embedded)

  public import CDecant
  package import CDecantIndex

  /// A table for the struct of a model. Make one for each model and keep it, as a global constant does.
  @safe
  public final class CTable: @unchecked Sendable {
    // SAFETY: nothing writes to the table once it is made, and it lives as long as `self`.
    package let record: UnsafePointer<decant_record>?
    private let memory: TableMemory

    /// The table of a model and of all models that its struct refers to. Without memory for it, `encode` returns
    /// `DECANT_OUT_OF_MEMORY`.
    public convenience init(_ model: any CModel.Type) {
      self.init(model, decant_allocator())
    }

    package init(_ model: any CModel.Type, _ allocator: decant_allocator) {
      memory = TableMemory(allocator)
      unsafe record = (try? memory.record(of: model))?.pointer()
    }

    private func refuse(_ error: UnsafeMutablePointer<decant_error>?) -> decant_status {
      unsafe ErrorOut(error).refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }

    /// The body of an `encode_<model>` function: writes a struct as JSON, as `decant_encode` does.
    public func encode(
      _ value: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
      _ length: UnsafeMutablePointer<Int>?, error: UnsafeMutablePointer<decant_error>?
    ) -> decant_status {
      guard let record = unsafe record else { return unsafe refuse(error) }
      return unsafe decant_encode(record, value, buffer, capacity, length, error)
    }

    /// The body of an `encode_<models>` function: writes the structs of an array form.
    public func encodeArray(
      _ array: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
      _ length: UnsafeMutablePointer<Int>?, error: UnsafeMutablePointer<decant_error>?
    ) -> decant_status {
      guard let record = unsafe record else { return unsafe refuse(error) }
      guard let array = unsafe array?.assumingMemoryBound(to: decant_array.self) else {
        return unsafe decant_encode(record, nil, buffer, capacity, length, error)
      }
      return unsafe decant_encode_array(
        record, array.pointee.items, array.pointee.count, buffer, capacity, length, error)
    }
  }

  /// The parts of a table.
  @safe
  private final class TableMemory {
    /// Each is allocated here, and freed with the table.
    private var blocks: [(memory: Memory, size: Int)] = []
    private var records: [ObjectIdentifier: Memory] = [:]
    private let allocator: decant_allocator

    struct OutOfMemory: Error {}

    init(_ allocator: decant_allocator) { self.allocator = allocator }

    deinit { for (memory, size) in blocks { allocator.release(memory, size) } }

    private func copy<Value: BitwiseCopyable>(_ values: [Value]) throws(OutOfMemory) -> Memory {
      let stride = MemoryLayout<Value>.stride
      let size = values.count * stride
      guard let block = allocator.allocate(size) else { throw OutOfMemory() }
      for (index, value) in values.enumerated() { block.store(value, at: index * stride) }
      blocks.append((block, size))
      return block
    }

    private func copy(_ text: String) throws(OutOfMemory) -> Memory {
      try copy(text.utf8CString.map { $0 })
    }

    /// A model's record, which may be inside itself.
    func record(of model: any CModel.Type) throws(OutOfMemory) -> Memory {
      if let known = records[ObjectIdentifier(model)] { return known }
      let description = model.description
      var made = decant_record()
      made.size = description.extent.size
      if description.isClosed { made.flags = UInt32(DECANT_CLOSED) }
      let record = try copy([made])
      records[ObjectIdentifier(model)] = record
      var fields: [decant_field] = []
      var tag = UInt32(0)
      for member in description.members {
        let offset = UInt32(member.offset)
        switch member.role {
        case .unionTag: tag = offset
        case .value, .optionalValue:
          fields.append(try field(for: member))
          if case .union = member.type {
            fields[fields.count - 1].length_offset = tag
            fields[fields.count - 1].length_kind = UInt16(DECANT_INT32)
          }
        case .length:
          let last = fields.count - 1
          fields[last].length_offset = offset
          // A length is that of a string or a raw value, or otherwise of an array.
          switch Int(fields[last].kind) {
          case DECANT_STRING, DECANT_RAW: break
          default: fields[last].kind = UInt16(CDecant.DECANT_ARRAY)
          }
        case .leftOut:
          fields[fields.count - 1].left_out_offset = offset
          fields[fields.count - 1].flags |= UInt32(DECANT_LEAVE_OUT)
        case .presence: fields[fields.count - 1].presence_offset = offset
        case .storage: made.storage_offset = member.offset
        }
      }
      made.field_count = fields.count
      unsafe made.fields = try copy(fields).pointer()
      record.store(made)
      return record
    }

    private func field(for member: CMember) throws(OutOfMemory) -> decant_field {
      var field = decant_field()
      unsafe field.key = try copy(member.key).pointer()
      field.key_length = UInt32(member.key.utf8.count)
      field.offset = UInt32(member.offset)
      if case .optionalValue = member.role { field.flags = UInt32(DECANT_OPTIONAL) }
      try set(member.rules, of: &field)
      if let kind = member.kind {
        field.kind = UInt16(kind)
      } else if case .pointer(let target) = member.type {
        if case .plain("const char", _) = target {
          field.kind = UInt16(DECANT_STRING)
        } else {
          // An array, if a length follows.
          field.element = try kind(of: target, &field)
          field.kind = UInt16(DECANT_RECORD_POINTER)
        }
      } else {
        field.kind = try kind(of: member.type, &field)
      }
      return field
    }

    /// Sets the properties of a member in JSON.
    private func set(
      _ rules: CMemberRules, of field: inout decant_field
    ) throws(OutOfMemory) {
      if rules.isPointer { field.flags |= UInt32(DECANT_POINTER) }
      if !rules.otherKeys.isEmpty {
        var keys: [UnsafePointer<CChar>?] = unsafe []
        for key in rules.otherKeys { unsafe keys.append(try copy(key).pointer()) }
        unsafe field.other_keys = try unsafe copy(keys + [nil]).pointer()
      }
      if rules.isFromText { field.flags |= UInt32(DECANT_FROM_TEXT) }
      if rules.isIntegral { field.flags |= UInt32(DECANT_INTEGRAL) }
      if rules.isRest { field.flags |= UInt32(DECANT_REST) }
      var bounds = rules.bounds?.bounds ?? decant_bounds()
      if rules.isNonEmpty { bounds.set(\.shortest, 1, DECANT_HAS_SHORTEST) }
      if rules.bounds != nil || rules.isNonEmpty {
        unsafe field.bounds = try copy([bounds]).pointer()
      }
      switch rules.fallback {
      case nil: break
      case .zeros: field.flags |= UInt32(DECANT_OPTIONAL)
      case .text(let text): setDefault(try copy(text), of: &field)
      case .bytes(let bytes): setDefault(try copy(bytes), of: &field)
      }
    }

    private func setDefault(_ value: Memory, of field: inout decant_field) {
      field.flags |= UInt32(DECANT_DEFAULT)
      unsafe field.default_value = UnsafeRawPointer(value.start)
    }

    /// The kind of a value in place or of an element, whose record or names are set.
    private func kind(
      of type: CType, _ field: inout decant_field
    ) throws(OutOfMemory) -> UInt16 {
      switch type {
      case .text: return UInt16(DECANT_TEXT)
      case .raw: return UInt16(DECANT_RAW)
      case .special(let special): return UInt16(special.kind)
      case .constants(let type):
        unsafe field.names = try names(of: type).pointer()
        return UInt16(type is any CFlag.Type ? DECANT_FLAGS : DECANT_ENUM)
      case .structure(let model):
        unsafe field.record = try record(of: model).pointer()
        return UInt16(DECANT_RECORD)
      case .union(let cases, let extent):
        field.extent = UInt32(extent.size)
        try set(cases, of: &field)
        return UInt16(DECANT_UNION)
      case .plain(let name, _): return UInt16(scalarKinds[name] ?? 0)
      case .pointer: return 0
      }
    }

    /// The names of a union's tags, and the record of each.
    private func set(
      _ cases: [CCaseOutline], of field: inout decant_field
    ) throws(OutOfMemory) {
      var names: [decant_name] = []
      var records: [UnsafePointer<decant_record>?] = unsafe []
      for (place, item) in cases.enumerated() {
        var record: UnsafePointer<decant_record>?
        if let model = item.model { unsafe record = try self.record(of: model).pointer() }
        for key in item.keys {
          unsafe names.append(decant_name(name: try copy(key).pointer(), value: Int64(place)))
          unsafe records.append(record)
        }
      }
      unsafe field.names =
        try unsafe copy(names + [decant_name(name: nil, value: 0)]).pointer()
      unsafe field.records = try unsafe copy(records).pointer()
    }

    private func names(of type: any CConstants.Type) throws(OutOfMemory) -> Memory {
      var names: [decant_name] = []
      for (name, value) in type.jsonNames {
        unsafe names.append(decant_name(name: try copy(name).pointer(), value: value))
      }
      return try unsafe copy(names + [decant_name(name: nil, value: 0)])
    }
  }

  extension CConstants {
    fileprivate static var jsonNames: [(name: String, value: Int64)] {
      allCases.map { ($0.jsonName, $0.cConstant) }
    }
  }

  /// The types that C scalars are of, as kinds.
  private let scalarKinds = [
    "bool": DECANT_BOOL, "int8_t": DECANT_INT8, "int16_t": DECANT_INT16, "int32_t": DECANT_INT32,
    "int64_t": DECANT_INT64, "uint8_t": DECANT_UINT8, "uint16_t": DECANT_UINT16,
    "uint32_t": DECANT_UINT32, "uint64_t": DECANT_UINT64, "float": DECANT_FLOAT,
    "double": DECANT_DOUBLE,
  ]

#endif
