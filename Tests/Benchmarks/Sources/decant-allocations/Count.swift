// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What one contender asks of the allocator for one document.

import AllocationMeter
import Contenders

struct Count {
  /// Calls to the allocator in one decode, when caches are warm.
  var allocations: Int

  /// The same, less the blocks that the model itself is made of.
  var beyondModel: Int

  /// Bytes in the model's blocks.
  var model: Int

  /// The most that is live at one moment of the first decode, less what was before it and the
  /// model.
  var peak: Int

  var fields: [Int] { [allocations, beyondModel, model, peak] }
}

extension Count {
  /// Counts a job that has not run yet.
  init(_ job: Job) throws {
    let before = allocation_meter_read()
    allocation_meter_reset_peak()
    let first = try Self.hold(job)
    try job.decode(2)
    let warm = try Self.hold(job)
    let model = first.held.live - first.after.live
    let calls = warm.held.allocations - warm.before.allocations
    self.init(
      allocations: Int(calls),
      beyondModel: Int(calls - (warm.after.frees - warm.held.frees)),
      model: Int(model),
      peak: Int(max(0, first.after.peak - before.live - model)))
  }

  init?(fields line: String) {
    let fields = line.split { $0.isWhitespace }.compactMap { Int($0) }
    guard fields.count == 4 else { return nil }
    self.init(allocations: fields[0], beyondModel: fields[1], model: fields[2], peak: fields[3])
  }

  private typealias Readings = (
    before: allocation_reading, held: allocation_reading, after: allocation_reading
  )

  /// The meter before a decode, while its model is whole, and when the model is gone.
  private static func hold(_ job: Job) throws -> Readings {
    let before = allocation_meter_read()
    try job.hold { held = allocation_meter_read() }
    return (before, held, allocation_meter_read())
  }

  /// Static, because a variable that a closure captures is an allocation of its own.
  nonisolated(unsafe) private static var held = allocation_reading()
}
