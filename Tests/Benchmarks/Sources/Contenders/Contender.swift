// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Who takes part, and what is asked of it. To add a contender: write its file, add it to the list.

import BenchmarkSupport
import Corpora

/// One way of making models from JSON.
public protocol Contender {
  var name: String { get }

  /// What the reader of the tables must know about it.
  var remark: String? { get }

  /// The work over this document, ready to run; nil where the contender does not take part.
  func job(_ work: Work, _ document: Document) -> Job?
}

extension Contender {
  public var remark: String? { nil }
}

/// Everybody, in the order of the tables.
public var contenders: [any Contender] {
  let all: [(any Contender)?] = [
    DecantModel(),
    DecantTry(),
    DecantBuild(),
    DecantOperators(),
    DecantCodable(),
    DecantJansson(),
    ForeignContender.decantRecords,
    ForeignContender.decantRecordsEmbedded,
    FoundationJSONDecoder(),
    FoundationJSONSerialization(),
    JanssonSwift(),
    ForeignContender.janssonUnpack,
  ]
  return all.compactMap { $0 } + Rivals.contenders
}

/// A contender at work on one document.
public struct Job {
  /// Makes and destroys the model so many times. This is what the clock sees.
  public let decode: (_ times: Int) throws -> Void

  /// Makes the model once, runs the closure while the model is whole, and destroys it.
  public let hold: (_ body: @escaping () -> Void) throws -> Void

  /// Makes the model once, by the same code, and adds up all its fields.
  public let checksum: () throws -> UInt64
}

extension Job {
  /// A job from the expression that makes the model.
  ///
  /// Inlined, so that the loop is compiled for the model's type, as it is in C and C++.
  @inline(__always)
  init<Model: Checksummed>(_ model: @escaping () throws -> Model) {
    decode = { times in
      for _ in 0..<times {
        let made = try model()
        withUnsafePointer(to: made) { benchmark_keep($0) }
      }
    }
    hold = { body in
      let made = try model()
      withExtendedLifetime(made) { body() }
    }
    checksum = {
      var sum = Checksum()
      try model().add(to: &sum)
      return sum.value
    }
  }
}
