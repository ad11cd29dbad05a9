// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Contenders written in C and C++, behind the interface of BenchmarkSupport.h.

import BenchmarkSupport
import Corpora

/// A contender that is a table of C functions.
struct ForeignContender: Contender {
  private let functions: benchmark_contender

  init(_ functions: benchmark_contender) {
    self.functions = functions
  }

  var name: String { String(cString: functions.name) }

  func job(_ work: Work, _ document: Document) -> Job? {
    let foreign = benchmark_work(rawValue: work.rawValue)
    let functions = functions
    return Job(
      decode: { times in
        let (bytes, length) = document.characters
        try Self.check(functions.decode(foreign, bytes, length, times, nil, nil))
      },
      hold: { body in
        let (bytes, length) = document.characters
        var body = body
        try withUnsafeMutablePointer(to: &body) { context in
          try Self.check(
            functions.decode(
              foreign, bytes, length, 1,
              { $0!.assumingMemoryBound(to: (() -> Void).self).pointee() }, context))
        }
      },
      checksum: {
        let (bytes, length) = document.characters
        var sum: UInt64 = 0
        try Self.check(functions.checksum(foreign, bytes, length, &sum))
        return sum
      })
  }

  private static func check(_ status: CInt) throws {
    if status != 0 { throw ContenderFailure(status: Int(status)) }
  }
}

/// A contender did not decode a document.
struct ContenderFailure: Error {
  var status = -1
}

extension Document {
  /// The padded bytes as C takes them.
  var characters: (UnsafePointer<CChar>, Int) {
    (padded.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
  }
}
