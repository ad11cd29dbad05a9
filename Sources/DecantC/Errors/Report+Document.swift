// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors that are not about a field: of the document, of the table, of the call.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension Report {
  /// What an engine refused a document for.
  // SAFETY: the context has its text, and offsets never exceed its length.
  mutating func add(reading context: UnsafePointer<decant_context>, _ code: Status) {
    // SAFETY: on failure another engine leaves a C string of its own allocation there (decant_engine.h).
    let words = unsafe context.pointee.engine == nil ? nil : context.pointee.engine_state
    let reason = unsafe words.map { unsafe CText($0.assumingMemoryBound(to: CChar.self)) }
    var facts = unsafe DocumentFacts(
      context, DecodeError.Code(rawValue: code), reason: reason?.scalars)
    let mark = facts.offset.map { Mark(offset: $0, length: facts.markedLength) }
    if code == Status(DECANT_DUPLICATE_KEY), let mark {
      unsafe facts.otherLocation = location(of: context.pointee.error_other)
      let text = unsafe UnsafeRawBufferPointer(
        start: context.pointee.text, count: context.pointee.length)
      let isTold = unsafe withDuplicateKey(
        at: mark.offset, in: text, context.pointee.rules, context.pointee.allocator
      ) { root, node in
        facts.duplicate = unsafe JSON(node, within: root).scalars
        add(facts, at: mark, path: NodePath(node + 1, below: root), hasPath: true)
      }
      if !isTold { unsafe add(facts, at: mark, path: StepPath(nil), hasPath: false) }
    } else {
      unsafe add(facts, at: mark, path: StepPath(nil), hasPath: false)
    }
    if let words = unsafe words { unsafe decant_reason_free(words) }
  }

  mutating func add(_ code: Status, _ message: StaticString) {
    unsafe add(
      CallFacts(code: DecodeError.Code(rawValue: code), message: message), at: nil,
      path: StepPath(nil), hasPath: false)
  }

  mutating func add(_ fault: RecordFault) {
    add(fault, at: nil, path: unsafe StepPath(nil), hasPath: false)
  }
}

/// A call that cannot be answered.
private struct CallFacts: ErrorFacts {
  let code: DecodeError.Code
  let message: StaticString

  var redacts: Bool { false }
  var isAboutKey: Bool { false }
  var otherLocation: DecodeError.Location? { nil }
  func has(_ part: ErrorPart) -> Bool { part == .message }
  func write(_ part: ErrorPart, to sink: inout ErrorSink) { sink.add(message) }
}

/// What is wrong with a table: `invalid record: field 2 ("name"): offset is outside the struct`.
extension RecordFault: ErrorFacts {
  var code: DecodeError.Code { .invalidRecord }
  var redacts: Bool { false }
  var isAboutKey: Bool { false }
  var otherLocation: DecodeError.Location? { nil }
  func has(_ part: ErrorPart) -> Bool { part == .message }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    sink.add("invalid record: ")
    if let record, let field {
      sink.add("field ")
      sink.add(record.index(of: field))
      if field.hasKey {
        sink.add(" (")
        sink.add(quoted: field.key.scalars())
        sink.add(")")
      }
      sink.add(": ")
    }
    sink.add(message)
  }
}
