// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The second engine: libjansson's trees behind the view. A node is a `json_t *` with the foreign bit set.
//
//   root       owned by the context (or by the host); the only value whose count is ever changed
//   nodes      borrowed from the root; never counted, so that threads can share a tree
//
// Guards around the parser, each for a measured fault of libjansson 2.14:
//   - it accepts one NUL byte after a number or a literal: NUL is looked for first
//   - its recursion needs 128 KB of stack for its 2048 levels: depth is counted first, strings aside
//   - its hash seed is made at the first use, unsynchronised: it is made once, before any use

#if Jansson

  internal import CDecantIndex
  internal import CJansson
  public import DecantCore

  extension Engine {
    /// libjansson: decodes through `json_t` trees. No positions after parsing, and a fraction of the
    /// native engine's speed; for a second opinion, and for hosts that have such trees.
    public static var jansson: Engine { unsafe Engine(table: JanssonEngine.table) }
  }

  enum JanssonEngine {
    // SAFETY: written once, here, and read only from then on.
    nonisolated(unsafe) static let table: UnsafePointer<decant_engine> = {
      // SAFETY: before any document is parsed, so that the seed is not raced for.
      json_object_seed(0)
      let table = UnsafeMutablePointer<decant_engine>.allocate(capacity: 1)
      let name: StaticString = "jansson"
      unsafe table.initialize(
        to: decant_engine(
          name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
          build: { unsafe JanssonEngine.build($0!) },
          discard: { unsafe JanssonEngine.discard($0!) },
          kind: { JanssonEngine.kind(of: $1) },
          lookup: { unsafe JanssonEngine.lookup($1, $2!, $3) },
          element: { JanssonEngine.element($1, $2) },
          count: { JanssonEngine.count($1) },
          advance: { unsafe JanssonEngine.advance($1, $2!) },
          integer: { unsafe JanssonEngine.integer($1, $2!) },
          real: { unsafe json_number_value(pointer($1)) },
          string: { unsafe JanssonEngine.string($1, $2!) }))
      return unsafe UnsafePointer(table)
    }()
  }

  // MARK: - Nodes

  /// The tree's value at a node.
  // SAFETY: nodes of this engine are made by `node(_:)` from non-null values of a tree that lives.
  @inline(__always)
  func pointer(_ node: UInt64) -> UnsafeMutablePointer<json_t> {
    unsafe UnsafeMutablePointer(bitPattern: UInt(node & ~DECANT_NODE_FOREIGN))!
  }

  @inline(__always)
  func node(_ value: UnsafeMutablePointer<json_t>?) -> UInt64 {
    guard let value = unsafe value else { return DECANT_NODE_NONE }
    return UInt64(UInt(bitPattern: value)) | DECANT_NODE_FOREIGN
  }

  // MARK: - Reading

  extension JanssonEngine {
    /// Parses the context's text; the root then belongs to the context.
    static func build(_ context: UnsafeMutablePointer<decant_context>) -> Int32 {
      let length = unsafe context.pointee.length
      let rules = unsafe context.pointee.rules
      if UInt64(length) > rules.maximum_bytes {
        unsafe context.pointee.error_offset = length
        return Int32(DECANT_INDEX_TOO_LARGE)
      }
      let text = unsafe UnsafeRawBufferPointer(start: context.pointee.text, count: length)
      if let (code, offset) = unsafe refusal(of: text, maximumDepth: rules.maximum_depth) {
        unsafe context.pointee.error_offset = offset
        return code
      }
      var flags = decant_jansson_any() | decant_jansson_allow_nul()
      if rules.duplicates != UInt8(DECANT_DUPLICATES_LAST) {
        flags |= decant_jansson_reject_duplicates()
      }
      var error = json_error_t()
      guard
        let root = unsafe json_loadb(
          text.assumingMemoryBound(to: CChar.self).baseAddress, length, flags, &error)
      else {
        // Its positions count from the end of the token it stopped at; ours would mean something else.
        unsafe context.pointee.error_offset = length
        return code(of: unsafe json_error_code(&error))
      }
      unsafe context.pointee.root = node(root)
      return Int32(DECANT_INDEX_OK)
    }

    /// What libjansson must not be given: an empty input, a NUL byte, too much depth.
    private static func refusal(
      of text: UnsafeRawBufferPointer, maximumDepth: UInt32
    ) -> (code: Int32, offset: Int)? {
      // libjansson refuses more than 2048 levels itself; its stack is what has to be guarded.
      let limit = min(maximumDepth, 2048)
      var depth: UInt32 = 0
      var inString = false
      var isBlank = true
      var place = 0
      while place < text.count {
        let byte = unsafe text[place]
        switch byte {
        case 0: return (Int32(inString ? DECANT_INDEX_CONTROL_CHARACTER : DECANT_INDEX_UNEXPECTED_BYTE), place)
        case UInt8(ascii: "\""): inString.toggle()
        case UInt8(ascii: "\\") where inString: place += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          if inString { break }
          depth += 1
          if depth > limit { return (Int32(DECANT_INDEX_TOO_DEEP), place) }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if !inString, depth > 0 { depth -= 1 }
        default: break
        }
        if isBlank, byte != 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { isBlank = false }
        place += 1
      }
      if isBlank { return (Int32(DECANT_INDEX_EMPTY_INPUT), text.count) }
      if text.count >= 2, unsafe (text[0] == 0xFE && text[1] == 0xFF) || (text[0] == 0xFF && text[1] == 0xFE)
      {
        return (Int32(DECANT_INDEX_BYTE_ORDER_MARK), 0)
      }
      if text.count >= 3, unsafe text[0] == 0xEF, unsafe text[1] == 0xBB, unsafe text[2] == 0xBF {
        return (Int32(DECANT_INDEX_BYTE_ORDER_MARK), 0)
      }
      return nil
    }

    private static func code(of error: json_error_code) -> Int32 {
      let code =
        switch error {
        case json_error_out_of_memory: DECANT_INDEX_OUT_OF_MEMORY
        case json_error_stack_overflow: DECANT_INDEX_TOO_DEEP
        case json_error_premature_end_of_input: DECANT_INDEX_UNEXPECTED_END
        case json_error_end_of_input_expected: DECANT_INDEX_TRAILING_BYTES
        case json_error_invalid_utf8: DECANT_INDEX_INVALID_UTF8
        case json_error_duplicate_key: DECANT_INDEX_DUPLICATE_KEY
        case json_error_numeric_overflow: DECANT_INDEX_NUMBER_OVERFLOW
        default: DECANT_INDEX_UNEXPECTED_BYTE
        }
      return Int32(code)
    }

    static func discard(_ context: UnsafeMutablePointer<decant_context>) {
      if unsafe context.pointee.root == 0 { return }
      unsafe json_decref(pointer(context.pointee.root))
      unsafe context.pointee.root = 0
    }
  }

  // MARK: - Answering

  extension JanssonEngine {
    static func kind(of node: UInt64) -> Int32 {
      let kind =
        switch unsafe decant_jansson_type(pointer(node)) {
        case JSON_OBJECT: DECANT_KIND_OBJECT
        case JSON_ARRAY: DECANT_KIND_ARRAY
        case JSON_STRING: DECANT_KIND_STRING
        case JSON_INTEGER, JSON_REAL: DECANT_KIND_NUMBER
        case JSON_TRUE: DECANT_KIND_TRUE
        case JSON_FALSE: DECANT_KIND_FALSE
        default: DECANT_KIND_NULL
        }
      return Int32(kind)
    }

    static func lookup(_ object: UInt64, _ key: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
      unsafe node(
        json_object_getn(
          pointer(object), UnsafeRawPointer(key).assumingMemoryBound(to: CChar.self), length))
    }

    static func element(_ array: UInt64, _ index: Int) -> UInt64 {
      unsafe node(json_array_get(pointer(array), index))
    }

    static func count(_ container: UInt64) -> Int {
      let value = unsafe pointer(container)
      return unsafe decant_jansson_type(value) == JSON_OBJECT
        ? json_object_size(value) : json_array_size(value)
    }

    /// In an object, the position is the iterator of the member reached; in an array, the next index.
    static func advance(_ container: UInt64, _ cursor: UnsafeMutablePointer<decant_cursor>) -> Bool {
      let value = unsafe pointer(container)
      if unsafe decant_jansson_type(value) == JSON_ARRAY {
        let element = unsafe element(container, Int(cursor.pointee.position))
        if element == DECANT_NODE_NONE { return false }
        unsafe cursor.pointee.position += 1
        unsafe cursor.pointee.value = element
        return true
      }
      let last = unsafe UnsafeMutableRawPointer(bitPattern: UInt(cursor.pointee.position))
      let next = unsafe last.map { unsafe json_object_iter_next(value, $0) } ?? json_object_iter(value)
      guard let next = unsafe next else { return false }
      unsafe cursor.pointee.position = UInt64(UInt(bitPattern: next))
      unsafe cursor.pointee.value = node(json_object_iter_value(next))
      let key = unsafe json_object_iter_key(next)!
      unsafe cursor.pointee.key = unsafe UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self)
      unsafe cursor.pointee.key_length = json_object_iter_key_len(next)
      return true
    }

    static func integer(_ node: UInt64, _ result: UnsafeMutablePointer<Int64>) -> Bool {
      let value = unsafe pointer(node)
      guard unsafe decant_jansson_type(value) == JSON_INTEGER else { return false }
      unsafe result.pointee = unsafe Int64(json_integer_value(value))
      return true
    }

    static func string(_ node: UInt64, _ length: UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>? {
      let value = unsafe pointer(node)
      unsafe length.pointee = unsafe json_string_length(value)
      return unsafe UnsafeRawPointer(json_string_value(value)!).assumingMemoryBound(to: UInt8.self)
    }
  }

#endif
