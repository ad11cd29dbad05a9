// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What is wrong with a struct that is written as JSON, and where. There is no document, so errors have a path and
// no place:
//
//   /users/3/name: the string is not UTF-8

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Where a value of a struct is, as steps in the frames of the walk.
@safe
struct StructPath {
  enum Step {
    case root
    case field(FieldRef)
    case index(Int)
    /// A map's member, by its key.
    case member(Bytes)
  }

  // SAFETY: the frames of the walk above outlive the path.
  let parent: UnsafePointer<StructPath>?
  var step: Step

  @unsafe
  @inline(__always)
  init(_ parent: UnsafePointer<StructPath>?, _ step: Step) {
    unsafe self.parent = parent
    self.step = step
  }

  /// Calls `body` with the path as errors write it.
  func withSteps(_ body: (StepPath) -> Void) {
    guard let parent = unsafe parent else { return withStep(StepPath(), body) }
    unsafe parent.pointee.withSteps { withStep($0, body) }
  }

  private func withStep(_ above: StepPath, _ body: (StepPath) -> Void) {
    let last =
      switch step {
      case .root: PathStep(above, Bytes(), .pointer)
      case .field(let field):
        PathStep(above, field.key, field.isPointer ? .pointer : .key)
      case .index(let index): PathStep(above, index: index)
      case .member(let key): PathStep(above, key, .member)
      }
    unsafe withUnsafePointer(to: last) { unsafe body(StepPath($0)) }
  }
}

/// What JSON cannot express, or decoding by the same table would refuse.
struct StructError: ErrorFacts {
  enum Problem {
    case notText, notFinite, notBoolean(UInt8)
    /// An enum or flags have a value that no name has.
    case noName(Int64)
    /// There is no value where the table asks for one.
    case missing
    case noTarget(count: Int)
    case state(UInt8)
    /// Outside the field's bounds.
    case integer(Int64), natural(UInt64), real(Double)
    case length(Int), noTerminator, count(Int)
    case notJSON, notKind(Int32)
    case keyIsNotText, mapWithoutKey
    /// Another field has the same key or the same pointer, or a value inside this one.
    case sharedValue
    case tooDeep(StaticString), tooLarge, tooSmall(Int)
  }

  let problem: Problem
  let kind: FieldKind
  let field: FieldRef?

  var code: DecodeError.Code {
    switch problem {
    case .notText: .invalidUTF8
    case .missing: .missingKey
    case .sharedValue: .duplicateKey
    case .keyIsNotText, .mapWithoutKey: .invalidRecord
    case .tooDeep: .tooDeep
    case .tooLarge: .tooLarge
    case .tooSmall: .outOfMemory
    default: .invalidValue
    }
  }

  var redacts: Bool { false }
  var isAboutKey: Bool { false }
  var otherLocation: DecodeError.Location? { nil }
  func has(_ part: ErrorPart) -> Bool { part == .message }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    switch problem {
    case .notText: sink.add("the string is not UTF-8")
    case .notFinite: sink.add("JSON has no infinity and no NaN")
    case .notBoolean(let byte):
      sink.add("the bool has the value ")
      sink.add(Int(byte))
    case .noName(let value):
      sink.add("no name has the value ")
      add(value, to: &sink)
      sink.add("; the names are ")
      RecordError.Remark.writeNames(of: field, to: &sink)
    case .missing:
      sink.add("expected ")
      sink.add(kind.expectation)
      sink.add(kind.needsBlock ? ", found NULL" : ", found none")
    case .noTarget(let count):
      sink.add("the pointer is NULL, and the length is ")
      sink.add(count)
    case .state(let state):
      sink.add("the state is ")
      sink.add(Int(state))
      sink.add("; states are 0 to 2")
    case .integer(let value):
      unsafe writeNumber(to: &sink) { unsafe decant_write_int64($0, value) }
    case .natural(let value):
      unsafe writeNumber(to: &sink) { unsafe decant_write_uint64($0, value) }
    case .real(let value):
      unsafe writeNumber(to: &sink) { unsafe decant_write_double($0, value) }
    case .length(let length):
      sink.add("the string ")
      RecordError.Remark.lengths(kind: kind, isEmpty: length == 0).write(about: field, to: &sink)
    case .noTerminator:
      sink.add("there is no NUL byte in ")
      sink.add(field?.capacity ?? 0)
      sink.add(" bytes")
    case .count(let count):
      RecordError.Remark.count(count, kind: kind).write(about: field, to: &sink)
    case .notJSON: sink.add("the raw text is not one JSON value")
    case .notKind(let kind):
      sink.add("no kind has the value ")
      sink.add(Int(kind))
    case .keyIsNotText: sink.add("the record's key is not UTF-8")
    case .mapWithoutKey: sink.add("the record of the map's members has no DECANT_KEY")
    case .sharedValue: sink.add("another field has the same value, or a part of it")
    case .tooDeep(let words): sink.add(words)
    case .tooLarge: sink.add("the text is larger than 4 GiB")
    case .tooSmall(let count):
      sink.add("the buffer is too small: the text has ")
      sink.add(count)
      sink.add(" bytes")
    }
  }

  /// A number that the field's bounds exclude.
  private func writeNumber(
    to sink: inout ErrorSink, _ write: (UnsafeMutablePointer<UInt8>) -> Int
  ) {
    sink.add("the number ")
    unsafe add(to: &sink, write)
    sink.add(" ")
    RecordError.Remark.range(kind: kind).write(about: field, to: &sink)
  }

  private func add(_ value: Int64, to sink: inout ErrorSink) {
    unsafe add(to: &sink) { unsafe decant_write_int64($0, value) }
  }

  private func add(
    to sink: inout ErrorSink, _ write: (UnsafeMutablePointer<UInt8>) -> Int
  ) {
    // SAFETY: the writers need DECANT_NUMBER_CAPACITY bytes.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(DECANT_NUMBER_CAPACITY)) {
      scratch in
      let length = unsafe write(scratch.baseAddress!)
      unsafe Bytes(scratch.baseAddress!, length).scalars().write(to: &sink)
    }
  }
}
