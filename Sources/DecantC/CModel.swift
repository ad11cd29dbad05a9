// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a Swift model to a C struct. A model says how it fills its struct, with strings that are copied
// into one block; `decode` does the rest: checks the arguments, decodes, allocates, reports.
//
//   struct decant_user   { id, name ─┐, name_length, email ─┐, email_length, storage ─┐ }
//   block                            └► T e s t e r \0      └► t @ t . c o m \0  ◄─────┘

#if !hasFeature(Embedded)

  public import CDecant
  public import DecantCore
  internal import Glibc

  /// A model that has a struct in C.
  public protocol CModel: JSONDecodable {
    associatedtype CStruct

    /// Fills the struct. Called twice: once to measure the block, once to write it.
    func fill(_ out: inout CStruct, _ block: inout CBlock)

    /// Where the struct keeps the block.
    static var storage: WritableKeyPath<CStruct, UnsafeMutableRawPointer?> { get }
  }

  /// The one block of memory that a decoded struct owns.
  @safe
  public struct CBlock {
    // SAFETY: nil while measuring; then a block of the size measured.
    private let start: UnsafeMutablePointer<CChar>?
    private(set) var used = 0

    init(_ start: UnsafeMutablePointer<CChar>?) { unsafe self.start = unsafe start }

    /// Copies a string into the block, with a NUL byte after it. While measuring, the pointer is null.
    public mutating func add(_ text: String) -> UnsafePointer<CChar>? {
      var text = text
      defer { used += text.utf8.count + 1 }
      guard let place = unsafe start.map({ unsafe $0 + used }) else { return nil }
      // SAFETY: the same strings were measured before.
      text.withUTF8 { bytes in
        if let start = bytes.baseAddress { unsafe memcpy(place, start, bytes.count) }
        unsafe place[bytes.count] = 0
      }
      return unsafe UnsafePointer(place)
    }

    /// Lays the structs of models out as an array, strings after it. The models' own `storage` stays NULL.
    /// While measuring, and of no models, the pointer is null.
    public mutating func add<Model: CModel>(_ models: [Model])
      -> UnsafeMutablePointer<Model.CStruct>?
    {
      if models.isEmpty { return nil }
      let alignment = MemoryLayout<Model.CStruct>.alignment
      let size = MemoryLayout<Model.CStruct>.stride
      used = (used + alignment - 1) & ~(alignment - 1)
      guard let start = unsafe start else {
        used += models.count * size
        // SAFETY: room for one struct of C, for which zeros are a value.
        unsafe withUnsafeTemporaryAllocation(of: Model.CStruct.self, capacity: 1) { room in
          for model in models {
            unsafe memset(room.baseAddress!, 0, size)
            unsafe model.fill(&room[0], &self)
          }
        }
        return nil
      }
      // SAFETY: as above; the same structs were measured before, at the same places.
      let array = unsafe UnsafeMutableRawPointer(start + used)
        .bindMemory(to: Model.CStruct.self, capacity: models.count)
      unsafe memset(array, 0, models.count * size)
      used += models.count * size
      for (place, model) in models.enumerated() { unsafe model.fill(&array[place], &self) }
      return unsafe array
    }
  }

  extension CModel {
    /// What a `decode_<model>` function does. The struct is written on success only.
    public static func decode(
      _ json: UnsafePointer<CChar>?, _ length: Int, into out: UnsafeMutablePointer<CStruct>?,
      error: UnsafeMutablePointer<decant_error>?
    ) -> decant_status {
      guard let out = unsafe out, unsafe json != nil || length == 0, length >= 0 else {
        return unsafe report(
          DecodeError.invalidArgument("json or out is NULL, or length is negative"), to: error)
      }
      // SAFETY: the caller's promise: `length` bytes from `json`.
      let bytes = unsafe UnsafeRawBufferPointer(start: json, count: length)
      switch unsafe decode(from: bytes) {
      case .failure(let failure): return unsafe report(failure, to: error)
      case .success(let model):
        guard let value = unsafe model.value(like: out.pointee) else {
          return unsafe report(DecodeError.outOfMemory, to: error)
        }
        unsafe out.pointee = value
        return decant_status(DECANT_OK)
      }
    }

    /// What a `<model>_free` function does.
    public static func free(_ value: UnsafeMutablePointer<CStruct>?) {
      guard let value = unsafe value else { return }
      unsafe Glibc.free(value.pointee[keyPath: storage])
      unsafe value.pointee[keyPath: storage] = nil
    }

    /// The struct with its block, or nil if there is no memory for it.
    private func value(like template: CStruct) -> CStruct? {
      var value = template
      var measure = unsafe CBlock(nil)
      fill(&value, &measure)
      guard let memory = unsafe malloc(max(measure.used, 1)) else { return nil }
      var block = unsafe CBlock(memory.assumingMemoryBound(to: CChar.self))
      fill(&value, &block)
      unsafe value[keyPath: Self.storage] = memory
      return value
    }
  }

#endif
