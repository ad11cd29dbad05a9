// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The two streams of a reader. Both own it; the reader ends when the second one is released.
//
// One thread at a time has the turn: it takes the turn, reads a batch, and returns the turn. It holds no lock while it
// reads, because reading calls the caller's function and allocator. The lock guards the turn, the waiting batches and the
// set of open streams, for a few instructions at a time:
//
//   rows      get_next   takes a waiting batch; otherwise takes the turn and reads
//   rejects   get_next   takes the turn and reads; the rows of each batch then wait
//   either    release    drops the stream's data, or leaves that to the thread with the turn
//   either    get_schema, get_last_error need neither lock nor turn

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The state that both streams share.
private struct SharedReader {
  let lock: Lock

  // Guarded by the lock.
  var isTaken = false
  var (hasRows, hasRejects): (Bool, Bool)
  /// Batches of rows that were made while rejects were read.
  var first: Handle<WaitingBatch>?
  var last: Handle<WaitingBatch>?

  // For the thread that has the turn.
  var reader: ColumnReader
  let owner: StreamOwner
  var (keepsRows, keepsRejects): (Bool, Bool)
  /// A failure of reading that is reported after the complete rows, and after the complete rejects.
  var waitingFailure = ok
  var waitingFailureOfRejects = ok

  // For the thread that uses the stream.
  /// What the last call returned: for rows, and for rejects.
  var rowsFailure = ok
  var rejectsFailure = ok
}

/// A batch that waits for the stream of rows.
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

  /// Waits for `wake`, in `hold`.
  func wait() { unsafe decant_lock_wait(lock) }

  func wake() { unsafe decant_lock_wake(lock) }

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

  /// Whether both are the same struct, which could be released only once.
  var areOne: Bool { unsafe rows == rejects }

  /// Makes the streams of a reader, which call the owner's function in the end. `noMemory` leaves both to the caller.
  func open(_ reader: ColumnReader, _ owner: StreamOwner) -> Status {
    let memory = reader.memory
    guard let lock = Lock(memory) else { return noMemory }
    let (hasRows, hasRejects) = unsafe (rows != nil, rejects != nil)
    guard
      let shared = Handle(
        SharedReader(
          lock: lock, hasRows: hasRows, hasRejects: hasRejects, reader: reader, owner: owner,
          keepsRows: true, keepsRejects: hasRejects), memory)
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
  // The types of columns never change.
  let maker = SchemaMaker(memory: shared.value.reader.memory)
  let isMade = maker.make(out, ArrowNode(shared.value.place(isRows: isRows)))
  return shared.value.answer(isMade ? ok : noMemory, isRows: isRows)
}

@safe
private func makeNext(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowArray>?,
  isRows: Bool
) -> CInt {
  guard let shared = unsafe shared(stream), let out = unsafe ArrowExport(out) else {
    return invalidNumber
  }
  let status = isRows ? nextRows(of: shared, out) : nextRejects(of: shared, out)
  return shared.value.answer(status, isRows: isRows)
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
  case tooManyBytes: words = "the function that reads returned more bytes than it was asked for"
  default: words = "the input could not be read"
  }
  return unsafe words.bytes.memory?.textPointer
}

@safe
private func release(_ stream: UnsafeMutablePointer<ArrowArrayStream>?, isRows: Bool) {
  guard let stream = unsafe stream, let shared = unsafe shared(stream) else { return }
  unsafe (stream.pointee.release, stream.pointee.private_data) = (nil, nil)
  let hasTurn = shared.value.lock.hold {
    if isRows { shared.value.hasRows = false } else { shared.value.hasRejects = false }
    // The thread that has the turn drops the data.
    if shared.value.isTaken { return false }
    shared.value.isTaken = true
    return true
  }
  if hasTurn { giveTurn(of: shared) }
}

// MARK: - Turns

/// Takes the turn; or, for the stream of rows, returns a waiting batch.
private func takeTurn(of shared: Handle<SharedReader>, isRows: Bool) -> Handle<WaitingBatch>? {
  shared.value.lock.hold {
    while true {
      if isRows, let batch = shared.value.takeWaiting() { return batch }
      if !shared.value.isTaken {
        shared.value.isTaken = true
        return nil
      }
      shared.value.lock.wait()
    }
  }
}

/// The work that remains before the turn is returned.
private enum Rest {
  case nothing, rows, rejects, all
}

/// Drops the data of streams that were released meanwhile, and returns the turn. If both were released, ends the reader.
private func giveTurn(of shared: Handle<SharedReader>) {
  while true {
    let rest = shared.value.lock.hold { shared.value.giveTurn() }
    switch rest {
    case .nothing: return
    case .rows:
      shared.value.keepsRows = false
      shared.value.reader.dropRows()
      shared.value.dropWaiting()
    case .rejects:
      shared.value.keepsRejects = false
      shared.value.reader.dropRejects()
    case .all:
      let (memory, lock, owner) = (
        shared.value.reader.memory, shared.value.lock, shared.value.owner
      )
      shared.value.dropWaiting()
      shared.value.reader.end()
      lock.free(memory)
      shared.release(memory)
      owner.release()
      return
    }
  }
}

private func nextRows(of shared: Handle<SharedReader>, _ out: ArrowExport<ArrowArray>) -> Status {
  if let batch = takeTurn(of: shared, isRows: true) {
    out.exported = batch.value.array
    batch.release(shared.value.reader.memory)
    return ok
  }
  defer { giveTurn(of: shared) }
  return shared.value.readRows(out)
}

private func nextRejects(
  of shared: Handle<SharedReader>, _ out: ArrowExport<ArrowArray>
) -> Status {
  _ = takeTurn(of: shared, isRows: false)
  defer { giveTurn(of: shared) }
  return shared.value.readRejects(out)
}

// MARK: - Batches

extension SharedReader {
  fileprivate func place(isRows: Bool) -> ColumnRef { isRows ? reader.root : reader.rejects.place }

  fileprivate mutating func answer(_ status: Status, isRows: Bool) -> CInt {
    if isRows { rowsFailure = status } else { rejectsFailure = status }
    switch status {
    case ok: return 0
    case noMemory: return outOfMemoryNumber
    case tooManyBytes: return inputOutputNumber
    // The number that the caller's function returned.
    default: return status == .min ? inputOutputNumber : -status
    }
  }

  /// Gives the turn back, unless there is something to do before. In the lock.
  fileprivate mutating func giveTurn() -> Rest {
    if !hasRows && !hasRejects { return .all }
    if keepsRows && !hasRows { return .rows }
    if keepsRejects && !hasRejects { return .rejects }
    isTaken = false
    lock.wake()
    return .nothing
  }

  fileprivate mutating func readRows(_ out: ArrowExport<ArrowArray>) -> Status {
    if waitingFailure == ok, !reader.isAtEnd {
      let status = reader.readBatch()
      if status == noMemory { return status }
      waitingFailure = status
    }
    return make(out, reader.root, before: &waitingFailure)
  }

  fileprivate mutating func readRejects(_ out: ArrowExport<ArrowArray>) -> Status {
    while waitingFailureOfRejects == ok, !reader.isAtEnd, reader.rejects.count < rejectsOfBatch {
      let status = reader.readBatch()
      if status == noMemory { return status }
      waitingFailureOfRejects = status
      if !keepsRows {
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
    addWaiting(batch)
    return true
  }

  private mutating func addWaiting(_ batch: Handle<WaitingBatch>) {
    let lock = lock
    lock.hold {
      if let last { last.value.next = batch } else { first = batch }
      last = batch
      // The stream of rows may wait for it.
      lock.wake()
    }
  }

  /// The first batch that waits; nil if none does. In the lock.
  fileprivate mutating func takeWaiting() -> Handle<WaitingBatch>? {
    guard let batch = first else { return nil }
    first = batch.value.next
    if first == nil { last = nil }
    return batch
  }

  /// Releases the batches that wait, once no stream can ask for them.
  fileprivate mutating func dropWaiting() {
    while let batch = takeWaiting() {
      batch.value.array.callRelease()
      batch.release(reader.memory)
    }
  }
}

/// Rows of a batch of rejects.
private let rejectsOfBatch = 1 << 12
