// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A column while its batch is being filled. The columns of a table are a tree, as its records are:
//
//   table   id INT64, name STRING, tags ARRAY of STRING, at RECORD {x DOUBLE}
//   column  structure ─┬─ fixed      id     values  8 bytes a row
//                      ├─ view       name   values 16 bytes a row, and text
//                      ├─ list       tags   values  4 bytes a row: where the elements of the next row begin
//                      │   └─ view
//                      └─ structure  at
//                          └─ fixed  x
//
// Every column counts its rows. A row is complete when all columns of a structure have one more row. To remove a row that
// fails, its column's count is reset, and everything else follows: the elements and the text of a row begin where those of
// the row before end, and a view of long text has the place of the text.
//
// Null flags and booleans are one byte a row here, and become bits when the batch is complete. A column has no null flags
// until one of its rows is null. Flags of rows that are not written yet are 1, so that values other than null need not
// write them.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The most bytes of text of a column: offsets of Arrow have 32 bits.
let mostColumnText = Int(Int32.max)

@safe
struct Column {
  /// The contents of `values` for a row.
  enum Form {
    /// A number, or what else a struct has: `width` bytes.
    case fixed
    /// A byte, which becomes a bit.
    case bool
    /// 16 bytes: a short text, or a length, four bytes of the text and a place in `text`.
    case view
    /// The place where the text of the next row begins.
    case text
    /// The place of a name in the list of names, 4 bytes.
    case names
    /// The place where the elements of the next row begin.
    case list, map
    /// Nothing: `width` elements a row.
    case fixedList
    /// Nothing.
    case structure
  }

  /// The column for runs of plain values (decant_runs.h). It is first: a pointer to the column is a pointer to this.
  fileprivate var run = decant_column()
  let form: Form
  /// Bytes of a row in `values`; of a fixed list, elements of a row.
  let width: Int
  var isNullable: Bool
  let name: Bytes
  /// Nil for columns that are no field's.
  let field: FieldRef?
  /// The record of a structure, or of a map's members.
  let record: RecordRef?

  private(set) var count: Int {
    get { run.count }
    set { run.count = newValue }
  }
  private var capacity: Int {
    get { run.capacity }
    set { run.capacity = newValue }
  }
  private(set) var values = Buffer() {
    didSet { unsafe run.values = values.start?.bytePointer }
  }
  private(set) var validity = Buffer()
  private(set) var text = Buffer() {
    didSet {
      unsafe run.text = text.start?.bytePointer
      run.text_capacity = text.capacity
    }
  }
  private(set) var textCount: Int {
    get { run.text_count }
    set { run.text_count = newValue }
  }
  /// Rows and bytes of text of the batch before.
  private var lastCount = 0
  private var lastText = 0

  /// For names: the place in the dictionary of each entry of the list; see ColumnNames.
  var places = Buffer()
  /// Those of a structure's fields, or the one of a list's elements.
  var children = ColumnList()
  let memory: decant_allocator
  /// The memory that the columns of a batch may take together; nil for columns with another bound.
  private(set) var budget: ColumnBudget?
  /// No batch needs more rows than this.
  private var mostRows = Int.max
  /// The input that views may refer to; nil if text is copied.
  private(set) var borrowed: Bytes?

  init(
    _ form: Form, width: Int, isNullable: Bool = false, name: Bytes, field: FieldRef? = nil,
    record: RecordRef? = nil, _ memory: decant_allocator
  ) {
    self.form = form
    self.width = width
    self.isNullable = isNullable
    self.name = name
    self.field = field
    self.record = record
    self.memory = memory
    run.kind = UInt8(DECANT_RUN_OTHER)
  }

  /// Releases all that the column has, its children included.
  mutating func end() {
    releaseBuffers()
    places.release(memory)
    children.end(memory)
  }

  private mutating func releaseBuffers() {
    values.release(memory)
    validity.release(memory)
    text.release(memory)
  }

  /// Whether the column is that of a record whose only field is the value itself: such elements are exported as that value.
  var isTransparent: Bool {
    form == .structure && children.count == 1 && children[0].column.field?.isAlone == true
  }

  var hasOffsets: Bool { form == .text || form == .list || form == .map }

  // MARK: - Rows

  /// Whether there is space for any row.
  var hasSpace: Bool { capacity > 0 }

  /// The rows that there is space for.
  var space: Int { capacity - count }

  /// Space for one row more; false if there is no memory.
  mutating func reserveRow() -> Bool { count < capacity || grow(to: count + 1) }

  /// Space for `rows` rows; false if there is no memory.
  mutating func reserve(_ rows: Int) -> Bool { rows <= capacity || grow(to: rows) }

  @inline(never)
  private mutating func grow(to rows: Int) -> Bool {
    let space = space(for: rows)
    switch form {
    case .structure:
      for child in children where !child.column.reserve(space) { return false }
    case .fixedList:
      let (elements, overflow) = space.multipliedReportingOverflow(by: width)
      if overflow || !children[0].column.reserve(elements) { return false }
    default:
      let (size, overflow) = (hasOffsets ? space.saturating(adding: 1) : space)
        .multipliedReportingOverflow(by: width)
      if overflow || !reserve(size, of: &values) { return false }
      if hasOffsets, count == 0 { values.store(0 as Int32, at: 0) }
    }
    if validity.isThere, !growValidity(to: space) { return false }
    capacity = space
    return true
  }

  /// The rows that there is space for when there must be space for so many.
  private func space(for rows: Int) -> Int {
    if budget?.isTight == true { return max(rows, capacity.saturating(adding: capacity / 8)) }
    let space = max(
      rows, capacity.saturating(adding: capacity), min(lastCount, mostColumnText), 8)
    return min(space, max(rows, mostRows))
  }

  /// Space for `size` bytes in one of the buffers; false if there is no memory, or not so much in the budget.
  private func reserve(_ size: Int, of buffer: inout Buffer) -> Bool {
    let before = buffer.capacity
    if size <= before { return true }
    if budget?.take(size - before) == false { return false }
    if buffer.reserve(size, memory) { return true }
    budget?.giveBack(size - before)
    return false
  }

  private mutating func growValidity(to space: Int) -> Bool {
    let before = validity.capacity
    if !reserve(space, of: &validity) { return false }
    validity.fill(1, from: before, space - before)
    return true
  }

  /// Removes all rows from `rows` on, also an incomplete one.
  mutating func cut(to rows: Int) {
    switch form {
    case .structure: for child in children { child.column.cut(to: rows) }
    case .fixedList: children[0].column.cut(to: rows * width)
    case .list, .map: if capacity > 0 { children[0].column.cut(to: offset(rows)) }
    case .text: if capacity > 0 { textCount = offset(rows) }
    case .view: cutText(to: rows)
    case .fixed, .bool, .names: break
    }
    if count > rows, validity.isThere { validity.fill(1, from: rows, count - rows) }
    count = min(count, rows)
  }

  /// The first long text of the rows that are taken back was the next one then.
  private mutating func cutText(to rows: Int) {
    for row in rows..<max(rows, count) where values.load(Int32.self, at: row * 16) > shortText {
      if values.load(Int32.self, at: row * 16 + 8) != ownText { continue }
      textCount = Int(values.load(Int32.self, at: row * 16 + 12))
      return
    }
  }

  /// The place where the elements or the text of a row begin.
  func offset(_ row: Int) -> Int { Int(values.load(Int32.self, at: row * 4)) }

  // MARK: - Values

  /// The place of the next row's value; call `added()` after writing it.
  var next: Memory { values.memory(at: count &* width) }

  mutating func added(_ rows: Int = 1) { count &+= rows }

  mutating func add<Value: BitwiseCopyable>(_ value: Value) {
    values.store(value, at: count * width)
    count += 1
  }

  /// An entry of the list of names.
  mutating func add(entry: Int) { add(places.load(Int32.self, at: entry * 4)) }

  /// Ends a row of a list, whose elements are in the child.
  @inline(__always)
  mutating func endList() {
    let end = Int32(truncatingIfNeeded: children[0].column.count)
    values.store(end, at: (count &+ 1) &* 4)
    count &+= 1
  }

  /// A row that is null; or zeros, where no row is null. False if there is no memory.
  mutating func addNull() -> Bool {
    if isNullable {
      if !validity.isThere, !growValidity(to: capacity) { return false }
      validity.store(0 as UInt8, at: count)
    }
    switch form {
    case .structure: for child in children where !child.column.addNull() { return false }
    case .fixedList:
      for _ in 0..<width where !children[0].column.addNull() { return false }
    case .list, .map, .text: values.store(Int32(offset(count)), at: (count + 1) * 4)
    case .fixed, .bool, .view, .names: next.clear(width)
    }
    count += 1
    return true
  }

  // MARK: - Text

  /// The number, in views, of the buffer with copied text: after the input, if there is one.
  private var ownText: Int32 { borrowed == nil ? 0 : 1 }

  /// A text of `bytes`, as they are in the document or as they are.
  @inline(__always)
  mutating func add(_ bytes: Bytes, isEscaped: Bool = false) -> Status {
    let length = bytes.count
    if form == .view, !isEscaped {
      if length <= shortText {
        addShort(bytes)
        return ok
      }
      if let input = borrowed, let offset = input.offset(of: bytes) {
        return addBorrowed(bytes, at: offset)
      }
    }
    // The text of an escaped string is never longer.
    guard length <= mostColumnText &- textCount else { return columnIsFull }
    // Less than the remaining space, so that even an empty first text has memory.
    guard length < text.capacity &- textCount || growText(by: length) else { return noMemory }
    let place = text.memory(at: textCount)
    if isEscaped {
      // SAFETY: a string of the document, and space for as many bytes.
      end(unsafe decant_unescape(bytes.start, length, place.bytePointer), at: place)
    } else {
      place.copy(bytes)
      end(length, at: place)
    }
    return ok
  }

  /// The bytes of a string of base64.
  mutating func add(base64 string: Text) -> Status {
    // The bytes replace the text, which is never shorter.
    let length = string.bytes.count
    guard length <= mostColumnText &- textCount else { return columnIsFull }
    guard length < text.capacity &- textCount || growText(by: length) else { return noMemory }
    let place = text.memory(at: textCount)
    let spelled = place.bytes(place.copy(string))
    guard let count = Base64.count(spelled) else { return invalidValue }
    Base64.decode(spelled, to: place)
    end(count, at: place)
    return ok
  }

  /// Ends a text of `length` bytes, which were written after the others.
  @inline(__always)
  private mutating func end(_ length: Int, at place: Memory) {
    if form == .view {
      if length <= shortText { return addShort(place.bytes(length)) }
      addView(length, place, ownText, textCount)
      textCount &+= length
    } else {
      textCount &+= length
      values.store(Int32(truncatingIfNeeded: textCount), at: (count &+ 1) &* 4)
      count &+= 1
    }
  }

  @inline(__always)
  private mutating func addShort(_ bytes: Bytes) {
    let row = count &* 16
    values.store(UInt64(UInt32(truncatingIfNeeded: bytes.count)), at: row)
    values.store(0 as UInt64, at: row &+ 8)
    values.memory(at: row &+ 4).copy(bytes)
    count &+= 1
  }

  @inline(__always)
  private mutating func addView(_ length: Int, _ place: Memory, _ buffer: Int32, _ offset: Int) {
    let row = count &* 16
    values.store(Int32(truncatingIfNeeded: length), at: row)
    values.store(place.load(UInt32.self), at: row &+ 4)
    values.store(buffer, at: row &+ 8)
    values.store(Int32(truncatingIfNeeded: offset), at: row &+ 12)
    count &+= 1
  }

  /// A long text that is in the input.
  private mutating func addBorrowed(_ bytes: Bytes, at offset: Int) -> Status {
    if offset + bytes.count > mostColumnText { return columnIsFull }
    if let memory = bytes.memory { addView(bytes.count, memory, 0, offset) }
    return ok
  }

  @inline(never)
  private mutating func growText(by length: Int) -> Bool {
    let size = textCount + length
    if budget?.isTight == true {
      return reserve(max(size + 1, text.capacity.saturating(adding: text.capacity / 8)), of: &text)
    }
    return reserve(
      min(
        max(size, text.capacity.saturating(adding: text.capacity), lastText, 256),
        max(size, mostColumnText)), of: &text)
  }

  // MARK: - Batches

  /// Allocates the expected space, which is that of the last batch and a little more, in blocks that this column and those
  /// below it share. Otherwise columns allocate as they grow.
  mutating func makeSpace() {
    let size = expectedSize
    if budget?.holds(size) == false { return expectNothing() }
    guard lastCount > capacity, var slabs = Slabs(for: size, memory) else { return }
    take(from: &slabs)
    slabs.end()
  }

  /// Whether anything is expected.
  var isExpecting: Bool { lastCount > 0 }

  /// Expects so many times the rows and the text that are here; of a batch without rows, those of the last one.
  mutating func expect(times ratio: Double) {
    func times(_ number: Int) -> Int { Int(min(Double(number) * ratio, Double(mostColumnText))) }
    lastCount = times(count > 0 ? count : lastCount)
    lastText = times(count > 0 ? textCount : lastText)
    for child in children { child.column.expect(times: ratio) }
  }

  /// Columns grow by what they have.
  private mutating func expectNothing() {
    (lastCount, lastText) = (0, 0)
    for child in children { child.column.expectNothing() }
  }

  private var expectedRows: Int {
    min(lastCount.saturating(adding: lastCount / 64), mostColumnText)
  }
  /// If few texts are copied, such as those with escapes, batches differ more.
  private var expectedText: Int {
    min(lastText.saturating(adding: lastText / 64 + min(lastText / 8, 1 << 20)), mostColumnText)
  }
  private var expectedValues: Int {
    switch form {
    case .structure, .fixedList: 0
    default:
      (hasOffsets ? expectedRows.saturating(adding: 1) : expectedRows)
        .multipliedSaturating(by: width)
    }
  }

  private var expectedSize: Int {
    if lastCount == 0 { return 0 }
    let own = Slabs.extent(expectedValues).saturating(adding: Slabs.extent(expectedText))
    return children.reduce(own) { $0.saturating(adding: $1.column.expectedSize) }
  }

  private mutating func take(from slabs: inout Slabs) {
    if lastCount == 0 { return }
    for child in children { child.column.take(from: &slabs) }
    let bytes = expectedValues
    if bytes > values.capacity {
      let space = slabs.take(bytes)
      if !space.isThere { return }
      _ = budget?.take(bytes - values.capacity)
      values.move(to: space, min((hasOffsets ? count + 1 : count) * width, values.capacity), memory)
      if hasOffsets, count == 0 { values.store(0 as Int32, at: 0) }
    }
    if validity.isThere, validity.capacity < expectedRows, !growValidity(to: expectedRows) {
      return
    }
    if !children.contains(where: { !$0.column.hasSpace(for: self) }) {
      capacity = max(capacity, expectedRows)
    }
    if lastText > 0, expectedText > text.capacity {
      let space = slabs.take(expectedText)
      if space.isThere {
        _ = budget?.take(expectedText - text.capacity)
        text.move(to: space, textCount, memory)
      }
    }
  }

  /// Whether there is as much space as the column above expects.
  private func hasSpace(for parent: Column) -> Bool {
    switch parent.form {
    case .structure: capacity >= parent.expectedRows
    case .fixedList: capacity >= parent.expectedRows.multipliedSaturating(by: parent.width)
    default: true
    }
  }

  /// Gives away what the rows are in; `clear()` follows.
  mutating func give() -> ColumnBuffers {
    ColumnBuffers(values: values.take(), validity: validity.take(), text: text.take())
  }

  /// Counts what this column and those below it take.
  mutating func count(in budget: ColumnBudget, upTo most: Int = .max) {
    self.budget = budget
    mostRows = most
    for child in children { child.column.count(in: budget) }
  }

  /// Lets views refer to input that begins here.
  mutating func borrow(_ input: Bytes?) {
    borrowed = input
    for child in children { child.column.borrow(input) }
  }

  /// Forgets all rows, those below included.
  mutating func dropRows() {
    clear()
    for child in children { child.column.dropRows() }
  }

  /// Forgets all rows. The next batch begins with as much space as this one needed.
  mutating func clear() {
    (lastCount, lastText) = (count, textCount)
    releaseBuffers()
    (count, capacity, textCount) = (0, 0, 0)
  }
}

/// The least that the columns of a batch may take where the caller says nothing: those of fixed size may take half of it.
private let standardMemory = 128 << 20

/// The memory of a batch's columns: how much they take together, and its limit.
@safe
struct ColumnBudget {
  // SAFETY: memory of the reader's, which lives as long as its columns, and is used by one thread at a time.
  private let place: UnsafeMutablePointer<State>

  private struct State {
    var used = 0
    let most: UInt64
    var inputBytes = 0
    var indexBytes = 0
    var isExceeded = false
    var isTight = false
  }

  /// A limit in bytes; 0: 64 for each byte of the input, and at least ``standardMemory``. Nil if memory is exhausted.
  init?(_ most: UInt64, _ memory: decant_allocator) {
    guard let block = memory.allocate(MemoryLayout<State>.size) else { return nil }
    unsafe place = block.start.bindMemory(to: State.self, capacity: 1)
    unsafe place.initialize(to: State(most: most))
  }

  func release(_ memory: decant_allocator) {
    unsafe memory.release(Memory(place), MemoryLayout<State>.size)
  }

  /// Counts bytes; false if there may not be so many.
  func take(_ bytes: Int) -> Bool {
    guard holds(bytes) else {
      unsafe place.pointee.isExceeded = true
      return false
    }
    unsafe place.pointee.used += bytes
    return true
  }

  func holds(_ bytes: Int) -> Bool {
    unsafe bytes <= limit - place.pointee.indexBytes - place.pointee.used
  }

  func giveBack(_ bytes: Int) { unsafe place.pointee.used -= bytes }

  /// The columns have given everything away.
  func clear() { unsafe place.pointee.used = 0 }

  /// How many bytes there may be.
  var limit: Int {
    let most = unsafe place.pointee.most
    if most != 0 { return Int(clamping: most) }
    return max(standardMemory, unsafe place.pointee.inputBytes.multipliedSaturating(by: 64))
  }

  /// Bytes of the lines that the columns are of, with the one that is being read.
  var inputBytes: Int {
    get { unsafe place.pointee.inputBytes }
    nonmutating set { unsafe place.pointee.inputBytes = newValue }
  }

  /// Bytes of the index of the line that is being read.
  var indexBytes: Int {
    get { unsafe place.pointee.indexBytes }
    nonmutating set { unsafe place.pointee.indexBytes = newValue }
  }

  /// Whether a column needed more.
  var isExceeded: Bool {
    get { unsafe place.pointee.isExceeded }
    nonmutating set { unsafe place.pointee.isExceeded = newValue }
  }

  /// Whether columns get hardly more than they need at once, so that nothing is refused that could be held.
  var isTight: Bool {
    get { unsafe place.pointee.isTight }
    nonmutating set { unsafe place.pointee.isTight = newValue }
  }
}

/// The buffers of a column that a batch has taken.
struct ColumnBuffers {
  let values: Buffer
  let validity: Buffer
  let text: Buffer

  func release(_ memory: decant_allocator) {
    values.released(memory)
    validity.released(memory)
    text.released(memory)
  }
}

/// The longest text that is inside of its view.
private let shortText = 12

let noMemory = Status(DECANT_OUT_OF_MEMORY)

extension Bytes {
  /// The offset of a part of these bytes; nil for bytes that are elsewhere, such as a default or another engine's.
  func offset(of part: Bytes) -> Int? {
    let offset = unsafe UInt(bitPattern: part.start) &- UInt(bitPattern: start)
    return offset <= UInt(count - min(part.count, count)) && part.count <= count ? Int(offset) : nil
  }

  init(_ words: StaticString) { self = words.bytes }

  /// The bytes as memory for reading only; nil if there are none.
  var memory: Memory? {
    // SAFETY: Bytes can be read, and nothing writes to this memory.
    unsafe start.map { unsafe Memory(reading: $0) }
  }
}

// MARK: - Columns as places

/// A column where it is.
@safe
struct ColumnRef {
  // SAFETY: an element of a ColumnList, which lives as long as the reader that made it.
  let pointer: UnsafeMutablePointer<Column>

  init(_ pointer: UnsafeMutablePointer<Column>) { unsafe self.pointer = pointer }

  var column: Column {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The column's own memory, for calls that store nothing.
  var memory: Memory { unsafe Memory(pointer) }

  /// The column of a structure's field.
  func child(of field: FieldRef) -> ColumnRef {
    // SAFETY: the walk asks a record's column for a field of that record's.
    column.children[unsafe column.record.unsafelyUnwrapped.index(of: field)]
  }

  /// The column of a list's elements.
  var elements: ColumnRef { column.children[0] }

  // MARK: Runs of plain values

  // SAFETY: what a column begins with.
  var run: UnsafeMutablePointer<decant_column> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: decant_column.self)
  }

  /// Tells runs what to do with this column and those below. Returns how many records deep it is.
  ///
  /// A record that a run cannot finish is visited again, and so are those in it: so a run takes few at once.
  @discardableResult
  func prepareRuns(isPlanned: Bool, isElement: Bool = false) -> Int {
    let isOfElements = column.form != .structure
    var depth = 0
    for child in column.children {
      depth = max(depth, child.prepareRuns(isPlanned: isPlanned, isElement: isOfElements))
    }
    if column.children.count > 0 { unsafe run.pointee.children = column.children[0].run }
    if column.form == .structure {
      depth += 1
      if isPlanned, let record = column.record {
        unsafe run.pointee.record = record.steps
      }
    }
    guard let field = column.field, isElement || isOfRuns(field) else { return depth }
    unsafe run.pointee.kind = kindOfRuns(field, isElement: isElement, depth: depth)
    return depth
  }

  /// Whether runs take every field of a structure, and those of the structures in it, by its key.
  // SAFETY: a planned record has a step for each field.
  var isOfRuns: Bool {
    guard let record = unsafe run.pointee.record, unsafe record.pointee.count > 0 else {
      return false
    }
    return unsafe (0..<record.pointee.count).allSatisfy { index in
      let child = column.children[index]
      let kind = unsafe Int(child.run.pointee.kind)
      return unsafe record.pointee.steps.unsafelyUnwrapped[index].key.length != .max
        && kind != DECANT_RUN_OTHER && (kind != DECANT_RUN_RECORD || child.isOfRuns)
    }
  }

  /// Whether only the kind of a field's values matters. A value that is a record itself has a pointer.
  private func isOfRuns(_ field: FieldRef) -> Bool {
    if field.isPlain { return true }
    let meant =
      switch field.content {
      case .time:
        DECANT_SECONDS | DECANT_MILLISECONDS | DECANT_NANOSECONDS | DECANT_EPOCH | DECANT_ZONELESS
      default: 0
      }
    let others = field.flags & ~UInt32(meant | DECANT_OPTIONAL)
    return !field.hasBounds
      && (field.isItself ? others == UInt32(DECANT_POINTER) : others == 0 && field.hasKnownScale)
  }

  private func kindOfRuns(_ field: FieldRef, isElement: Bool, depth: Int) -> UInt8 {
    let kind = isElement ? field.element : field.kind
    switch kind {
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double:
      return kind.ordinal
    case .string, .text: return UInt8(column.form == .view ? DECANT_RUN_VIEW : DECANT_RUN_UTF8)
    case .array where unsafe elements.run.pointee.isScalar: return kind.ordinal
    case .decimal:
      unsafe run.pointee.scale = UInt8(field.scale)
      unsafe run.pointee.precision = UInt8(field.precision)
      return UInt8(DECANT_RUN_DECIMAL)
    case .time where field.has(DECANT_EPOCH): return FieldKind.int64.ordinal
    case .time:
      unsafe run.pointee.scale = field.digitsOfSecond
      unsafe run.pointee.is_zoneless = field.has(DECANT_ZONELESS)
      return UInt8(DECANT_RUN_TIME)
    case .date: return UInt8(DECANT_RUN_DATE)
    case .record where isElement && column.isTransparent:
      return unsafe elements.run.pointee.isScalar
        ? UInt8(DECANT_RUN_ITSELF) : UInt8(DECANT_RUN_OTHER)
    case .record where unsafe !isElement && depth <= DECANT_RUN_LEVELS && run.pointee.record != nil,
      .recordPointer where unsafe depth <= DECANT_RUN_LEVELS && run.pointee.record != nil:
      return UInt8(DECANT_RUN_RECORD)
    default: return UInt8(DECANT_RUN_OTHER)
    }
  }
}

extension decant_column {
  /// Whether a run adds values that hold no others.
  fileprivate var isScalar: Bool {
    switch Int(kind) {
    case DECANT_RUN_RECORD, DECANT_RUN_ARRAY, DECANT_RUN_OTHER: false
    default: true
    }
  }
}

/// An array of columns.
@safe
struct ColumnList: Sequence, IteratorProtocol {
  // SAFETY: `count` columns from `start`, which is nil only if there are none.
  private var start: UnsafeMutablePointer<Column>?
  private(set) var count = 0
  private var capacity = 0
  private var place = 0

  init() { unsafe start = nil }

  /// Space for columns; nil if there is no memory.
  init?(capacity: Int, _ memory: decant_allocator) {
    guard let block = memory.allocate(capacity * MemoryLayout<Column>.stride) else {
      return nil
    }
    unsafe start = block.start.bindMemory(to: Column.self, capacity: capacity)
    self.capacity = capacity
  }

  /// One structure of columns; nil if there is no memory.
  init?(structure columns: ColumnList, record: RecordRef?, _ memory: decant_allocator) {
    self.init(capacity: 1, memory)
    var structure = Column(.structure, width: 0, name: Bytes(), record: record, memory)
    structure.children = columns
    append(structure)
  }

  mutating func append(_ column: Column) {
    unsafe (start.unsafelyUnwrapped + count).initialize(to: column)
    count += 1
  }

  subscript(index: Int) -> ColumnRef { unsafe ColumnRef(start.unsafelyUnwrapped + index) }

  mutating func next() -> ColumnRef? {
    if place == count { return nil }
    defer { place += 1 }
    return self[place]
  }

  mutating func end(_ memory: decant_allocator) {
    for child in self { child.column.end() }
    unsafe memory.release(Memory(start), capacity * MemoryLayout<Column>.stride)
    self = ColumnList()
  }
}
