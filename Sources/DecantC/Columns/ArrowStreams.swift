// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The two streams of a reader, which both hold it: the last one that is released ends it. A lock lets two threads use
// one stream each.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What both streams share.
@safe
private struct SharedReader {
  var reader: ColumnReader
  // SAFETY: a lock of this reader's alone, until `release` frees both.
  let lock: OpaquePointer
  var hasRows: Bool
  var hasRejects: Bool
  /// Batches that were read when rejects were asked for.
  // SAFETY: a list of batches in memory of the reader's.
  var first: UnsafeMutablePointer<WaitingBatch>?
  var last: UnsafeMutablePointer<WaitingBatch>?
  /// What the next call for rows returns.
  var waitingFailure = ok
  /// What the last call returned: for rows, and for rejects.
  var rowsFailure = ok
  var rejectsFailure = ok
}

/// A batch that waits to be asked for.
@safe
private struct WaitingBatch {
  var array: ArrowArray
  var next: UnsafeMutablePointer<WaitingBatch>?
}

/// Makes the streams of a reader, of which either may be nil. `noMemory` leaves the reader to the caller.
@unsafe
func openStreams(
  _ reader: ColumnReader, _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
  _ rejects: UnsafeMutablePointer<ArrowArrayStream>?
) -> Status {
  let size = MemoryLayout<SharedReader>.size
  guard let block = unsafe reader.memory.allocate(size) else { return noMemory }
  guard let lock = unsafe reader.memory.withAllocator({ unsafe decant_lock_make($0) }) else {
    unsafe reader.memory.release(block, size)
    return noMemory
  }
  let shared = unsafe block.bindMemory(to: SharedReader.self, capacity: 1)
  unsafe shared.initialize(
    to: SharedReader(
      reader: reader, lock: lock, hasRows: rows != nil, hasRejects: rejects != nil, first: nil,
      last: nil))
  if let rows = unsafe rows {
    var stream = ArrowArrayStream()
    unsafe stream.get_schema = { unsafe schema($0, $1, isRows: true) }
    unsafe stream.get_next = { unsafe next($0, $1, isRows: true) }
    unsafe stream.get_last_error = { unsafe lastError($0, isRows: true) }
    unsafe stream.release = { unsafe release($0, isRows: true) }
    unsafe stream.private_data = block
    unsafe rows.pointee = stream
  }
  if let rejects = unsafe rejects {
    var stream = ArrowArrayStream()
    unsafe stream.get_schema = { unsafe schema($0, $1, isRows: false) }
    unsafe stream.get_next = { unsafe next($0, $1, isRows: false) }
    unsafe stream.get_last_error = { unsafe lastError($0, isRows: false) }
    unsafe stream.release = { unsafe release($0, isRows: false) }
    unsafe stream.private_data = block
    unsafe rejects.pointee = stream
  } else {
    unsafe shared.pointee.reader.dropRejects()
  }
  return ok
}

// MARK: - Callbacks

// SAFETY: a consumer calls them with a stream that was made above and was not released, as Arrow demands.

/// Numbers of errno.h, which are these everywhere.
private let outOfMemoryNumber: CInt = 12
private let inputOutputNumber: CInt = 5
private let invalidNumber: CInt = 22

@unsafe
private func shared(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?
) -> UnsafeMutablePointer<SharedReader>? {
  unsafe stream?.pointee.private_data?.assumingMemoryBound(to: SharedReader.self)
}

@unsafe
private func schema(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowSchema>?,
  isRows: Bool
) -> CInt {
  guard let shared = unsafe shared(stream), let out = unsafe out else { return invalidNumber }
  unsafe decant_lock_enter(shared.pointee.lock)
  defer { unsafe decant_lock_leave(shared.pointee.lock) }
  let node = unsafe ArrowNode(shared.pointee.place(isRows: isRows))
  let isMade = unsafe SchemaMaker(memory: shared.pointee.reader.memory).make(out, node)
  return unsafe shared.pointee.answer(isMade ? ok : noMemory, isRows: isRows)
}

@unsafe
private func next(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowArray>?,
  isRows: Bool
) -> CInt {
  guard let shared = unsafe shared(stream), let out = unsafe out else { return invalidNumber }
  unsafe decant_lock_enter(shared.pointee.lock)
  defer { unsafe decant_lock_leave(shared.pointee.lock) }
  let status = unsafe isRows ? shared.pointee.nextRows(out) : shared.pointee.nextRejects(out)
  return unsafe shared.pointee.answer(status, isRows: isRows)
}

@unsafe
private func lastError(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, isRows: Bool
) -> UnsafePointer<CChar>? {
  guard let shared = unsafe shared(stream) else { return nil }
  let failure = unsafe isRows ? shared.pointee.rowsFailure : shared.pointee.rejectsFailure
  let words: StaticString
  switch failure {
  case ok: return nil
  case noMemory: words = "out of memory; the same call may be tried again"
  default: words = "the input could not be read"
  }
  return unsafe UnsafeRawPointer(words.utf8Start).assumingMemoryBound(to: CChar.self)
}

@unsafe
private func release(_ stream: UnsafeMutablePointer<ArrowArrayStream>?, isRows: Bool) {
  guard let stream = unsafe stream, let shared = unsafe shared(stream) else { return }
  unsafe stream.pointee.release = nil
  unsafe stream.pointee.private_data = nil
  let lock = unsafe shared.pointee.lock
  unsafe decant_lock_enter(lock)
  let isLast = unsafe shared.pointee.close(isRows: isRows)
  unsafe decant_lock_leave(lock)
  if !isLast { return }
  let memory = unsafe shared.pointee.reader.memory
  unsafe shared.pointee.reader.end()
  unsafe memory.withAllocator { unsafe decant_lock_free(lock, $0) }
  unsafe memory.release(shared, MemoryLayout<SharedReader>.size)
}

// MARK: - Batches

extension SharedReader {
  fileprivate func place(isRows: Bool) -> ColumnRef { isRows ? reader.root : reader.rejects.place }

  fileprivate mutating func answer(_ status: Status, isRows: Bool) -> CInt {
    if isRows { rowsFailure = status } else { rejectsFailure = status }
    switch status {
    case ok: return 0
    case noMemory: return outOfMemoryNumber
    // What the caller's function returned.
    default: return status == .min ? inputOutputNumber : -status
    }
  }

  @unsafe
  fileprivate mutating func nextRows(_ out: UnsafeMutablePointer<ArrowArray>) -> Status {
    if unsafe takeWaiting(out) { return ok }
    if waitingFailure != ok {
      defer { waitingFailure = ok }
      return waitingFailure
    }
    let status = reader.isAtEnd ? ok : reader.readBatch()
    if status != ok {
      if reader.root.column.count == 0 || status == noMemory { return status }
      // Rows that were read before the input failed are a batch; the next call tells of the failure.
      waitingFailure = status
    }
    return unsafe make(out, reader.root)
  }

  @unsafe
  fileprivate mutating func nextRejects(_ out: UnsafeMutablePointer<ArrowArray>) -> Status {
    while !reader.isAtEnd, reader.rejects.count < rejectsOfBatch {
      let status = reader.readBatch()
      if status != ok { return status }
      if !hasRows {
        reader.dropRows()
      } else if reader.root.column.count > 0, unsafe !keepBatch() {
        return noMemory
      }
    }
    return unsafe make(out, reader.rejects.place)
  }

  /// Hands out the rows of columns; at the end, an array that is released.
  @unsafe
  private func make(_ out: UnsafeMutablePointer<ArrowArray>, _ place: ColumnRef) -> Status {
    if place.column.count == 0 {
      unsafe out.pointee = ArrowArray()
      return ok
    }
    return unsafe ArrayMaker(memory: reader.memory).make(out, ArrowNode(place)) ? ok : noMemory
  }

  /// Keeps the rows that were read for the rows' stream. False if there is no memory; then they stay where they are.
  @unsafe
  private mutating func keepBatch() -> Bool {
    let size = MemoryLayout<WaitingBatch>.size
    guard let block = unsafe reader.memory.allocate(size) else { return false }
    let batch = unsafe block.bindMemory(to: WaitingBatch.self, capacity: 1)
    unsafe batch.initialize(to: WaitingBatch(array: ArrowArray(), next: nil))
    guard unsafe make(&batch.pointee.array, reader.root) == ok else {
      unsafe reader.memory.release(block, size)
      return false
    }
    if let last = unsafe last { unsafe last.pointee.next = batch } else { unsafe first = batch }
    unsafe last = batch
    return true
  }

  /// Hands out the first batch that waits; false if none does.
  @unsafe
  private mutating func takeWaiting(_ out: UnsafeMutablePointer<ArrowArray>) -> Bool {
    guard let batch = unsafe first else { return false }
    unsafe out.pointee = batch.pointee.array
    unsafe first = batch.pointee.next
    if unsafe first == nil { unsafe last = nil }
    unsafe reader.memory.release(batch, MemoryLayout<WaitingBatch>.size)
    return true
  }

  /// Closes one of the streams; true if it was the last one.
  fileprivate mutating func close(isRows: Bool) -> Bool {
    if isRows {
      hasRows = false
      reader.dropRows()
      var array = ArrowArray()
      while unsafe takeWaiting(&array) { unsafe array.release?(&array) }
    } else {
      hasRejects = false
      reader.dropRejects()
    }
    return !hasRows && !hasRejects
  }
}

/// Rows of a batch of rejects.
private let rejectsOfBatch = 1 << 12
