// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error of a field, with the facts that its table knows.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct RecordError: ErrorFacts {
  enum Remark {
    case names
    /// The values that the field's bounds accept; if whole, all values of its type.
    case range(kind: FieldKind, isWhole: Bool)
    case lengths(kind: FieldKind)
    /// An array or a map has so many.
    case count(Int, kind: FieldKind)
    case notNumber
    /// A string that nothing counts has a NUL byte.
    case nul
    /// The document takes more bytes of memory than this.
    case memory(Int)
    case words(StaticString)
    /// The program's own words.
    case text(Bytes)
  }

  private let context: ContextRef
  private let node: UInt64
  private let field: FieldRef?
  let code: DecodeError.Code
  private let expected: StaticString?
  private let accepted: StaticString?
  private let remark: Remark?
  private var near: ScalarReader?
  /// `node` is where something is missing.
  private var isAbsence = false
  /// The key that no field names.
  private var key: Text?
  private var nearName: MemberName?

  init(
    _ code: Status, _ json: JSON, field: FieldRef? = nil, expected: StaticString? = nil,
    _ remark: Remark? = nil, accepted: StaticString? = nil
  ) {
    context = json.reference
    node = json.node
    self.field = field
    self.code = DecodeError.Code(status: code)
    self.expected = expected
    self.accepted = accepted
    self.remark = remark
  }

  /// `json` has no member of a name, which is a key or a token of a pointer. An error that is only counted needs no nearest
  /// key.
  init(
    _ code: Status, missing name: (inout ErrorSink) -> Void, of field: FieldRef, in json: JSON,
    isWritten: Bool
  ) {
    self.init(code, json, accepted: field.knownKind.map { field.expectation($0) })
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
      case .range, .lengths, .count, .memory, .words, .text: true
      default: false
      }
    case .expected: expected != nil
    case .accepted:
      accepted != nil || key != nil || code == .tooDeep || remark?.hasAccepted(field) == true
    case .found, .bareFound: !isAbsence
    case .remark: remark != nil
    case .nearKey: near != nil || nearName != nil
    case .key: key != nil
    }
  }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    switch part {
    case .message:
      switch remark {
      case .range, .lengths:
        sink.add("expected ")
        remark?.writeAccepted(by: field, to: &sink)
        sink.add(", found ")
        write(.found, to: &sink)
      default: remark?.write(about: field, to: &sink)
      }
    case .remark: remark?.write(about: field, to: &sink)
    case .expected: if let expected { sink.add(expected) }
    case .accepted:
      if let accepted {
        sink.add(accepted)
      } else if let nearName {
        sink.add(quoted: nearName)
      } else if key != nil {
        sink.add("a key that the record names")
      } else if code == .tooDeep {
        sink.add("fewer levels")
      } else {
        remark?.writeAccepted(by: field, to: &sink)
      }
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
  /// Writes what a field does not accept about its value, in words that follow the value, or alone.
  func write(about field: FieldRef?, to sink: inout ErrorSink) {
    switch self {
    case .names: Self.writeNames(of: field, after: "is not one of ", to: &sink)
    case .range, .lengths:
      sink.add("is not ")
      writeAccepted(by: field, to: &sink)
    case .count(let count, _):
      sink.add("expected ")
      writeAccepted(by: field, to: &sink)
      sink.add(", found ")
      sink.add(count)
    case .notNumber: sink.add("is not a number")
    case .nul: sink.add("has a NUL byte, where a C string ends")
    case .memory(let limit): sink.add(limit: limit, isOfMemory: true)
    case .words(let words): sink.add(words)
    case .text(let text): text.scalars().write(to: &sink)
    }
  }

  fileprivate func hasAccepted(_ field: FieldRef?) -> Bool {
    switch self {
    case .names: field?.names != nil
    case .words, .text: false
    default: true
    }
  }

  /// Writes what a field accepts.
  func writeAccepted(by field: FieldRef?, to sink: inout ErrorSink) {
    switch self {
    case .names: Self.writeNames(of: field, after: "one of ", to: &sink)
    case .range(let kind, let isWhole): writeRange(kind, isWhole: isWhole, field, to: &sink)
    case .lengths(let kind):
      sink.add("a string of ")
      writeLengths(kind, "byte", field, to: &sink)
    case .count(_, let kind):
      sink.add(kind == .map ? "an object of " : "an array of ")
      writeLengths(kind, kind == .map ? "member" : "element", field, to: &sink)
    case .notNumber: sink.add("a number")
    case .nul: sink.add("a string without NUL bytes")
    case .memory(let limit): sink.add(accepted: limit, isOfMemory: true)
    case .words, .text: break
    }
  }

  /// Writes the first names of an enum or of flags after some words; nothing if there are no names.
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
    sink.add(!hasMost ? "at least " : least == last ? "exactly " : least == 0 ? "at most " : "")
    if !hasMost || least != 0 || last == 0 { sink.add(least) }
    if hasMost, least != last {
      if least != 0 { sink.add(" to ") }
      sink.add(last)
    }
    sink.add(" ")
    sink.add(unit)
    if (hasMost ? last : least) != 1 { sink.add("s") }
  }

  private func writeRange(
    _ kind: FieldKind, isWhole: Bool, _ field: FieldRef?, to sink: inout ErrorSink
  ) {
    if kind.isReal {
      let bounds = field?.realBounds
      let (least, most) = (bounds?.least, bounds?.most)
      if isWhole, least == nil || most == nil {
        return sink.add(
          kind == .float ? "a number that a float can hold" : "a number that a double can hold")
      }
      return sink.add(
        rangeFrom: least != nil, to: most != nil, isOne: least == most, { $0.add(least ?? 0) },
        { $0.add(most ?? 0) })
    }
    let bounds = field?.integerBounds
    if kind.hasUnits, let field, let (least, most) = bounds {
      return sink.add(
        rangeFrom: least != nil, to: most != nil, isOne: least == most,
        noun: kind == .decimal || field.has(DECANT_EPOCH)
          ? "number" : kind == .date ? "date" : "time",
        { $0.add(units: least ?? 0, of: kind, field) },
        { $0.add(units: most ?? 0, of: kind, field) })
    }
    // A type of 64 bits is an end that only numbers beyond them ask for.
    let hasEnds = isWhole || bounds == nil || kind.isInteger && kind.width < 8
    var (least, most) = (bounds?.minimum, bounds?.maximum)
    if hasEnds { least = max(least ?? .min, kind.least) }
    if hasEnds, kind.isInteger, kind.width < 8 { most = min(most ?? .max, kind.largest) }
    sink.add(
      rangeFrom: least != nil, to: hasEnds || most != nil, isOne: least == most && most != nil,
      { $0.add(least ?? 0) },
      { sink in
        if let most {
          sink.add(most)
        } else {
          sink.add(kind == .uint64 ? UInt64.max : UInt64(Int64.max))
        }
      })
  }
}

extension ErrorSink {
  /// Units as the JSON of a time, a date or a decimal; the number, if they have none.
  mutating func add(units: Int64, of kind: FieldKind, _ field: FieldRef) {
    withStackMemory(64) { memory in
      var text = BoundedText(memory, capacity: 64)
      guard text.add(units: units, of: kind, field) else { return add(units) }
      for place in 0..<text.count { add(Unicode.Scalar(memory.load(UInt8.self, at: place))) }
    }
  }

  /// The numbers that are accepted.
  fileprivate mutating func add(
    rangeFrom hasLeast: Bool, to hasMost: Bool, isOne: Bool, noun: StaticString = "number",
    _ addLeast: (inout ErrorSink) -> Void, _ addMost: (inout ErrorSink) -> Void
  ) {
    if isOne {
      add("the ")
      add(noun)
      add(" ")
      return addLeast(&self)
    }
    add("a ")
    add(noun)
    add(!hasLeast ? " of at most " : hasMost ? " in " : " of at least ")
    if hasLeast { addLeast(&self) }
    if hasLeast, hasMost { add(" to ") }
    if hasMost { addMost(&self) }
  }
}
