// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a Swift model to a struct of C. A model declares its struct once, beside its decoding:
//
//   extension User: CModel {
//     static func layout(_ c: inout CLayout<User>) {
//       c.structure("user", "A user.")
//       c.field("id", \.id)
//       c.field("name", \.name)
//       c.field("email", \.email)
//     }
//   }
//
// `decode` writes a decoded model to the members' offsets, and `decant-header` writes the header from the
// same declaration. The library needs no header to be compiled: to Swift the struct is an untyped pointer.
//
//   struct decant_user   { id, name ─┐, name_length, email ─┐, email_length, storage ─┐ }
//   block                            └► T e s t e r \0      └► t @ t . c o m \0  ◄─────┘

#if !hasFeature(Embedded)

  public import CDecant
  internal import CDecantIndex
  public import DecantCore

  /// A model that has a struct in C: `layout` declares it.
  public protocol CModel: CElement {
    /// Declares the struct and its fields, always the same ones in the same order.
    static func layout(_ c: inout CLayout<Self>)
  }

  extension CModel {
    /// Writes the struct and its block. Returns an error, or nil; after an error, the struct is unchanged or zeros.
    @inlinable
    func write(to out: _CMemory, _ size: Int, _ block: inout _CMemory?) -> DecodeError? {
      var isWritten = false
      let failure = _CBlock.fill(&block) { block in
        if block.isMeasuring { return _store(at: nil, &block) }
        isWritten = true
        out.clear(size)
        _store(at: out, &block)
      }
      if isWritten, failure != nil { out.clear(size) }
      return failure
    }

    /// Size and alignment of the struct, and the offset of `storage`: nil in a struct that is a part of others.
    @inlinable
    static var shape: (extent: _CExtent, storage: Int?) {
      var walk = CLayout<Self>(describing: nil)
      layout(&walk)
      let storage = walk.finish()
      return (walk.extent, storage)
    }
  }

  extension CModel {
    /// The body of a `<model>_free` function.
    @inlinable
    public static func free(_ value: UnsafeMutableRawPointer?) {
      guard let value = unsafe value, let storage = shape.storage else { return }
      let place = unsafe _CMemory(value + storage)
      _CBlock.release(place.target())
      place.point(to: nil)
    }

    /// The body of a `<models>_free` function.
    @inlinable
    public static func freeArray(_ array: UnsafeMutableRawPointer?) {
      guard let array = unsafe array else { return }
      let place = unsafe _CMemory(array)
      _CBlock.release(place.target(at: 16))
      place.clear(MemoryLayout<decant_array>.size)
    }
  }

  extension CModel where Self: JSONDecodable {
    /// The body of a `decode_<model>` function. The struct is written on success only.
    @inlinable
    public static func decode(
      _ json: UnsafePointer<CChar>?, _ length: Int, into out: UnsafeMutableRawPointer?,
      error: UnsafeMutablePointer<decant_error>?
    ) -> decant_status {
      let failure = unsafe fill(out.map { unsafe _CMemory($0) }, from: input(json, length))
      return unsafe report(failure, to: error)
    }

    /// Returns why a struct was not filled.
    @inlinable
    static func fill(_ out: _CMemory?, from bytes: UnsafeRawBufferPointer?) -> DecodeError? {
      guard let out, let bytes = unsafe bytes else { return badInput }
      let shape = shape
      guard let storage = shape.storage else { return isPart }
      switch unsafe decode(from: bytes) {
      case .failure(let failure): return failure
      case .success(let model):
        var block: _CMemory?
        let failure = model.write(to: out, shape.extent.size, &block)
        if failure == nil { out.advanced(by: storage).point(to: block) }
        return failure
      }
    }

    /// The body of a `decode_<models>` function: decodes a document that is an array, completely or
    /// not at all.
    @inlinable
    public static func decodeArray(
      _ json: UnsafePointer<CChar>?, _ length: Int, into out: UnsafeMutableRawPointer?,
      error: UnsafeMutablePointer<decant_error>?
    ) -> decant_status {
      let failure = unsafe fillArray(out.map { unsafe _CMemory($0) }, from: input(json, length))
      return unsafe report(failure, to: error)
    }

    /// Returns why the struct of an array, which has the members of `decant_array`, was not filled.
    @inlinable
    static func fillArray(_ out: _CMemory?, from bytes: UnsafeRawBufferPointer?) -> DecodeError? {
      guard let out, let bytes = unsafe bytes else { return badInput }
      switch unsafe [Self].decode(from: bytes) {
      case .failure(let failure): return failure
      case .success(let models):
        var (items, block): (_CMemory?, _CMemory?)
        if let failure = _CBlock.fill(&block, { items = $0.add(models) }) { return failure }
        out.point(to: items, count: models.count)
        out.advanced(by: 16).point(to: block)
        return nil
      }
    }

    /// The body of a `decode_<model>_lines` function: decodes newline-delimited JSON, and calls `function` for each
    /// line that is not blank, with the struct or the error. Both live until the function returns; a result other
    /// than 0 ends the stream. Places of errors count from the beginning of the stream.
    public static func decodeLines(
      _ json: UnsafePointer<CChar>?, _ length: Int, to function: decant_line_function?,
      _ context: UnsafeMutableRawPointer?, error: UnsafeMutablePointer<decant_error>?
    ) -> decant_status {
      guard let receiver = unsafe LineReceiver(function, context),
        let json = unsafe Bytes(json, length: length)
      else {
        return unsafe report(
          .invalidArgument("json or function is NULL, or length is negative"), to: error)
      }
      let extent = _cExtent
      return unsafe withUnsafeTemporaryAllocation(
        byteCount: extent.size, alignment: extent.alignment
      ) { memory in
        let value = unsafe Memory(memory.baseAddress!)
        forEachLine(json) { line, place in
          var block: _CMemory?
          defer { _CBlock.release(block) }
          // SAFETY: the place is where it is during the call.
          let result = unsafe withUnsafePointer(to: decant_start(place.location())) {
            unsafe reading(
              line.buffer, .native, DecodingOptions.standardRules, from: $0, nil, Self.decode)
          }
          let failure: DecodeError
          switch result {
          case .failure(let wrong): failure = wrong
          case .success(let model):
            guard let wrong = model.write(to: value, extent.size, &block) else {
              return receiver.take(value, line: place.line)
            }
            failure = wrong
          }
          var error = decant_error.empty
          _ = unsafe report(failure, to: &error)
          return receiver.take(error, line: place.line)
        }
        return ok
      }
    }

    @usableFromInline
    static var isPart: DecodeError {
      .invalidArgument("\(Self.self) has a layout that is only a part of others")
    }

    @usableFromInline
    static var badInput: DecodeError {
      .invalidArgument("json or out is NULL, or length is negative")
    }

    /// The caller's bytes, if the arguments make sense.
    @usableFromInline
    static func input(_ json: UnsafePointer<CChar>?, _ length: Int) -> UnsafeRawBufferPointer? {
      unsafe Bytes(json, length: length)?.buffer
    }
  }

#endif
