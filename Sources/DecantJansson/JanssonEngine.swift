// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The second engine: libjansson's trees behind the view. A node is a `json_t *` with the foreign bit set.
//
//   root       owned by the context (or by the host); the only value whose count is ever changed
//   nodes      borrowed from the root; never counted, so that threads can share a tree
//
// Guards around the parser, each for a measured fault of libjansson 2.14:
//   - it accepts one NUL byte after a number or a literal: NUL is searched first
//   - its recursion needs 128 KB of stack for its 2048 levels: the native index is built first, which counts levels
//     without recursion; if that refuses a text, depth is counted byte by byte, outside strings
//   - it makes its hash seed at the first use, without synchronization: the seed is made once, before any use

package import CDecantIndex
internal import CJansson
public import DecantCore

extension DecodingOptions.Engine {
  /// libjansson: decodes through `json_t` trees. No positions after parsing, and a fraction of the
  /// native engine's speed; for a second opinion, and for hosts that have such trees.
  public static var jansson: DecodingOptions.Engine {
    unsafe DecodingOptions.Engine(table: JanssonEngine.table)
  }
}

@c @implementation
package func decant_jansson_engine() -> UnsafePointer<decant_engine>! {
  decant_jansson_found() ? unsafe JanssonEngine.table : nil
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
        advance: { unsafe JanssonEngine.advance($1, &$2!.pointee) },
        integer: { unsafe JanssonEngine.integer($1, &$2!.pointee) },
        real: { unsafe JanssonEngine.real($1, &$2!.pointee) },
        string: { unsafe JanssonEngine.string($1, &$2!.pointee) },
        number: nil))
    return unsafe UnsafePointer(table)
  }()
}

// MARK: - Nodes

/// A value of a tree, as long as the tree lives.
@safe
struct Tree {
  // SAFETY: not null, and borrowed from a root that lives.
  let pointer: UnsafeMutablePointer<json_t>

  @unsafe
  init(_ pointer: UnsafeMutablePointer<json_t>) { unsafe self.pointer = pointer }

  // SAFETY: nodes of this engine are made by `node(of:)` alone.
  init(_ node: UInt64) {
    unsafe pointer = UnsafeMutablePointer(
      bitPattern: UInt(truncatingIfNeeded: node & ~DECANT_NODE_FOREIGN))!
  }

  var type: json_type { unsafe decant_jansson_type(pointer) }

  /// The integer, if it is one.
  var integer: Int64? {
    type == JSON_INTEGER ? unsafe Int64(truncatingIfNeeded: json_integer_value(pointer)) : nil
  }

  static func node(of value: UnsafeMutablePointer<json_t>?) -> UInt64 {
    guard let value = unsafe value else { return DECANT_NODE_NONE }
    return UInt64(truncatingIfNeeded: UInt(bitPattern: value)) | DECANT_NODE_FOREIGN
  }
}

// MARK: - Reading

extension JanssonEngine {
  /// Parses the context's text; the root then belongs to the context.
  static func build(_ context: UnsafeMutablePointer<decant_context>) -> Int32 {
    let text = unsafe ContextRef(context).source
    let rules = unsafe context.pointee.rules
    if UInt64(truncatingIfNeeded: text.count) > rules.maximum_bytes {
      return unsafe context.fail(
        DECANT_INDEX_TOO_LARGE, at: Int(truncatingIfNeeded: rules.maximum_bytes))
    }
    if rules.relaxations != 0 {
      return unsafe context.fail(
        unsupported, at: text.count,
        "libjansson reads RFC 8259 alone: relaxations need the native engine")
    }
    if let (code, offset) = refusal(of: text, rules) {
      let isItsLimit = code == DECANT_INDEX_TOO_DEEP && rules.maximum_depth > 2048
      return unsafe context.fail(
        code, at: offset,
        isItsLimit ? "nested too deeply: the limit of libjansson is 2048 levels" : nil)
    }
    var flags = decant_jansson_any() | decant_jansson_allow_nul()
    if rules.duplicates != UInt8(truncatingIfNeeded: DECANT_DUPLICATES_LAST) {
      flags |= decant_jansson_reject_duplicates()
    }
    var error = json_error_t()
    guard
      let root = unsafe json_loadb(
        text.buffer.assumingMemoryBound(to: CChar.self).baseAddress, text.count, flags, &error)
    else {
      if unsafe isOfMemory(json_error_code(&error), text, rules) {
        return unsafe context.fail(DECANT_INDEX_OUT_OF_MEMORY, at: text.count)
      }
      // Its positions count from the end of the token it stopped at; ours would mean something else.
      let code = unsafe context.fail(code(of: json_error_code(&error)), at: text.count)
      unsafe context.pointee.engine_state = reason(
        for: &error, rules, ContextRef(context).start.line)
      return code
    }
    unsafe context.pointee.root = Tree.node(of: root)
    return Int32(truncatingIfNeeded: DECANT_INDEX_OK)
  }

  /// The refusal of a text that libjansson must not read: an empty input, a NUL byte, too much depth; and a byte order mark,
  /// for which it would report another error.
  private static func refusal(
    of text: Bytes, _ rules: decant_rules
  ) -> (code: Int, offset: Int)? {
    var first = 0
    while first < text.count, decant_is_white(text[first]) { first += 1 }
    guard first < text.count, let start = unsafe text.start else {
      return (DECANT_INDEX_EMPTY_INPUT, text.count)
    }
    if beginsWithMark(text) { return (DECANT_INDEX_BYTE_ORDER_MARK, 0) }
    // libjansson refuses more than 2048 levels itself; the check protects its stack.
    let limit = min(rules.maximum_depth, 2048)
    if text.count > limit && nativeCode(of: text, rules, depth: limit) == DECANT_INDEX_OK {
      return nil
    }
    let tooDeep = depth(of: text, beyond: limit)
    if let nul = unsafe memchr(start, 0, text.count) {
      let offset = unsafe UnsafeRawPointer(nul) - UnsafeRawPointer(start)
      if offset < tooDeep ?? .max { return (DECANT_INDEX_UNEXPECTED_BYTE, offset) }
    }
    return tooDeep.map { (DECANT_INDEX_TOO_DEEP, $0) }
  }

  /// The native engine's code for a text, in a fiftieth of libjansson's time.
  private static func nativeCode(of text: Bytes, _ rules: decant_rules, depth: UInt32) -> Int {
    var context = decant_context_zero()
    var rules = rules
    rules.maximum_depth = depth
    rules.duplicates = UInt8(truncatingIfNeeded: DECANT_DUPLICATES_FIRST)
    // SAFETY: the text outlives the context, which is discarded here.
    let code = unsafe decant_context_open(
      &context, nil, text.start, text.count, nil, &rules, nil)
    if code == Int32(truncatingIfNeeded: DECANT_INDEX_OK) {
      unsafe decant_index_discard(&context)
    }
    return Int(code)
  }

  /// Whether what stopped libjansson is that there is no memory, which it also calls an error of syntax or nothing.
  private static func isOfMemory(
    _ error: json_error_code, _ text: Bytes, _ rules: decant_rules
  ) -> Bool {
    switch error {
    case json_error_unknown, json_error_out_of_memory: return true
    case json_error_invalid_syntax, json_error_premature_end_of_input:
      let code = nativeCode(of: text, rules, depth: min(rules.maximum_depth, 2048))
      return code == DECANT_INDEX_OK || code == DECANT_INDEX_OUT_OF_MEMORY
    default: return false
    }
  }

  private static func beginsWithMark(_ text: Bytes) -> Bool {
    func begins(_ first: UInt8, _ second: UInt8, at place: Int = 0) -> Bool {
      text.count >= place + 2 && text[place] == first && text[place + 1] == second
    }
    return text.beginsWithMark || begins(0xFE, 0xFF) || begins(0xFF, 0xFE)
      || begins(0, 0) && begins(0xFE, 0xFF, at: 2)
  }

  /// The offset of the first bracket deeper than `limit`, strings aside; nil if no bracket is.
  private static func depth(of text: Bytes, beyond limit: UInt32) -> Int? {
    // A text has no more levels than bytes.
    if text.count <= limit { return nil }
    var depth = 0
    var place = 0
    let end = text.count
    while place < end {
      let byte = text[place]
      place &+= 1
      if byte == UInt8(ascii: "\"") {
        while place < end {
          let byte = text[place]
          place &+= 1
          if byte == UInt8(ascii: "\"") { break }
          if byte == UInt8(ascii: "\\") { place &+= 1 }
        }
      } else if byte | 0x20 == UInt8(ascii: "{") {  // or "[", which is "{" less 0x20
        depth &+= 1
        if depth > limit { return place &- 1 }
      } else if byte | 0x20 == UInt8(ascii: "}") {
        depth &-= 1
      }
    }
    return nil
  }

  /// libjansson's reason for refusing a document: its own text and line, and a hint if the document is valid under other
  /// rules or only for the native engine. A C string, which the caller frees; nil if memory is exhausted.
  private static func reason(
    for error: UnsafeMutablePointer<json_error_t>, _ rules: decant_rules, _ firstLine: Int
  ) -> UnsafeMutableRawPointer? {
    let size = 2 * MemoryLayout<json_error_t>.size
    return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
      var sink = unsafe ErrorSink(memory)
      sink.add("libjansson")
      let line = unsafe Int(truncatingIfNeeded: error.pointee.line)
      if line > 0 {
        sink.add(", line ")
        sink.add(line - 1 + firstLine)
      }
      // SAFETY: a C string inside the struct.
      let text = unsafe withUnsafeBytes(of: &error.pointee.text) { text in
        unsafe Bytes(
          text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.prefix { $0 != 0 }.count)
      }
      switch unsafe json_error_code(error) {
      case json_error_numeric_overflow where text.scalars().starts(with: "too big"):
        sink.add(", whose integers are those of Int64")
      case json_error_numeric_overflow:
        sink.add(", whose reals are those of Double")
      case json_error_duplicate_key
      where rules.duplicates == UInt8(truncatingIfNeeded: DECANT_DUPLICATES_FIRST):
        sink.add(", which can keep the last of two members with one key but not the first")
      default: break
      }
      sink.add(": ")
      text.scalars().write(to: &sink)
      return unsafe UnsafeMutableRawPointer(
        strdup(memory.baseAddress!.assumingMemoryBound(to: CChar.self)))
    }
  }

  private static func code(of error: json_error_code) -> Int {
    switch error {
    case json_error_stack_overflow: DECANT_INDEX_TOO_DEEP
    case json_error_premature_end_of_input: DECANT_INDEX_UNEXPECTED_END
    case json_error_end_of_input_expected: DECANT_INDEX_TRAILING_BYTES
    case json_error_invalid_utf8: DECANT_INDEX_INVALID_UTF8
    case json_error_duplicate_key: DECANT_INDEX_DUPLICATE_KEY
    case json_error_numeric_overflow: DECANT_INDEX_NUMBER_OVERFLOW
    default: DECANT_INDEX_UNEXPECTED_BYTE
    }
  }

  private static var unsupported: Int { Int(DecodeError.Code.unsupported.rawValue) }

  static func discard(_ context: UnsafeMutablePointer<decant_context>) {
    if unsafe context.pointee.root == 0 { return }
    unsafe json_decref(Tree(context.pointee.root).pointer)
    unsafe context.pointee.root = 0
  }
}

extension UnsafeMutablePointer<decant_context> {
  /// Leaves the place and the reason of a failure in the context.
  // SAFETY: the reader of the reason frees it (decant_engine.h).
  @unsafe
  fileprivate func fail(_ code: Int, at offset: Int, _ reason: StaticString? = nil) -> Int32 {
    unsafe pointee.error_offset = offset
    if let reason {
      let text = unsafe UnsafeRawPointer(reason.utf8Start).assumingMemoryBound(to: CChar.self)
      unsafe pointee.engine_state = UnsafeMutableRawPointer(strdup(text))
    }
    return Int32(truncatingIfNeeded: code)
  }
}

// MARK: - Values

extension JanssonEngine {
  static func kind(of node: UInt64) -> Int32 {
    let kind =
      switch Tree(node).type {
      case JSON_OBJECT: DECANT_KIND_OBJECT
      case JSON_ARRAY: DECANT_KIND_ARRAY
      case JSON_STRING: DECANT_KIND_STRING
      case JSON_INTEGER, JSON_REAL: DECANT_KIND_NUMBER
      case JSON_TRUE: DECANT_KIND_TRUE
      case JSON_FALSE: DECANT_KIND_FALSE
      default: DECANT_KIND_NULL
      }
    return Int32(truncatingIfNeeded: kind)
  }

  static func lookup(_ object: UInt64, _ key: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    unsafe Tree.node(
      of: json_object_getn(
        Tree(object).pointer, UnsafeRawPointer(key).assumingMemoryBound(to: CChar.self), length))
  }

  static func element(_ array: UInt64, _ index: Int) -> UInt64 {
    unsafe Tree.node(of: json_array_get(Tree(array).pointer, index))
  }

  static func count(_ container: UInt64) -> Int {
    let value = Tree(container)
    return unsafe value.type == JSON_OBJECT
      ? json_object_size(value.pointer) : json_array_size(value.pointer)
  }

  /// In an object, the position is the iterator of the member reached; in an array, the next index.
  static func advance(_ container: UInt64, _ cursor: inout decant_cursor) -> Bool {
    let value = Tree(container)
    if value.type == JSON_ARRAY {
      cursor.value = element(container, Int(truncatingIfNeeded: cursor.position))
      if cursor.value == DECANT_NODE_NONE { return false }
      cursor.position += 1
      return true
    }
    // SAFETY: an iterator of the object, which does not change.
    let last = unsafe UnsafeMutableRawPointer(
      bitPattern: UInt(truncatingIfNeeded: cursor.position))
    let next =
      unsafe last.map { unsafe json_object_iter_next(value.pointer, $0) }
      ?? json_object_iter(value.pointer)
    guard let next = unsafe next, let key = unsafe json_object_iter_key(next) else {
      return false
    }
    cursor.position = UInt64(truncatingIfNeeded: UInt(bitPattern: next))
    cursor.value = unsafe Tree.node(of: json_object_iter_value(next))
    unsafe cursor.key = UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self)
    cursor.key_length = unsafe json_object_iter_key_len(next)
    return true
  }

  static func integer(_ node: UInt64, _ result: inout Int64) -> Bool {
    guard let integer = Tree(node).integer else { return false }
    result = integer
    return true
  }

  static func real(_ node: UInt64, _ result: inout Double) -> Bool {
    let value = Tree(node)
    if let integer = value.integer {
      result = Double(integer)
      return true
    }
    guard value.type == JSON_REAL else { return false }
    result = unsafe json_real_value(value.pointer)
    return true
  }

  static func string(_ node: UInt64, _ length: inout Int) -> UnsafePointer<UInt8>? {
    let value = Tree(node)
    guard let text = unsafe json_string_value(value.pointer) else { return nil }
    length = unsafe json_string_length(value.pointer)
    return unsafe UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
  }
}
