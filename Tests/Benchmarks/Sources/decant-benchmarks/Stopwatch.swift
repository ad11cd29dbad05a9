// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Wall time of a job: batches long enough for the clock, and the least of many.

import Contenders
import Glibc

/// Nanoseconds of the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// One job under the clock.
struct Stopwatch {
  /// The least time of one decode so far, in nanoseconds.
  private(set) var best = Double.infinity

  private let decode: (Int) throws -> Void
  private var batch = 1

  /// A sample takes at least this long, or is one decode.
  private static let sampleFloor = 1e6

  /// Warms the job up and finds how many decodes make a sample.
  init(_ decode: @escaping (_ times: Int) throws -> Void) throws {
    self.decode = decode
    while try sample() < Self.sampleFloor { batch *= 2 }
    best = .infinity
  }

  init(_ job: Job) throws {
    try self.init(job.decode)
  }

  /// Takes samples for about `nanoseconds`, at least one.
  mutating func run(for nanoseconds: Double) throws {
    var left = nanoseconds
    repeat { left -= try sample() } while left > 0
  }

  /// Takes one sample and returns how long it was.
  private mutating func sample() throws -> Double {
    let start = now()
    try decode(batch)
    let elapsed = now() - start
    best = min(best, elapsed / Double(batch))
    return elapsed
  }
}
