// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Syntax errors and other refusals of a document, written while the input is still in scope.

public import CDecantIndex

/// What is wrong with a document that was refused.
@safe @usableFromInline
package struct DocumentFacts: ErrorFacts {
  // SAFETY: a context whose text outlives the facts; offsets never exceed its length.
  @usableFromInline let context: UnsafePointer<decant_context>
  @usableFromInline package let code: DecodeError.Code
  /// The first offending byte, if the engine knows it.
  @usableFromInline package let offset: Int?
  @usableFromInline let reason: ScalarReader?
  @usableFromInline package var otherLocation: DecodeError.Location?
  /// The duplicate key.
  @usableFromInline package var duplicate: ScalarReader?

  /// - Parameter reason: what another engine said, if it said anything.
  @unsafe
  package init(
    _ context: UnsafePointer<decant_context>, _ code: DecodeError.Code, reason: ScalarReader?
  ) {
    unsafe self.context = unsafe context
    self.code = code
    self.reason = reason
    let offset = unsafe context.pointee.error_offset
    let isNative = unsafe context.pointee.engine == nil
    let isPlaced = unsafe isNative || offset < context.pointee.length
    self.offset = isPlaced && code != .outOfMemory ? offset : nil
  }

  @usableFromInline
  package var redacts: Bool { unsafe context.pointee.rules.redacts != 0 }
  @usableFromInline
  package var isAboutKey: Bool { false }

  @usableFromInline
  var text: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: context.pointee.text, count: context.pointee.length)
  }

  /// The bytes that the source line marks.
  package var markedLength: Int {
    guard code == .duplicateKey, let offset else { return 1 }
    return unsafe lengthOfToken(at: offset, in: text)
  }

  @usableFromInline
  package func has(_ part: ErrorPart) -> Bool {
    switch part {
    case .message:
      reason != nil || code == .tooDeep || code == .tooLarge
        || code.category == .syntax && offset != nil
    case .found, .bareFound: unsafe !redacts && (offset ?? text.count) < text.count
    case .key: !redacts && duplicate != nil
    case .expected, .remark, .nearKey: false
    }
  }

  @usableFromInline
  package func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    switch part {
    case .message: writeOwnMessage(to: &sink)
    case .found, .bareFound: if let offset { sink.add(byte: unsafe text[offset]) }
    case .key: if let duplicate { sink.add(quoted: duplicate) }
    case .expected, .remark, .nearKey: break
    }
  }

  @usableFromInline
  func writeOwnMessage(to sink: inout ErrorSink) {
    if let reason {
      sink.add(reason: reason, redacts: redacts)
    } else if code == .tooDeep {
      sink.add("nested too deeply: the limit is ")
      sink.add(Int(unsafe context.pointee.rules.maximum_depth))
      sink.add(" levels")
    } else if code == .tooLarge {
      sink.add("the input is too large: the limit is ")
      sink.add(Int(clamping: unsafe context.pointee.rules.maximum_bytes))
      sink.add(" bytes")
    } else if let offset {
      unsafe writeSyntaxMessage(
        code.rawValue, at: offset, in: text,
        DecodingOptions.Relaxations(rawValue: context.pointee.rules.relaxations), redacts: redacts,
        to: &sink)
    }
  }
}

extension ErrorSink {
  /// What another engine said; redacted, up to where it quotes the document.
  @usableFromInline
  package mutating func add(reason: ScalarReader, redacts: Bool) {
    var reason = reason
    while !redacts || !reason.starts(with: " near "), let scalar = reason.next() {
      add(harmless: scalar)
    }
  }
}

// MARK: - Duplicate keys

/// Calls `body` with the root and the node of a duplicate key. The document is indexed again under a rule that keeps
/// the first duplicate: it is valid otherwise. False if there is no memory for the index.
// SAFETY: the text is there for the call; `memory`, which lives as long, may be nil.
@unsafe
package func withDuplicateKey(
  at offset: Int, in text: UnsafeRawBufferPointer, _ rules: decant_rules,
  _ memory: UnsafePointer<decant_allocator>? = nil, _ body: (JSON, UInt64) -> Void
) -> Bool {
  var rules = rules
  rules.duplicates = UInt8(DECANT_DUPLICATES_FIRST)
  return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { slots in
    unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { room in
      let context = room.baseAddress!
      unsafe prepare(context, .native, rules, text, slots: slots.baseAddress!, capacity: 128)
      unsafe context.pointee.allocator = unsafe memory
      guard unsafe decant_index_build(context) == 0 else { return false }
      defer { unsafe decant_index_discard(context) }
      let root = unsafe JSON(context: context, node: context.pointee.root)
      // The key's slot is the one with its offset: slots are in the order of their offsets.
      var node: UInt64 = 0
      let end = UInt64(unsafe context.pointee.slot_count)
      while node < end {
        let json = JSON(node, within: root)
        if json.offset == offset {
          body(root, node)
          return true
        }
        node += json.isContainer ? 2 : 1
      }
      return false
    }
  }
}

/// The path from one native value down to another, as a JSON Pointer.
@safe @usableFromInline
package struct NodePath: ErrorPhrase {
  // SAFETY: of a view that outlives the path.
  @usableFromInline let context: UnsafePointer<decant_context>
  @usableFromInline let root: UInt64
  @usableFromInline let target: UInt64

  package init(_ target: UInt64, below root: JSON) {
    unsafe context = unsafe root.context
    self.root = root.node
    self.target = target
  }

  @usableFromInline
  package func write(to sink: inout ErrorSink) {
    let document = unsafe JSON(context: context, node: root)
    var node = root
    while node != target {
      let parent = JSON(node, within: document)
      guard let child = unsafe parent.child(around: target) else { return }
      sink.add("/")
      if parent.isNativeObject {
        sink.add(token: unsafe JSON(child.node - 1, within: document).scalars)
      } else {
        sink.add(child.position)
      }
      node = child.node
    }
  }
}

extension ErrorSink {
  /// A key as a token of a pointer (RFC 6901 §3).
  @usableFromInline
  package mutating func add(token key: ScalarReader) {
    var key = key
    while let scalar = key.next() {
      switch scalar {
      case "~": add("~0")
      case "/": add("~1")
      default: add(scalar)
      }
    }
  }
}

/// How many bytes the string or number at a place has.
@unsafe
func lengthOfToken(at offset: Int, in text: UnsafeRawBufferPointer) -> Int {
  var place = offset + 1
  if unsafe text[offset] == UInt8(ascii: "\"") {
    while unsafe place < text.count && text[place] != UInt8(ascii: "\"") {
      place += unsafe text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, text.count) - offset
  }
  while unsafe place < text.count && isNumberByte(text[place]) { place += 1 }
  return place - offset
}
