// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The measurements of one run, and how people see them.

import Corpora

/// Measurements by contender and work.
struct Results {
  static let baseline = "foundation.JSONDecoder"
  static let stateOfTheArt = "simdjson.ondemand"

  var measurements: [Measurement]

  /// In the order in which they were measured, which is the order of the list of contenders.
  var contenders: [String] {
    measurements.reduce(into: []) { names, measurement in
      if !names.contains(measurement.contender) { names.append(measurement.contender) }
    }
  }

  var works: [Work] {
    Work.allCases.filter { work in measurements.contains { $0.work == work } }
  }

  subscript(contender: String, work: Work) -> Double? {
    measurements.first { $0.contender == contender && $0.work == work }?.nanoseconds
  }

  /// How many times faster than JSONDecoder.
  func speed(_ contender: String, _ work: Work) -> Double? {
    guard let own = self[contender, work], let other = self[Self.baseline, work] else { return nil }
    return other / own
  }

  /// The time divided by On-Demand's.
  func ratio(_ contender: String, _ work: Work) -> Double? {
    guard let own = self[contender, work], let other = self[Self.stateOfTheArt, work] else {
      return nil
    }
    return own / other
  }

  /// Three tables: times, times faster than JSONDecoder, time against On-Demand.
  var text: String {
    let tables = [
      table("time per decode") { name, work in self[name, work].map(time(nanoseconds:)) },
      table("times faster than \(Self.baseline)") { name, work in speed(name, work).map(digits) },
      table("time / \(Self.stateOfTheArt)") { name, work in ratio(name, work).map(digits) },
    ]
    return tables.joined(separator: "\n\n")
  }

  private func table(_ title: String, _ cell: (String, Work) -> String?) -> String {
    var table = Table([title] + works.map(\.name))
    for name in contenders {
      table.add([name] + works.map { cell(name, $0) ?? "-" })
    }
    return table.text
  }
}
