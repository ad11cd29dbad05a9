// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The caller's options, checked, and the memory that they request.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// The settings of a call, made from the caller's options. decant.h requires that the pointers of the options outlive the
/// call, or the handle that it makes: that is the proof of every `unsafe` here.
struct Settings {
  var rules = DecodingOptions.standardRules
  private(set) var engine = DecodingOptions.Engine.native
  private(set) var source: Bytes?
  /// The place where a stream of documents begins, its framing, and its rule for a byte order mark.
  private(set) var first = StreamPlace()
  /// The options of columns: flags, the rows of a batch and the most rejects. 0 means the default.
  private(set) var columns: (flags: UInt32, rows: Int, rejects: Int) = (0, 0, 0)
  /// The number of rows after which reading ends.
  private(set) var maximumRows = Int.max
  private(set) var framing = Framing.lines
  private var skipsByteOrderMark = false
  /// The pointer of the array whose elements are the documents.
  private(set) var elementsAt: Bytes?
  /// The caller's memory as the index takes it; zeros for malloc.
  private(set) var allocator = decant_allocator()
  /// Whether the error of a successful call has the reasons why elements were left out.
  private(set) var tellsLeftOut = false
  /// Whether text that is written has a line for each member and element.
  private(set) var isPretty = false
  private var buffer: Memory?
  private(set) var bufferSize = 0

  /// The function that the streams of columns call when both are released.
  private(set) var owner = StreamOwner()

  /// Without options.
  @inline(__always)
  init() {}

  /// The same, with memory.
  init(_ allocator: decant_allocator) { self.allocator = allocator }

  func hasColumns(_ flag: Int) -> Bool { columns.flags & UInt32(flag) != 0 }

  /// Whether the caller has memory of their own.
  var hasMemory: Bool { unsafe allocator.allocate != nil }

  /// Whether a value's block is allocated, so that a struct needs a place for it.
  var needsStorage: Bool { buffer == nil }

  /// How many bytes the index of a document leaves of the memory that these options grant it.
  func memoryLeft(_ json: JSON) -> Int { json.reference.memoryLeft(by: rules) }

  /// Fills the caller's buffer.
  func fillOfBuffer(rewinds: Bool = false) -> RecordFill {
    unsafe RecordFill(buffer?.start, room: bufferSize, rewinds: rewinds)
  }

  /// Whether members that no field names are errors, whatever the tables say.
  var rejectsUnknown: Bool { rules.rejects_unknown != 0 }

  /// Whether a small object of so many bytes can be read without an index, by the native engine: every such object follows
  /// these rules.
  func hasPlainRules(for length: Int) -> Bool {
    engine.isNative && rules.maximum_depth > 0 && rules.maximum_bytes >= UInt64(length)
      && (rules.maximum_memory == 0 || rules.maximum_memory >= UInt64(length))
      && !rejectsUnknown
  }

  /// Whether a small object of so many bytes can be filled from its text: which of several members counts, and how deep a
  /// document nests, is what the defaults say.
  func readsText(of length: Int) -> Bool {
    hasPlainRules(for: length) && Int(rules.duplicates) == DECANT_DUPLICATES_FIRST
      && rules.maximum_depth >= 64 && !tellsLeftOut
  }

  /// How the documents of a stream are separated.
  enum Framing: Int32 {
    case lines = 0
    case records
    case documents
  }

  /// Whether line feeds tell the documents apart, so that there is nothing to cut.
  var hasLines: Bool { elementsAt == nil && framing == .lines }

  /// How documents are read with one index of many; nil if each is read by itself.
  var indexed: decant_rules? { engine.isNative && !tellsLeftOut ? rules : nil }

  /// The rules for cutting a stream.
  var stream: StreamRules {
    var stream = StreamRules()
    stream.allocator = allocator
    stream.first = first
    stream.maximumBytes = Int(clamping: rules.maximum_bytes)
    stream.hasRecords = framing == .records
    stream.array = elementsAt
    stream.allowsMark = mayHaveMark
    stream.allowsTrailingCommas = Int(rules.relaxations) & DECANT_ALLOW_TRAILING_COMMAS != 0
    stream.indexed = indexed
    return stream
  }

  /// Whether the first line may begin with a byte order mark. Other documents are cut with theirs.
  var skipsMark: Bool { mayHaveMark && hasLines }

  private var mayHaveMark: Bool { skipsByteOrderMark && first.offset == 0 }

  /// How the documents of a stream are read: a byte order mark is the stream's.
  var ofDocuments: Settings {
    var settings = self
    settings.rules.relaxations &= ~UInt8(DECANT_ALLOW_BYTE_ORDER_MARK)
    return settings
  }

  /// The settings for the document around the elements. The native engine reads it, because places of another engine would
  /// not account for the removed bytes.
  var aroundElements: Settings {
    var settings = self
    settings.engine = .native
    if mayHaveMark { settings.rules.relaxations |= UInt8(DECANT_ALLOW_BYTE_ORDER_MARK) }
    return settings
  }

  /// Why options cannot be followed.
  struct Refusal: Error {
    let code: Int
    let message: StaticString

    init(_ message: StaticString, code: Int = DECANT_INVALID_ARGUMENT) {
      self.code = code
      self.message = message
    }
  }

  init(_ options: UnsafePointer<decant_options>?) throws(Refusal) {
    self.init()
    guard let options = unsafe options else { return }
    guard let given = unsafe Settings.read(Memory(reading: options)) else {
      throw Refusal("the size of the options is not known")
    }
    try take(given)
  }

  private mutating func take(_ given: decant_options) throws(Refusal) {
    buffer = unsafe Memory(given.buffer)
    bufferSize = given.buffer_size
    source = unsafe Bytes(cString: given.source_name)
    isPretty = given.pretty != 0
    tellsLeftOut = given.tells_left_out != 0
    switch Int(given.engine) {
    case DECANT_NATIVE: break
    case DECANT_JANSSON: engine = try Settings.jansson()
    default: throw Refusal("the engine is not known")
    }
    guard let duplicates = UInt8(exactly: given.duplicate_keys), duplicates <= 2 else {
      throw Refusal("the rule for duplicate keys is not known")
    }
    guard let relaxations = UInt8(exactly: given.relaxations), relaxations < 32 else {
      throw Refusal("the relaxations are not known")
    }
    if let memory = unsafe given.memory?.pointee {
      unsafe allocator = decant_allocator(
        allocate: memory.allocate, reallocate: nil, deallocate: memory.deallocate,
        state: memory.state)
      if !hasMemory { throw Refusal("memory has no function allocate") }
    }
    if bufferSize < 0 || needsStorage && bufferSize != 0 {
      throw Refusal("buffer is NULL, or buffer_size is too large")
    }
    guard given.first_line >= 0, given.first_offset >= 0 else {
      throw Refusal("first_line or first_offset is negative")
    }
    guard given.columns < 8, given.batch_rows >= 0, given.maximum_rows >= 0 else {
      throw Refusal("columns, batch_rows or maximum_rows are not known")
    }
    maximumRows = given.maximum_rows > 0 ? Int(clamping: given.maximum_rows) : .max
    columns = (
      given.columns, Int(clamping: given.batch_rows),
      Int(clamping: UInt(bitPattern: given.maximum_rejects))
    )
    first.line = max(1, Int(clamping: given.first_line))
    first.offset = Int(clamping: given.first_offset)
    unsafe owner = StreamOwner(given.release, given.release_context)
    try takeStream(given)
    rules.duplicates = duplicates
    rules.relaxations = relaxations
    if Int(relaxations) & DECANT_RELAX_BYTE_ORDER_MARK != 0 { skipsByteOrderMark = true }
    rules.redacts = given.redacts_input != 0 ? 1 : 0
    rules.rejects_unknown = given.rejects_unknown != 0 ? 1 : 0
    // Limits of 0 are the library's own.
    let (depth, bytes, errors) = (
      given.maximum_depth, given.maximum_bytes, given.maximum_errors
    )
    if depth != 0 { rules.maximum_depth = UInt32(clamping: UInt(bitPattern: depth)) }
    if bytes != 0 { rules.maximum_bytes = UInt64(UInt(bitPattern: bytes)) }
    rules.maximum_memory = UInt64(UInt(bitPattern: given.maximum_memory))
    if errors != 0 { rules.maximum_errors = UInt16(clamping: UInt(bitPattern: errors)) }
  }

  private mutating func takeStream(_ given: decant_options) throws(Refusal) {
    guard let framing = Framing(rawValue: given.framing) else {
      throw Refusal("the framing is not known")
    }
    self.framing = framing
    skipsByteOrderMark = given.skips_byte_order_mark != 0
    elementsAt = unsafe Bytes(cString: given.elements_at)
    if let elementsAt {
      guard isPointer(elementsAt) else {
        throw Refusal("elements_at is not a JSON Pointer", code: DECANT_INVALID_POINTER)
      }
      guard framing == .lines else { throw Refusal("elements_at is for one document") }
      guard given.duplicate_keys != DECANT_KEEP_LAST else {
        throw Refusal(
          "the last of several members is not known before a stream ends", code: DECANT_UNSUPPORTED)
      }
    }
    if elementsAt != nil || framing != .lines,
      given.relaxations & UInt32(DECANT_RELAX_COMMENTS) != 0
    {
      throw Refusal("comments are read in streams of lines only", code: DECANT_UNSUPPORTED)
    }
  }

  /// The caller's options, with zeros for what their header does not have yet; nil if their size was never that of
  /// options, or if what they have beyond ours is not zero.
  private static func read(_ options: Memory) -> decant_options? {
    let size = options.load(Int.self)
    let known = MemoryLayout<decant_options>.size
    guard size >= sizeOfFirst, size <= 4096 else { return nil }
    if size > known, !options.advanced(by: known).isZero(size - known) { return nil }
    var given = decant_options()
    unsafe withUnsafeMutablePointer(to: &given) {
      unsafe Memory($0).copy(options, min(size, known))
    }
    return given
  }

  /// The first options ended with `buffer_size`, before `relaxations` and `redacts_input`.
  private static var sizeOfFirst: Int {
    var options = decant_options()
    return unsafe withUnsafeMutablePointer(to: &options) { options in
      unsafe withUnsafePointer(to: &options.pointee.relaxations) {
        unsafe UnsafeRawPointer($0) - UnsafeRawPointer(options)
      }
    }
  }

  /// The second engine, if the library has it.
  static func jansson() throws(Refusal) -> DecodingOptions.Engine {
    #if DECANT_JANSSON
      if let table = unsafe decant_jansson_engine() {
        return unsafe DecodingOptions.Engine(table: table)
      }
    #endif
    throw Refusal("this library was built without libjansson", code: DECANT_UNSUPPORTED)
  }
}

/// Who owns what streams refer to.
@safe
struct StreamOwner {
  // SAFETY: the caller's function, which takes the context.
  private let function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  private let context: UnsafeMutableRawPointer?

  init() { unsafe (function, context) = (nil, nil) }

  init(
    _ function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
    _ context: UnsafeMutableRawPointer?
  ) {
    unsafe (self.function, self.context) = (function, context)
  }

  func release() { unsafe function?(context) }
}

// MARK: - Blocks

/// A value's block. One from the caller's memory begins with its size, which giving it back needs.
struct Block {
  private(set) var storage: Memory
  /// `room` bytes inside `storage`.
  private var data: Memory
  private(set) var room: Int
  var start: Memory { data }

  static let header = 16

  /// Fills the block, or at most so many bytes of it, from its beginning.
  @inline(__always)
  func fill(rewinds: Bool, upTo most: Int = .max) -> RecordFill {
    unsafe RecordFill(data.start, room: min(room, most), rewinds: rewinds)
  }

  /// Nil if there is no memory.
  @inline(__always)
  static func allocate(_ size: Int, _ settings: Settings) -> Block? {
    if settings.hasMemory { return allocateElsewhere(size, settings.allocator) }
    guard let block = malloc.allocate(size) else { return nil }
    return Block(storage: block, data: block, room: size)
  }

  @inline(never)
  private static func allocateElsewhere(_ size: Int, _ memory: decant_allocator) -> Block? {
    let (total, overflow) = size.addingReportingOverflow(header)
    guard !overflow, let block = memory.allocate(total) else { return nil }
    block.store(total)
    return Block(storage: block, data: block.advanced(by: header), room: size)
  }

  /// Shrinks a block from malloc to its first `size` bytes. Returns true if the block has moved.
  mutating func cut(to size: Int) -> Bool {
    // A shrunken block stays where it is, or reallocation fails.
    guard size < room, let block = Block.malloc.reallocate(storage, room, size) else {
      return false
    }
    let hasMoved = unsafe block.start != storage.start
    (storage, data, room) = (block, block, size)
    return hasMoved
  }

  /// Shrinks a block from malloc whose `start` is known. Returns where it then is.
  static func cut(
    startingAt start: Memory, _ size: Int, to count: Int, _ settings: Settings
  ) -> Memory {
    settings.hasMemory ? start : malloc.reallocate(start, size, count) ?? start
  }

  /// Gives a block back whose `start` is known.
  static func release(startingAt start: Memory, _ settings: Settings) {
    release(settings.hasMemory ? start.advanced(by: -header) : start, settings)
  }

  @inline(__always)
  func release(_ settings: Settings) { Block.release(storage, settings) }

  @inline(__always)
  static func release(_ storage: Memory?, _ settings: Settings) {
    guard let storage else { return }
    // malloc knows how large its blocks are.
    if !settings.hasMemory { return malloc.release(storage, 1) }
    settings.allocator.release(storage, storage.load(Int.self))
  }

  private static var malloc: decant_allocator { decant_allocator() }
}

@c @implementation
package func decant_options_init(
  _ options: UnsafeMutablePointer<decant_options>!, _ capacity: Int
) -> Int {
  let size = MemoryLayout<decant_options>.size
  // SAFETY: the caller's promise: `capacity` bytes. A capacity above half the address space is negative here.
  guard let options = unsafe options else { return size }
  let memory = UnsafeMutableRawPointer(options)
  let known = capacity < 0 ? size : min(capacity, size)
  unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: known)
  if known >= MemoryLayout<Int>.size { unsafe memory.storeBytes(of: known, as: Int.self) }
  return size
}
