// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The two streams of a reader, which both hold it: the last one that is released ends it. A lock lets two threads use
// one stream each.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What both streams share.
private struct SharedReader {
  var reader: ColumnReader
  let lock: Lock
  var hasRows: Bool
  var hasRejects: Bool
  /// Batches that were read when rejects were asked for.
  var first: Handle<WaitingBatch>?
  var last: Handle<WaitingBatch>?
  /// Why reading failed, once what is complete was handed out: for rows, and for rejects.
  var waitingFailure = ok
  var waitingFailureOfRejects = ok
  /// What the last call returned: for rows, and for rejects.
  var rowsFailure = ok
  var rejectsFailure = ok
}

/// A batch that waits to be asked for.
private struct WaitingBatch {
  var array = ArrowArray()
  var next: Handle<WaitingBatch>?
}

@safe
private struct Lock {
  // SAFETY: a lock that was made, until `free`.
  private let lock: OpaquePointer

  /// Nil if there is no memory.
  init?(_ memory: decant_allocator) {
    var memory = memory
    guard let lock = unsafe decant_lock_make(&memory) else { return nil }
    unsafe self.lock = lock
  }

  /// Calls `body` while no other thread does.
  func hold<Result>(_ body: () -> Result) -> Result {
    unsafe decant_lock_enter(lock)
    defer { unsafe decant_lock_leave(lock) }
    return body()
  }

  func free(_ memory: decant_allocator) {
    var memory = memory
    unsafe decant_lock_free(lock, &memory)
  }
}

/// The places of a caller's streams, either of which may be missing.
@safe
struct StreamPlaces {
  // SAFETY: the caller's structs, to be written over.
  private let rows: UnsafeMutablePointer<ArrowArrayStream>?
  private let rejects: UnsafeMutablePointer<ArrowArrayStream>?

  /// Nil if both are missing.
  init?(
    _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
    _ rejects: UnsafeMutablePointer<ArrowArrayStream>?
  ) {
    guard unsafe rows != nil || rejects != nil else { return nil }
    unsafe (self.rows, self.rejects) = (rows, rejects)
  }

  /// Makes the streams of a reader. `noMemory` leaves the reader to the caller.
  func open(_ reader: ColumnReader) -> Status {
    let memory = reader.memory
    guard let lock = Lock(memory) else { return noMemory }
    let (hasRows, hasRejects) = unsafe (rows != nil, rejects != nil)
    guard
      let shared = Handle(
        SharedReader(reader: reader, lock: lock, hasRows: hasRows, hasRejects: hasRejects), memory)
    else {
      lock.free(memory)
      return noMemory
    }
    if !hasRejects { shared.value.reader.dropRejects() }
    var stream = ArrowArrayStream()
    unsafe stream.private_data = shared.raw
    unsafe (stream.get_schema, stream.get_next, stream.get_last_error, stream.release) = (
      { makeSchema($0, $1, isRows: true) }, { makeNext($0, $1, isRows: true) },
      { lastError($0, isRows: true) }, { release($0, isRows: true) }
    )
    unsafe rows?.pointee = stream
    unsafe (stream.get_schema, stream.get_next, stream.get_last_error, stream.release) = (
      { makeSchema($0, $1, isRows: false) }, { makeNext($0, $1, isRows: false) },
      { lastError($0, isRows: false) }, { release($0, isRows: false) }
    )
    unsafe rejects?.pointee = stream
    return ok
  }
}

// MARK: - Callbacks

// SAFETY: a consumer calls them with a stream that was made above and was not released, and with a struct to be
// written over, as Arrow demands. They are called through the streams alone, so that they are safe to name here.

/// Numbers of errno.h, which Embedded Swift cannot import: WebAssembly has those of WASI, and these are everybody else's.
#if arch(wasm32)
  private let outOfMemoryNumber: CInt = 48
  private let inputOutputNumber: CInt = 29
  private let invalidNumber: CInt = 28
#else
  private let outOfMemoryNumber: CInt = 12
  private let inputOutputNumber: CInt = 5
  private let invalidNumber: CInt = 22
#endif

private func shared(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?
) -> Handle<SharedReader>? { unsafe Handle(stream?.pointee.private_data) }

@safe
private func makeSchema(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowSchema>?,
  isRows: Bool
) -> CInt {
  guard let shared = unsafe shared(stream), let out = unsafe ArrowExport(out) else {
    return invalidNumber
  }
  return shared.value.lock.hold {
    let maker = SchemaMaker(memory: shared.value.reader.memory)
    let isMade = maker.make(out, ArrowNode(shared.value.place(isRows: isRows)))
    return shared.value.answer(isMade ? ok : noMemory, isRows: isRows)
  }
}

@safe
private func makeNext(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowArray>?,
  isRows: Bool
) -> CInt {
  guard let shared = unsafe shared(stream), let out = unsafe ArrowExport(out) else {
    return invalidNumber
  }
  return shared.value.lock.hold {
    let status = isRows ? shared.value.nextRows(out) : shared.value.nextRejects(out)
    return shared.value.answer(status, isRows: isRows)
  }
}

@safe
private func lastError(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, isRows: Bool
) -> UnsafePointer<CChar>? {
  guard let shared = unsafe shared(stream)?.value else { return nil }
  let words: StaticString
  switch isRows ? shared.rowsFailure : shared.rejectsFailure {
  case ok: return nil
  case noMemory: words = "out of memory; the same call may be tried again"
  default: words = "the input could not be read"
  }
  return unsafe words.bytes.memory?.textPointer
}

@safe
private func release(_ stream: UnsafeMutablePointer<ArrowArrayStream>?, isRows: Bool) {
  guard let stream = unsafe stream, let shared = unsafe shared(stream) else { return }
  unsafe (stream.pointee.release, stream.pointee.private_data) = (nil, nil)
  let lock = shared.value.lock
  if !lock.hold({ shared.value.close(isRows: isRows) }) { return }
  let memory = shared.value.reader.memory
  shared.value.reader.end()
  lock.free(memory)
  shared.release(memory)
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

  fileprivate mutating func nextRows(_ out: ArrowExport<ArrowArray>) -> Status {
    if let batch = takeWaiting() {
      out.exported = batch
      return ok
    }
    if waitingFailure == ok, !reader.isAtEnd {
      let status = reader.readBatch()
      if status == noMemory { return status }
      waitingFailure = status
    }
    return make(out, reader.root, before: &waitingFailure)
  }

  fileprivate mutating func nextRejects(_ out: ArrowExport<ArrowArray>) -> Status {
    while waitingFailureOfRejects == ok, !reader.isAtEnd, reader.rejects.count < rejectsOfBatch {
      let status = reader.readBatch()
      if status == noMemory { return status }
      waitingFailureOfRejects = status
      if !hasRows {
        reader.dropRows()
      } else if reader.root.column.count > 0, !keepBatch() {
        return noMemory
      }
    }
    return make(out, reader.rejects.place, before: &waitingFailureOfRejects)
  }

  /// Hands out what was complete before reading failed, if it did; or tells of the failure.
  private func make(
    _ out: ArrowExport<ArrowArray>, _ place: ColumnRef, before failure: inout Status
  ) -> Status {
    if failure == ok || place.column.count > 0 { return make(out, place) }
    defer { failure = ok }
    return failure
  }

  /// Hands out the rows of columns; at the end, an array that is released.
  private func make(_ out: ArrowExport<ArrowArray>, _ place: ColumnRef) -> Status {
    if place.column.count == 0 {
      out.exported = ArrowArray()
      return ok
    }
    return ArrayMaker(memory: reader.memory).make(out, ArrowNode(place)) ? ok : noMemory
  }

  /// Keeps the rows that were read for the rows' stream. False if there is no memory; then they stay where they are.
  private mutating func keepBatch() -> Bool {
    guard let batch = Handle(WaitingBatch(), reader.memory) else { return false }
    let status = unsafe withUnsafeMutablePointer(to: &batch.value.array) { array in
      unsafe ArrowExport(array).map { make($0, reader.root) }
    }
    guard status == ok else {
      batch.release(reader.memory)
      return false
    }
    if let last { last.value.next = batch } else { first = batch }
    last = batch
    return true
  }

  /// The first batch that waits; nil if none does.
  private mutating func takeWaiting() -> ArrowArray? {
    guard let batch = first else { return nil }
    defer { batch.release(reader.memory) }
    first = batch.value.next
    if first == nil { last = nil }
    return batch.value.array
  }

  /// Closes one of the streams; true if it was the last one.
  fileprivate mutating func close(isRows: Bool) -> Bool {
    if isRows {
      hasRows = false
      reader.dropRows()
      while var array = takeWaiting() { array.callRelease() }
    } else {
      hasRejects = false
      reader.dropRejects()
    }
    return !hasRows && !hasRejects
  }
}

/// Rows of a batch of rejects.
private let rejectsOfBatch = 1 << 12
