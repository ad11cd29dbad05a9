// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Syntax errors and other refusals of a document, written while the input is still in scope.

package import CDecantIndex

/// The error of a document that was refused.
package struct DocumentFacts: ErrorFacts {
  // Offsets of errors never exceed the text's length.
  let context: ContextRef
  package let code: DecodeError.Code
  /// The first offending byte, if the engine knows it.
  package let offset: Int?
  let reason: ScalarReader?
  package var otherLocation: DecodeError.Location?
  /// The place where the document continues elsewhere in its stream.
  package var seam = TextSeam()
  /// The duplicate key.
  package var duplicate: ScalarReader?
  private var syntax: SyntaxMessage?

  /// - Parameter reason: what another engine said, if it said anything.
  package init(
    _ context: ContextRef, _ code: DecodeError.Code, reason: ScalarReader?
  ) {
    self.context = context
    self.code = code
    self.reason = reason
    let offset = context.errorOffset
    let isPlaced = context.isNative || offset < context.length
    self.offset = isPlaced && code != .outOfMemory ? offset : nil
  }

  package var redacts: Bool { context.redacts }

  var text: Bytes { context.source }

  /// The bytes that the source line marks.
  package var markedLength: Int { offset.map { Self.markedLength(code, at: $0, in: text) } ?? 1 }

  /// How many bytes the source line marks at a place: of a duplicate key all.
  static func markedLength(_ code: DecodeError.Code, at offset: Int, in text: Bytes) -> Int {
    guard code == .duplicateKey else { return 1 }
    let end = SyntaxExpectation.end(ofTokenAt: offset, in: text, before: text.count)
    return min(end, text.count) - offset
  }

  package func has(_ part: ErrorPart) -> Bool {
    switch part {
    case .message:
      reason != nil || code == .tooDeep || code == .tooLarge
        || code.category == .syntax && offset != nil
    case .found, .bareFound: !redacts && (offset ?? text.count) < text.count
    case .key: !redacts && duplicate != nil
    case .accepted: accepted != nil || code.category == .syntax || code.category == .limit
    case .expected, .remark, .nearKey: false
    }
  }

  package func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    switch part {
    case .message: writeOwnMessage(to: &sink)
    case .found, .bareFound: if let offset { sink.add(foundAt: offset, in: text) }
    case .key: if let duplicate { sink.add(quoted: duplicate) }
    case .accepted: writeAccepted(to: &sink)
    case .expected, .remark, .nearKey: break
    }
  }

  /// The expectation, if the code alone determines it.
  private var accepted: StaticString? {
    switch code {
    case .duplicateKey: "each key once"
    case .emptyInput: "a value"
    default: nil
    }
  }

  private func writeAccepted(to sink: inout ErrorSink) {
    if let accepted {
      sink.add(accepted)
    } else if code == .tooDeep {
      sink.add("at most ")
      sink.add(Int(context.rules.maximum_depth))
      sink.add(" levels")
    } else if code == .tooLarge {
      sink.add(accepted: limit.bytes, isOfMemory: limit.isOfMemory)
    } else if let offset {
      syntaxMessage(at: offset).writeAccepted(to: &sink)
    } else {
      sink.add("JSON")
    }
  }

  func writeOwnMessage(to sink: inout ErrorSink) {
    if let reason {
      sink.add(reason: reason, redacts: redacts)
    } else if code == .tooDeep {
      sink.add("nested too deeply: the limit is ")
      sink.add(Int(context.rules.maximum_depth))
      sink.add(" levels")
    } else if code == .tooLarge {
      sink.add(limit: limit.bytes, isOfMemory: limit.isOfMemory)
    } else if let offset {
      syntaxMessage(at: offset).write(to: &sink)
    }
  }

  /// The limit that a document exceeds.
  private var limit: (bytes: Int, isOfMemory: Bool) {
    context.isTooLong
      ? (Int(clamping: context.rules.maximum_bytes), false)
      : (context.memoryLimit(by: context.rules), true)
  }

  private func syntaxMessage(at offset: Int) -> SyntaxMessage {
    syntax
      ?? SyntaxMessage(
        code: code, offset: offset, text: text, start: context.start, rules: context.rules,
        isElement: context.isElement, seam: seam)
  }

  /// The same facts, for a caller that writes both the message and the expectation.
  package func prepared() -> DocumentFacts {
    guard code.category == .syntax, let offset else { return self }
    var prepared = self
    prepared.syntax = syntaxMessage(at: offset).prepared()
    return prepared
  }
}

extension DecodeError.Code {
  /// The expectation of a refused call, or of an invalid record of a stream (RFC 7464).
  package var acceptedOfCall: StaticString? {
    switch self {
    case .unexpectedByte: "a record separator (1E)"
    case .unexpectedEnd: "white space after a number or a literal"
    case .tooDeep: "fewer levels"
    case .tooLarge: "fewer bytes"
    default: nil
    }
  }
}

extension ContextRef {
  /// Whether the text is longer than the rules or an index allow.
  fileprivate var isTooLong: Bool {
    UInt64(length) > min(rules.maximum_bytes, UInt64(UInt32.max) - 1)
  }
}

extension ErrorSink {
  /// Which limit a document exceeds: that of its memory, or of its bytes.
  package mutating func add(limit: Int, isOfMemory: Bool) {
    add(isOfMemory ? "decoding takes too much memory" : "the input is too large")
    add(": the limit is ")
    add(limit)
    add(" bytes")
  }

  /// Writes the same limit as an expectation.
  package mutating func add(accepted limit: Int, isOfMemory: Bool) {
    add("at most ")
    add(limit)
    add(isOfMemory ? " bytes of memory" : " bytes")
  }

  /// Adds another engine's reason; if redacted, up to its quotation of the document.
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
// SAFETY: `memory`, which may be nil, lives as long as the call.
package func withDuplicateKey(
  at offset: Int, in text: Bytes, _ rules: decant_rules,
  _ memory: UnsafePointer<decant_allocator>? = nil, _ body: (JSON, UInt64) -> Void
) -> Bool {
  var rules = rules
  rules.duplicates = UInt8(DECANT_DUPLICATES_FIRST)
  return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { slots in
    unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { room in
      let context = room.baseAddress!
      unsafe prepare(context, .native, rules, text.buffer, slots: slots.baseAddress!, capacity: 128)
      unsafe context.pointee.allocator = memory
      guard unsafe decant_index_build(context) == 0 else { return false }
      defer { unsafe decant_index_discard(context) }
      let root = unsafe ContextRef(context).root
      // The key's slot is the one with its offset: slots are in the order of their offsets.
      var node: UInt64 = 0
      let end = root.reference.slotCount
      while node < end {
        let json = JSON(node, within: root)
        if json.offset == offset {
          body(root, node)
          return true
        }
        node = json.following
      }
      return false
    }
  }
}

extension ErrorSink {
  /// A key as a token of a pointer (RFC 6901 §3).
  package mutating func add(token key: ScalarReader) {
    var key = key
    while !key.isAtEnd, !isDone {
      let run = key.nextRun(isToken: true)
      if run.count > 0 {
        add(plain: run)
        continue
      }
      guard let scalar = key.next() else { return }
      switch scalar {
      case "~": add("~0")
      case "/": add("~1")
      default: add(scalar)
      }
    }
  }
}
