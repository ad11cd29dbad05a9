// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How the cost of a use grows with its document, and how it compares with its twin.
//
// The cost is the thread's instructions where the machine counts them, else its processor time. Time is
// sampled in rounds: each round runs the use at every size and the twin at the largest, so that what
// disturbs the machine disturbs all of them, and the best sample of each counts. A use that is not within
// its bounds is sampled again, up to a limit, before it fails: a busy machine makes a sample too slow, never
// too fast.

import CUses
import Decant
import Foundation

struct Growth {
  /// Of cost against size, on a doubly logarithmic scale: 1 is linear, 2 quadratic.
  static let maximumSlope = 1.1
  /// Of a use's cost to its twin's.
  static let maximumRatio = 10.0

  private static let rounds = 3...9
  /// Processor seconds for one use, and for one sample at the largest size.
  private static let patience = 8.0

  private let use: Use
  private let twin: Use?
  private let options: DecodingOptions
  private let sizes: [Int]
  private let documents: [[UInt8]]
  private let documentOfTwin: [UInt8]
  private var best: [Int]
  private var bestOfTwin = Int.max
  private var isSlow = false

  init(_ use: Use, _ options: DecodingOptions, _ sizes: [Int]) {
    self.use = use
    self.twin = uses.first { $0.name == use.twin }
    self.options = options
    self.sizes = sizes
    self.documents = sizes.map(use.make)
    self.documentOfTwin = twin?.make(sizes[sizes.count - 1]) ?? []
    self.best = sizes.map { _ in .max }
  }

  /// Nil where the engine cannot read the documents.
  mutating func measure() -> String? {
    let start = processorTime()
    guard approach() else { return isSlow ? line : nil }
    let rounds = counter >= 0 ? 1...1 : Growth.rounds
    for round in 1...rounds.upperBound {
      sample()
      let isSpent = Double(processorTime() - start) / 1e9 > Growth.patience
      if isSpent || round >= rounds.lowerBound && isFine { break }
    }
    return line
  }

  private mutating func sample() {
    for place in sizes.indices { best[place] = min(best[place], cost(use, documents[place]) ?? 0) }
    if let twin { bestOfTwin = min(bestOfTwin, cost(twin, documentOfTwin) ?? 0) }
  }

  /// Whether waiting for memory can be why a use is out of its bounds: it makes a slope steeper, not quadratic.
  var mayWait: Bool { counter < 0 && !isSlow && slope < 1.9 && ratio ?? 0 <= 100 }

  var isFine: Bool {
    !isSlow && slope < Growth.maximumSlope + 0.005 && ratio ?? 0 <= Growth.maximumRatio
  }

  private var slope: Double {
    log(Double(best[best.count - 1]) / Double(best[0]))
      / log(Double(sizes[best.count - 1]) / Double(sizes[0]))
  }

  private var ratio: Double? {
    twin.map { _ in Double(best[best.count - 1]) / Double(bestOfTwin) }
  }

  private var line: String {
    let unit = counter >= 0 ? "M instructions" : "ms"
    let cost = "\((Double(best[best.count - 1]) / 1e5).rounded() / 10) \(unit)"
    if isSlow {
      return
        "\(cost) for \(sizes[best.count - 1] / 1024) KB, too slow for more, slope \(two(slope))"
    }
    return "\(cost), slope \(two(slope))" + (ratio.map { ", \(two($0))x" } ?? "")
  }

  private func two(_ number: Double) -> String { String(format: "%.2f", number) }

  /// Comes near the first size from a sixty-fourth of it, and stops where it takes so long that the rest
  /// would take for ever.
  private mutating func approach() -> Bool {
    var costs: [(size: Int, cost: Int)] = []
    for size in (1...6).reversed().map({ sizes[0] >> $0 }) + sizes {
      let start = processorTime()
      guard let cost = cost(use, use.make(size)) else { return false }
      costs.append((size, cost))
      let seconds = Double(processorTime() - start) / 1e9
      let share = Double(size) / Double(sizes[sizes.count - 1])
      if seconds < max(0.1, Growth.patience * share) { continue }
      self = Growth(use, options, costs.suffix(3).map(\.size))
      best = costs.suffix(3).map(\.cost)
      isSlow = true
      return false
    }
    return true
  }

  private func cost(_ use: Use, _ document: [UInt8]) -> Int? {
    let start = now()
    let found = use.run(document, options)
    let cost = now() - start
    return found == 0 ? nil : cost
  }
}

/// Negative where instructions are not counted.
private let counter = instructions_open()

private func now() -> Int { counter >= 0 ? Int(instructions_read(counter)) : processorTime() }

/// Nanoseconds of this thread's: other processes do not count.
func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
