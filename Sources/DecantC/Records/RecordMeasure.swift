// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Measures the block of a value. Strings count with their length in the document, arrays with the most padding that they
// could need, so filling never writes more. An estimate visits only the first elements of long arrays.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct RecordMeasure: RecordVisitor {
  /// A measure has no memory and no path.
  typealias Place = Void

  /// The elements of a long array that an estimate looks at, and how many more a long one has.
  private static var sample: Int { 16 }
  private static var longArray: Int { 4 * sample }

  /// The bytes so far.
  private(set) var size = 0
  /// Whether filling never writes more.
  private(set) var isExact = true
  private let isEstimate: Bool

  init(isEstimate: Bool) { self.isEstimate = isEstimate }

  var rewinds: Bool { false }
  var looksAtAbsent: Bool { false }

  @inline(__always)
  func ignores(_ kind: FieldKind) -> Bool {
    !kind.needsBlock && kind != .record && kind != .fixedArray && kind != .union
  }

  private mutating func add(_ bytes: Int) -> Bool {
    let (sum, overflow) = size.addingReportingOverflow(bytes)
    size = sum
    return !overflow
  }

  @inline(__always)
  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place, _ count: inout Int
  ) -> Status {
    let bytes = kind == .raw ? value.rawText?.count : value.text(of: field)?.bytes.count
    return add((bytes ?? 0) + 1) ? ok : blockIsFull
  }

  /// The members have no byte more than the object, and a NUL byte.
  mutating func rest(
    _ json: JSON, _ field: FieldRef, of record: RecordRef, at place: Place, _ count: inout Int
  ) -> Status { add((json.rawText?.count ?? 0) + 1) ? ok : blockIsFull }

  mutating func key(_ key: Text, of value: JSON, _ field: FieldRef, in record: Place) -> Status {
    add(key.bytes.count + 1) ? ok : blockIsFull
  }

  func absent(_ field: FieldRef, isNull: Bool, in record: Place) -> Status { ok }
  func missing(_ field: FieldRef, in json: JSON, _ record: Place) -> Status { ok }
  func finish(_ field: FieldRef, _ count: Int, in record: Place) {}

  mutating func room(
    _ count: Int, of stride: Int, cleared: Bool, for json: JSON, at place: Place
  ) -> Place? {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: stride)
    return !overflow && add(bytes) && add(alignment(ofSize: stride) - 1) ? place : nil
  }

  @inline(__always)
  func wanted(of count: Int, in array: JSON, _ field: FieldRef) -> Int {
    let kind = field.element
    let hasBlocks = kind == .record ? field.record?.needsBlock == true : kind.needsBlock
    if !hasBlocks { return 0 }
    return isEstimate && array.isNative && count > Self.longArray ? Self.sample : count
  }

  /// A byte of the other elements' text needs as much as one of theirs, and half as much more.
  mutating func skipRest(of array: JSON, from node: UInt64, since before: Int) -> Bool {
    isExact = false
    let end = offset(at: node, array)
    let share = Double(size - before) / Double(max(end - array.offset, 1))
    let others = share * Double(offset(at: array.after, array) - end) * 1.5
    return add(Int(min(others, Double(Int.max / 4))))
  }

  /// The offset of the value or key at a slot, or the text's end after the last slot.
  private func offset(at node: UInt64, _ json: JSON) -> Int {
    unsafe node < UInt64(json.context.pointee.slot_count)
      ? JSON(node, within: json).offset : json.context.pointee.length
  }

  /// An invalid value has no size; the report names its error. A walk that does not end has no size at all.
  func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at place: Place
  ) -> Status { status == Status(DECANT_TOO_DEEP) ? status : ok }

  func refuse(
    _ status: Status, _ value: JSON, inner: ContextRef?, at place: Place
  ) -> Status { status == Status(DECANT_OUT_OF_MEMORY) ? status : ok }

  @inline(__always)
  static func step(_ step: WalkStep, from place: Place, _ body: (Place) -> Status) -> Status {
    body(place)
  }
}

extension RecordRef {
  /// Whether structs of this record, as they are, need a block. Arrays of numbers do not have to be walked to be
  /// measured.
  fileprivate var needsBlock: Bool {
    fields.contains { field in
      if field.content == .record, field.kind != .array { return field.record?.needsBlock == true }
      return field.kind.needsBlock || field.content.needsBlock || field.kind == .union
    }
  }
}
