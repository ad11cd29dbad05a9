// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The same direction in C and C++: the structs of BenchmarkModels.h as text, by a table and by rivals.

import BenchmarkSupport
import Corpora
import DecantRecords
import RivalJansson

/// A struct of a work, and who writes it.
public final class ForeignWriters {
  /// Who writes, in the order of the tables.
  public let names: [String]
  private let work: benchmark_work
  private let model: OpaquePointer
  private let writers: [(functions: benchmark_writer, state: UnsafeMutableRawPointer)]

  public init(_ work: Work, _ document: Document) throws {
    let foreign = benchmark_work(rawValue: work.rawValue)
    let (bytes, length) = document.characters
    guard let model = decant_writer_model_open(foreign, bytes, length) else {
      throw ContenderFailure()
    }
    let all =
      [decant_records_writer] + Rivals.writers + [jansson_dumpb_writer, jansson_pack_writer]
    let root = decant_writer_model_root(model)
    self.work = foreign
    self.model = model
    names = all.map { String(cString: $0.name) }
    writers = try all.map { functions in
      guard let state = functions.open(foreign, root) else { throw ContenderFailure() }
      return (functions, state)
    }
  }

  deinit {
    for writer in writers { writer.functions.close(writer.state) }
    decant_writer_model_close(model)
  }

  /// Writes so many times. This is what the clock sees.
  public func write(_ place: Int, times: Int) throws {
    var length = 0
    let (functions, state) = writers[place]
    if functions.write(state, times, &length) == nil { throw ContenderFailure() }
  }

  /// What somebody writes: its length, and the checksum of what is decoded from it.
  public func checksum(_ place: Int) throws -> (length: Int, sum: UInt64) {
    var length = 0
    var sum: UInt64 = 0
    let (functions, state) = writers[place]
    guard let text = functions.write(state, 1, &length) else { throw ContenderFailure() }
    let status = decant_records_contender.checksum(work, text, length, &sum)
    if status != 0 { throw ContenderFailure(status: Int(status)) }
    return (length, sum)
  }
}
