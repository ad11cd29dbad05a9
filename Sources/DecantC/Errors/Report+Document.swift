// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors that are not about a field: of the document, of the table, of the call.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension Report {
  /// Adds the error for which an engine refused a document.
  mutating func add(reading context: ContextRef, _ code: Status) {
    // SAFETY: on failure another engine leaves a C string there (decant_engine.h), until the reader frees it.
    let words = unsafe context.isNative ? nil : context.pointer.pointee.engine_state
    let reason = unsafe words.map { unsafe Memory($0).cString }
    var facts = DocumentFacts(
      context, DecodeError.Code(status: code), reason: reason?.scalars())
    if let seam { facts.seam = seam }
    let mark = facts.offset.map { $0..<$0 + facts.markedLength }
    if code == Status(DECANT_DUPLICATE_KEY), let mark {
      facts.otherLocation = location(of: context.otherErrorOffset)
      let isTold = unsafe withDuplicateKey(
        at: mark.lowerBound, in: context.source, context.rules, context.pointer.pointee.allocator
      ) { root, node in
        facts.duplicate = JSON(node, within: root).scalars
        add(facts, at: mark) {
          context.writeAbove(to: &$0)
          root.writePath(downTo: node + 1, to: &$0)
        }
      }
      if isTold { return }
    }
    add(writesNext ? facts.prepared() : facts, at: mark)
  }

  mutating func add(_ code: Status, _ message: StaticString, at place: StreamPlace? = nil) {
    let facts = CallFacts(code: DecodeError.Code(status: code), message: message)
    add(facts, at: nil, place?.location())
  }

  mutating func add(_ facts: some MessageFacts, at path: StepPath = StepPath()) {
    add(facts, at: nil) { path.write(to: &$0) }
  }
}

/// Facts that are a message alone, about no document.
protocol MessageFacts: ErrorFacts {}

extension MessageFacts {
  var redacts: Bool { false }
  func has(_ part: ErrorPart) -> Bool { part == .message }
}

/// A call whose arguments or options cannot be followed.
private struct CallFacts: MessageFacts {
  let code: DecodeError.Code
  let message: StaticString

  func has(_ part: ErrorPart) -> Bool {
    part == .message || part == .accepted && code.acceptedOfCall != nil
  }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    sink.add(part == .accepted ? code.acceptedOfCall ?? "" : message)
  }
}

/// What is wrong with a table: `invalid record: field 2 ("name") in "users": offset is outside the struct`.
extension RecordFault: MessageFacts {
  var code: DecodeError.Code { .invalidRecord }

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
      sink.add(holder == nil ? ": " : " in ")
    }
    if let holder {
      sink.add(quoted: holder.key.scalars())
      sink.add(": ")
    }
    sink.add(message)
    if let record, let other {
      sink.add(" as that of field ")
      sink.add(record.index(of: other))
    }
  }
}
