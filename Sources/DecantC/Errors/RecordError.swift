// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What is wrong with a field, with what a table knows of it.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct RecordError: ErrorFacts {
  enum Remark {
    case names
    case range(kind: FieldKind)
    case lengths(kind: FieldKind, isEmpty: Bool)
    /// An array or a map has so many.
    case count(Int, kind: FieldKind)
    case notNumber
    /// A string that nothing counts has a NUL byte.
    case nul
    /// The document takes more bytes of memory than this.
    case memory(Int)
    case words(StaticString)
  }

  private let context: ContextRef
  private let node: UInt64
  private let field: FieldRef?
  let code: DecodeError.Code
  private let expected: StaticString?
  private let remark: Remark?
  private var near: ScalarReader?
  /// `node` is where something is missing.
  private var isAbsence = false
  /// The key that no field names.
  private var key: Text?
  private var nearName: MemberName?

  init(
    _ code: Status, _ json: JSON, field: FieldRef? = nil, expected: StaticString? = nil,
    _ remark: Remark? = nil
  ) {
    context = json.reference
    node = json.node
    self.field = field
    self.code = DecodeError.Code(status: code)
    self.expected = expected
    self.remark = remark
  }

  /// `json` has no member of a name, which is a key's or a token of a pointer. Whoever only counts the error needs no
  /// nearest key.
  init(
    _ code: Status, missing name: (inout ErrorSink) -> Void, in json: JSON, isWritten: Bool
  ) {
    self.init(code, json)
    near = isWritten && !context.redacts ? json.nearestKey(to: name) : nil
    isAbsence = true
  }

  /// `json` is a member that no field names.
  init(unknown key: Text, _ json: JSON, among names: KnownNames, isWritten: Bool) {
    self.init(Status(DECANT_UNKNOWN_KEY), json)
    self.key = key
    if isWritten { nearName = names.nearest(to: key) }
  }

  var redacts: Bool { context.redacts }
  var isAboutKey: Bool { key != nil }

  func has(_ part: ErrorPart) -> Bool {
    switch part {
    case .message:
      switch remark {
      case .count, .memory, .words: true
      default: false
      }
    case .expected: expected != nil
    case .found, .bareFound: !isAbsence
    case .remark: remark != nil
    case .nearKey: near != nil || nearName != nil
    case .key: key != nil
    }
  }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    switch part {
    case .message, .remark: remark?.write(about: field, to: &sink)
    case .expected: if let expected { sink.add(expected) }
    case .found, .bareFound:
      context.view(node).writeFound(to: &sink, redacts: redacts, isBare: part == .bareFound)
    case .nearKey:
      if let near { sink.add(quoted: near) }
      if let nearName { sink.add(quoted: nearName) }
    case .key: if let key { sink.add(quoted: key.bytes.scalars(isEscaped: key.isEscaped)) }
    }
  }
}

extension RecordError.Remark {
  /// What a field does not accept about its value.
  func write(about field: FieldRef?, to sink: inout ErrorSink) {
    switch self {
    case .names:
      Self.writeNames(of: field, after: "is not one of ", to: &sink)
    case .range(let kind):
      sink.add("is not an accepted value")
      writeRange(kind, field, to: &sink)
    case .lengths(let kind, let isEmpty):
      sink.add(isEmpty ? "is too short" : "is of a length that is not accepted")
      writeLengths(kind, "byte", field, to: &sink)
    case .count(let count, let kind):
      let isMap = kind == .map
      sink.add(isMap ? "an object of " : "an array of ")
      sink.add(count)
      sink.add(isMap ? " member" : " element")
      sink.add(count == 1 ? " is not accepted" : "s is not accepted")
      writeLengths(kind, isMap ? "member" : "element", field, to: &sink)
    case .notNumber: sink.add("is not a number")
    case .nul: sink.add("has a NUL byte, where a C string ends")
    case .memory(let limit): sink.add(limit: limit, isOfMemory: true)
    case .words(let words): sink.add(words)
    }
  }

  /// The first names of an enum or of flags, and words before them; nothing if there are none.
  static func writeNames(
    of field: FieldRef?, after words: StaticString, to sink: inout ErrorSink
  ) {
    guard let names = field?.names else { return }
    for (count, entry) in names.enumerated() {
      sink.add(count == 0 ? words : ", ")
      if count == 20 { return sink.add("…") }
      sink.add(quoted: entry.name.scalars())
    }
  }

  private func writeLengths(
    _ kind: FieldKind, _ unit: StaticString, _ field: FieldRef?, to sink: inout ErrorSink
  ) {
    guard let field else { return }
    var least = field.lengths?.shortest ?? 0
    var most = field.lengths?.longest
    if kind == .characters { most = min(most ?? .max, field.capacity - 1) }
    if kind == .fixedArray {
      most = min(most ?? .max, field.capacity)
      if field.lengthOffset == nil { least = field.capacity }
    }
    let last = most ?? .max
    let hasMost = last != .max
    sink.add(ends: true, hasMost, areSame: least == last, { $0.add(least) }, { $0.add(last) })
    sink.add(" ")
    sink.add(unit)
    if (hasMost ? last : least) != 1 { sink.add("s") }
  }

  private func writeRange(
    _ kind: FieldKind, _ field: FieldRef?, to sink: inout ErrorSink
  ) {
    if kind.isReal {
      guard let (least, most) = field?.realBounds else { return }
      sink.add(
        ends: least != nil, most != nil, areSame: least == most, { $0.add(least ?? 0) },
        { $0.add(most ?? 0) })
    } else if let (least, most) = field?.integerBounds {
      sink.add(
        ends: least != nil, most != nil, areSame: least == most, { $0.add(least ?? 0) },
        { $0.add(most ?? 0) })
    }
  }
}

extension ErrorSink {
  /// What is accepted, from one number to another; an end that excludes nothing is left out.
  fileprivate mutating func add(
    ends hasLeast: Bool, _ hasMost: Bool, areSame: Bool,
    _ addLeast: (inout ErrorSink) -> Void, _ addMost: (inout ErrorSink) -> Void
  ) {
    if !hasLeast, !hasMost { return }
    if areSame {
      add(": exactly ")
      return addLeast(&self)
    }
    add(!hasMost ? ": at least " : hasLeast ? ": " : ": at most ")
    if hasLeast { addLeast(&self) }
    if hasLeast, hasMost { add(" to ") }
    if hasMost { addMost(&self) }
  }
}
