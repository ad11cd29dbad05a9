// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The caller's options, checked, and the memory that they ask for.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

#if Jansson
  internal import DecantJansson
#endif

typealias Options = UnsafePointer<decant_options>

/// What a call does; made of the caller's options.
@safe
struct Settings {
  var rules = DecodingOptions.standardRules
  // SAFETY: pointers of the caller's, which outlive the call.
  var engine: UnsafePointer<decant_engine>?
  var sourceName: UnsafePointer<CChar>?
  var memory: UnsafePointer<decant_memory>?
  var buffer: UnsafeMutableRawPointer?
  var bufferSize = 0
  /// Where a stream of documents begins.
  var first = Report.Place()

  init() {}

  /// Whether a small object of so many bytes can be read without an index: by the native engine, into memory from
  /// malloc. What is read so, these rules accept.
  func canReadText(_ length: Int) -> Bool {
    unsafe hasPlainRules(for: length) && memory == nil && buffer == nil
  }

  /// The same, wherever memory comes from.
  func hasPlainRules(for length: Int) -> Bool {
    unsafe engine == nil && rules.maximum_depth > 0 && rules.maximum_bytes >= UInt64(length)
  }

  /// Whether a value's block is allocated, so that a struct needs a place for it.
  var needsStorage: Bool { unsafe buffer == nil }

  /// Why options cannot be followed, or nil.
  mutating func take(_ options: Options?) -> (code: Status, message: StaticString)? {
    guard let options = unsafe options else { return nil }
    guard let given = unsafe Settings.read(options) else {
      return (Status(DECANT_INVALID_ARGUMENT), "the size of the options is not known")
    }
    switch Int(unsafe given.engine) {
    case DECANT_NATIVE: break
    case DECANT_JANSSON:
      guard let table = unsafe janssonTable() else {
        return (Status(DECANT_UNSUPPORTED), "this library was built without libjansson")
      }
      unsafe engine = unsafe table
    default: return (Status(DECANT_INVALID_ARGUMENT), "the engine is not known")
    }
    guard unsafe given.duplicate_keys >= 0, unsafe given.duplicate_keys <= 2 else {
      return (Status(DECANT_INVALID_ARGUMENT), "the rule for duplicate keys is not known")
    }
    unsafe rules.duplicates = UInt8(given.duplicate_keys)
    if unsafe given.maximum_depth != 0 {
      unsafe rules.maximum_depth = UInt32(clamping: UInt(bitPattern: given.maximum_depth))
    }
    if unsafe given.maximum_bytes != 0 {
      unsafe rules.maximum_bytes = UInt64(UInt(bitPattern: given.maximum_bytes))
    }
    if unsafe given.maximum_errors != 0 {
      unsafe rules.maximum_errors = UInt16(clamping: UInt(bitPattern: given.maximum_errors))
    }
    guard unsafe given.relaxations < 32 else {
      return (Status(DECANT_INVALID_ARGUMENT), "the relaxations are not known")
    }
    unsafe rules.relaxations = UInt8(given.relaxations)
    unsafe rules.redacts = given.redacts_input != 0 ? 1 : 0
    unsafe sourceName = unsafe given.source_name
    if let memory = unsafe given.memory {
      guard unsafe memory.pointee.allocate != nil else {
        return (Status(DECANT_INVALID_ARGUMENT), "memory has no function allocate")
      }
      unsafe self.memory = unsafe memory
    }
    unsafe buffer = unsafe given.buffer
    bufferSize = unsafe given.buffer_size
    if unsafe bufferSize < 0 || buffer == nil && bufferSize != 0 {
      return (Status(DECANT_INVALID_ARGUMENT), "buffer is NULL, or buffer_size is too large")
    }
    guard unsafe given.first_line >= 0, unsafe given.first_offset >= 0 else {
      return (Status(DECANT_INVALID_ARGUMENT), "first_line or first_offset is negative")
    }
    first.line = unsafe max(1, Int(clamping: given.first_line))
    first.offset = unsafe Int(clamping: given.first_offset)
    return nil
  }

  /// The caller's options, with zeros for what their header does not have yet; nil if their size is none that
  /// ever was, or if what they have beyond ours is not zero.
  // SAFETY: the caller's promise: as many bytes as `size` says.
  private static func read(_ options: Options) -> decant_options? {
    let size = unsafe options.pointee.size
    let known = unsafe MemoryLayout<decant_options>.size
    guard size >= sizeOfFirst, size <= 4096 else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: options, count: size)
    if size > known, unsafe bytes[known...].contains(where: { $0 != 0 }) { return nil }
    var given = unsafe decant_options()
    unsafe withUnsafeMutableBytes(of: &given) { known in
      unsafe known.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(known.count)))
    }
    return unsafe given
  }

  /// The first options ended with `buffer_size`, before `relaxations` and `redacts_input`.
  private static var sizeOfFirst: Int {
    var options = unsafe decant_options()
    return unsafe withUnsafeMutablePointer(to: &options) { options in
      unsafe withUnsafePointer(to: &options.pointee.relaxations) { next in
        unsafe UnsafeRawPointer(next) - UnsafeRawPointer(options)
      }
    }
  }

  /// The caller's memory as the index takes it.
  var allocator: decant_allocator {
    guard let memory = unsafe memory else { return unsafe decant_allocator() }
    return unsafe decant_allocator(
      allocate: memory.pointee.allocate, reallocate: nil, deallocate: memory.pointee.deallocate,
      state: memory.pointee.state)
  }
}

/// The second engine, if the library has it.
func janssonTable() -> UnsafePointer<decant_engine>? {
  #if Jansson
    unsafe DecodingOptions.Engine.isJanssonAvailable ? DecodingOptions.Engine.jansson.table : nil
  #else
    nil
  #endif
}

// MARK: - Blocks

/// A value's block. One from the caller's memory begins with its size, which giving it back needs.
@safe
struct Block {
  // SAFETY: `room` bytes from `data`, inside what `storage` names.
  private(set) var storage: UnsafeMutableRawPointer
  private(set) var data: UnsafeMutableRawPointer
  private(set) var room: Int

  static let header = 16

  /// Nil if there is no memory.
  @inline(__always)
  static func allocate(_ size: Int, _ settings: Settings) -> Block? {
    if unsafe settings.memory != nil { return allocateElsewhere(size, settings) }
    guard let block = unsafe decant_block_allocate(nil, size) else { return nil }
    return unsafe Block(storage: block, data: block, room: size)
  }

  @inline(never)
  private static func allocateElsewhere(_ size: Int, _ settings: Settings) -> Block? {
    let (total, overflow) = size.addingReportingOverflow(header)
    var allocator = unsafe settings.allocator
    guard !overflow, let block = unsafe decant_block_allocate(&allocator, total) else { return nil }
    unsafe block.storeBytes(of: total, as: Int.self)
    return unsafe Block(storage: block, data: block + header, room: size)
  }

  /// Gives back what is behind the first `size` bytes of a block from malloc. True if the block has moved.
  mutating func cut(to size: Int) -> Bool {
    guard size < room, let block = unsafe decant_block_cut(storage, size) else { return false }
    let hasMoved = unsafe block != storage
    unsafe (storage, data, room) = unsafe (block, block, size)
    return hasMoved
  }

  @inline(__always)
  func release(_ settings: Settings) { unsafe Block.release(storage, settings) }

  @inline(__always)
  static func release(_ storage: UnsafeMutableRawPointer?, _ settings: Settings) {
    guard let storage = unsafe storage else { return }
    if unsafe settings.memory == nil { return unsafe decant_block_release(nil, storage, 1) }
    var allocator = unsafe settings.allocator
    unsafe decant_block_release(&allocator, storage, storage.loadUnaligned(as: Int.self))
  }
}
