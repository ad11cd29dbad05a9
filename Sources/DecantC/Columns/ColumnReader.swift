// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Reads lines into the columns of a table, batch by batch, when a stream asks for the next one:
//
//   lines   {"id":1}   {"id":"2"}   {"id":3}
//   rows    1                       3           a line that fails leaves no trace in the columns
//   rejects            line 2, /id
//
// In streams with another framing, each document counts as a line here.
//
// Both streams share one pass over the lines. Reading rows collects rejects until they are read; reading rejects first
// collects batches of rows. So the results of one stream do not depend on the other.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Rows of a batch where the caller does not say how many.
private let standardRows = 1 << 16
/// Bytes of lines that end a batch then: its columns are what caches still have when a consumer gets them.
private let standardBytes = 8 << 20
/// Bytes of columns of fixed size in a batch then.
private let standardSpace = 64 << 20
/// Rows that tell what the others of the first batch will be like, or bytes of them.
private let firstRows = 1024
private let firstBytes = 1 << 19
/// Rejects that have a row where the caller does not say how many.
private let standardRejects = 1 << 16

@safe
struct ColumnReader {
  let memory: decant_allocator
  private let settings: Settings
  private let table: RecordPlan
  private var record: RecordRef { table.record }
  private var source: LineSource
  private var rows: ColumnList
  /// The memory of the rows' columns.
  private let budget: ColumnBudget
  private(set) var rejects: Rejects
  private let hasLines: Bool
  private let mostRows: Int
  private let mostBytes: Int
  private let borrows: Bool
  private let looksForUnknown: Bool
  /// Whether lines may become rows without being linked.
  private var takesLines: Bool
  /// Bytes of the lines of this batch, and of the last one.
  private var bytes = 0
  private var lastBytes = 0
  /// The number of rows, or of their bytes, at which more space is allocated.
  private var nextLook = 0
  private var nextLookBytes = Int.max

  /// Lines that failed without a row of their own, so far.
  private var others = 0
  private var rejected = 0
  private let mostRejects: Int
  private var keepsRejects = true
  private var isAroundChecked = false
  /// Rows that are still to be read.
  private var rowsLeft = Int.max
  private var error = decant_error.empty

  /// Nil if the table has no columns, and then `fault` says why; or if there is no memory.
  static func open(
    _ record: RecordRef, _ check: RecordCheck, _ settings: Settings, _ source: LineSource,
    _ fault: inout RecordFault?
  ) -> ColumnReader? {
    let memory = settings.allocator
    guard let table = RecordPlan(record, memory) else { return nil }
    var plan = ColumnPlan(usesViews: !settings.hasColumns(DECANT_COLUMNS_UTF8), memory)
    if let rows = plan.rows(of: table.record, hasLines: settings.hasColumns(DECANT_COLUMNS_LINE)) {
      if let budget = ColumnBudget(settings.rules.maximum_memory, memory) {
        if let rejects = Rejects(memory) {
          rows[0].prepareRuns(isPlanned: table.isCopy)
          return ColumnReader(
            table, check, settings, source, rows, budget, rejects, rowSize: plan.rowSize)
        }
        budget.release(memory)
      }
      var rows = rows
      rows.end(memory)
    }
    table.release(memory)
    if plan.fault != nil {
      // A fault names the caller's table, not its copy.
      plan = ColumnPlan(usesViews: true, memory)
      var rows = plan.rows(of: record, hasLines: settings.hasColumns(DECANT_COLUMNS_LINE))
      rows?.end(memory)
      fault = plan.fault
    }
    return nil
  }

  private init(
    _ table: RecordPlan, _ check: RecordCheck, _ settings: Settings, _ source: LineSource,
    _ rows: ColumnList, _ budget: ColumnBudget, _ rejects: Rejects, rowSize: Int
  ) {
    looksForUnknown = check.looksForUnknown(settings)
    memory = settings.allocator
    self.table = table
    self.source = source
    self.rows = rows
    self.budget = budget
    self.rejects = rejects
    let options = settings.columns
    hasLines = settings.hasColumns(DECANT_COLUMNS_LINE)
    borrows = settings.hasColumns(DECANT_COLUMNS_BORROW)
    mostRows =
      options.rows > 0
      ? options.rows : max(1, min(standardRows, standardSpace / max(rowSize, 1)))
    mostBytes = options.rows > 0 ? mostColumnText : standardBytes
    rowsLeft = settings.maximumRows
    mostRejects = options.rejects > 0 ? options.rejects : standardRejects
    // No record and no list in such columns is deeper.
    takesLines = rows[0].isOfRuns && settings.rules.maximum_depth > DECANT_RUN_LEVELS + 1
    rows[0].column.count(in: budget, upTo: mostRows)
    // A reject is about the first error of its line.
    var settings = settings
    settings.rules.maximum_errors = 1
    self.settings = settings
  }

  mutating func end() {
    rows.end(memory)
    budget.release(memory)
    rejects.end()
    source.end()
    table.release(settings.allocator)
  }

  /// The structure of the rows.
  var root: ColumnRef { rows[0] }

  private(set) var isAtEnd = false

  // MARK: - Batches

  /// Reads lines until a batch is complete or there are no others. `ok`, or a failure that another call may mend.
  mutating func readBatch() -> Status {
    if root.column.count == 0 {
      (lastBytes, bytes, nextLook) = (bytes, 0, 0)
      // The columns were given away, or dropped.
      if !root.column.hasSpace { budget.clear() }
      budget.isExceeded = false
    }
    while root.column.count < mostRows {
      if takesLines, root.column.count > 0 { addLines() }
      if rowsLeft == 0 {
        isAroundChecked = true
        return endLines()
      }
      if root.column.count == mostRows { return ok }
      switch source.next() {
      case .failure(let status): return status
      case .end: return endLines()
      case .refusal(let document, let code, let message):
        let place = source.place
        let status = reject(document) { _, error in error.refuse(code, message, at: place) }
        if status != ok { return status }
        source.pass()
      case .line(let line, let isLinked):
        let (rows, total) = (root.column.count, bytes.saturating(adding: line.count))
        budget.inputBytes = total
        if root.column.count == nextLook || bytes >= nextLookBytes { makeSpace() }
        if root.column.count > 0, total > mostBytes { return ok }
        // Views of earlier rows count from where they did.
        if borrows, root.column.count == 0 { root.column.borrow(source.rest) }
        let status = isLinked ? read(linked: line) : read(line)
        // The line comes again, as the first of the next batch.
        if status == columnIsFull { return ok }
        if status != ok { return status }
        if root.column.count > rows { rowsLeft -= 1 }
        bytes = total
        source.pass()
      }
    }
    return ok
  }

  /// Adds the next lines that have what the table has, in its order, up to a row that may need space.
  private mutating func addLines() {
    let (root, start) = (root, root.column.count)
    var lines = unsafe decant_column_lines()
    // The row at which more space is allocated is the one after so many.
    let next = nextLook > start ? nextLook - start : nextLook == start ? 0 : .max
    unsafe lines.most_rows = min(mostRows - start, rowsLeft, root.column.space, next)
    unsafe lines.most_line = Int(clamping: settings.rules.maximum_bytes)
    unsafe lines.most_bytes = max(mostBytes - bytes, 0)
    unsafe lines.look = max(nextLookBytes - bytes, 0)
    if hasLines { unsafe lines.numbers = root.column.children[record.fieldCount].run }
    let columns = ColumnFill(reading: source.lines, input: root.column.borrowed)
    unsafe source.add(&lines, to: columns, of: root)
    if unsafe lines.is_stopped { root.column.cut(to: root.column.count) }
    if unsafe lines.are_unlike { takesLines = false }
    bytes = unsafe bytes.saturating(adding: lines.bytes)
    rowsLeft -= root.column.count - start
  }

  /// Allocates space for the rows of a batch, by an estimate from the last batch, or from the first rows of the first one,
  /// and from the rest of the text.
  private mutating func makeSpace() {
    let (rows, rest) = (root.column.count, source.left)
    nextLookBytes = .max
    if rows == 0 {
      nextLook = root.column.isExpecting ? .max : firstRows
      if !root.column.isExpecting { nextLookBytes = firstBytes }
      if let rest, rest < lastBytes {
        root.column.expect(times: Double(rest) / Double(lastBytes))
      }
    } else {
      nextLook = .max
      guard let rest else { return }
      let most = Double(min(mostBytes, bytes.saturating(adding: rest))) / Double(max(bytes, 1))
      // A few rows are not quite like the others.
      root.column.expect(times: min(most, Double(mostRows) / Double(rows)) * 33 / 32)
    }
    root.column.makeSpace()
  }

  /// Drops the rows that were read.
  func dropRows() {
    root.column.dropRows()
    budget.clear()
  }

  private mutating func endLines() -> Status {
    if !isAroundChecked {
      let status = checkAround()
      if status != ok { return status }
      isAroundChecked = true
    }
    if others > 0, keepsRejects {
      if !rejects.add(others: others) { return noMemory }
    }
    others = 0
    isAtEnd = true
    return ok
  }

  /// Forgets the rejects, and those that come.
  mutating func dropRejects() {
    keepsRejects = false
    rejects.place.column.dropRows()
  }

  // MARK: - Lines

  /// Reads a linked line into the next row. A line that fails is read again by itself, to find its error.
  @inline(__always)
  private mutating func read(linked line: Bytes) -> Status {
    guard let context = source.linked else { return noMemory }
    if looksForUnknown, check(context.root) != ok { return read(line) }
    let status = fill(context.root, reading: source.lines)
    if _fastPath(status == ok) { return ok }
    if status == noMemory || status == columnIsFull && root.column.count > 0 { return status }
    return read(line)
  }

  /// Reads a line into the next row, or rejects it. `noMemory`, or `columnIsFull` if the batch is full, and then nothing
  /// was done.
  @inline(never)
  private mutating func read(_ line: Bytes) -> Status {
    withDocument(line, settings, at: source.place, source.element) { context, code in
      if code == noMemory { return noMemory }
      if code != ok { return reject(line) { call, _ in call.refuse(context, code) } }
      budget.isExceeded = false
      budget.indexBytes = Int(clamping: context.slotCount) * 8
      defer { budget.indexBytes = 0 }
      var status = check(context.root)
      if status == ok { status = fillAlone(context.root, reading: source.readable(of: line)) }
      if status == columnIsFull, budget.isExceeded, root.column.count == 0 {
        // Earlier lines have made more space than this line needs.
        status = fillTightly(context.root, reading: source.readable(of: line))
      }
      if status == ok || status == noMemory || status == columnIsFull && root.column.count > 0 {
        return status
      }
      let (place, isOverLimit, limit) = (source.place, budget.isExceeded, budget.limit)
      if isOverLimit { dropRows() }
      return reject(line) { call, error in
        if status != columnIsFull { return call.diagnose(context, status) }
        if isOverLimit { return call.refuseMemory(context, limit) }
        return error.refuse(
          DECANT_TOO_LARGE, "a string or a list is too long for a column", at: place)
      }
    }
  }

  /// Why members of a document are unknown, where that is looked for.
  @inline(never)
  private func check(_ json: JSON) -> Status {
    looksForUnknown ? record.checkMembers(json, settings) : ok
  }

  /// Fills the first row of columns without space, which get hardly more than they need.
  private mutating func fillTightly(_ json: JSON, reading bytes: Bytes) -> Status {
    dropRows()
    budget.isTight = true
    defer { budget.isTight = false }
    return fillAlone(json, reading: bytes)
  }

  /// Fills the next row from a line that is read by itself.
  @inline(never)
  private func fillAlone(_ json: JSON, reading bytes: Bytes) -> Status {
    fill(json, reading: bytes)
  }

  /// Fills the next row from a document in `bytes`. After a failure the columns have no row more.
  @inline(__always)
  private func fill(_ json: JSON, reading bytes: Bytes) -> Status {
    let root = root
    guard root.column.reserveRow() else { return budget.isExceeded ? columnIsFull : noMemory }
    let visitor = ColumnFill(reading: bytes, input: root.column.borrowed)
    var walk = RecordWalk(visitor, over: json)
    let status = walk.visit(record, json, at: root)
    if status != ok {
      root.column.cut(to: root.column.count)
      return status == noMemory && budget.isExceeded ? columnIsFull : status
    }
    if hasLines {
      root.column.children[record.fieldCount].column.add(Int64(source.place.line))
    }
    root.column.added()
    return ok
  }

  private mutating func reject(
    _ line: Bytes, _ report: (Call, ErrorOut) -> Status
  ) -> Status {
    if !keepsRejects { return ok }
    if rejected >= mostRejects {
      others += 1
      return ok
    }
    let (record, settings, root) = (record, settings, root)
    let code = error.take(isBrief: true) { error in
      // Nothing is stored where the struct would be.
      let call = Call(
        record: record, check: nil, out: root.memory, settings: settings, error: error)
      return report(call, error)
    }
    if code == noMemory { return noMemory }
    let isRedacted = settings.rules.redacts != 0
    guard rejects.add(error, line, at: source.place, isRedacted: isRedacted) else {
      return noMemory
    }
    rejected += 1
    return ok
  }

  /// Rejects the document around the elements of an array, if it is wrong.
  private mutating func checkAround() -> Status {
    guard keepsRejects, let (array, end) = source.around else { return ok }
    let (settings, root) = (settings, root)
    var error = decant_error.empty
    let code = error.take(isBrief: true) { array.check(endingAt: end, settings, root.memory, $0) }
    if code == ok || code == noMemory { return code }
    if rejected >= mostRejects {
      others += 1
      return ok
    }
    if !rejects.add(error) { return noMemory }
    rejected += 1
    return ok
  }
}
