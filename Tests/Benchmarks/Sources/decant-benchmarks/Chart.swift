// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The picture of a run: for each work a group of bars, one bar a contender, on a logarithmic scale
// of how many times faster than JSONDecoder it is. Bars begin at 1; slower contenders reach to the
// left.

import Corpora
import Foundation

struct Chart {
  private let results: Results
  private let features: String
  private let names: [String]
  private let largest: Double
  private let smallest: Double

  init(_ results: Results, features: String) {
    self.results = results
    self.features = features
    names = results.contenders.filter { $0 != Results.baseline }
    let speeds = names.flatMap { name in results.works.compactMap { results.speed(name, $0) } }
    largest = max(speeds.max() ?? 1, 10)
    smallest = min(speeds.min() ?? 1, 1)
  }

  // MARK: - Measures

  private let plotLeft = 220.0
  private let plotWidth = 560.0
  private let top = 102.0
  private let barHeight = 13.0
  private let barStep = 16.0
  private let groupGap = 28.0

  private var groupHeight: Double { Double(names.count) * barStep + groupGap }
  private var bottom: Double { top + Double(results.works.count) * groupHeight - 16 }

  /// Where a speed lies on the horizontal axis.
  private func x(_ speed: Double) -> Double {
    let span = log10(largest * 1.15) - log10(smallest * 0.9)
    return plotLeft + (log10(speed) - log10(smallest * 0.9)) / span * plotWidth
  }

  private var ticks: [Double] {
    [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].filter { $0 >= smallest && $0 <= largest }
  }

  // MARK: - Drawing

  /// The picture. It follows the reader's light or dark colours.
  var text: String {
    let height = fixed(bottom + 34, 0)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 \(height)" width="840" \
      height="\(height)" role="img" aria-labelledby="title">
      <title id="title">How many times faster than JSONDecoder, by document and decoder</title>
      <style>
      text { font: 12px system-ui, sans-serif; fill: #57606a }
      .title { font-size: 16px; font-weight: 600; fill: #24292f }
      .work { font-size: 13px; font-weight: 600; fill: #24292f }
      .value { fill: #24292f }
      .own { fill: #0f766e }
      .rival { fill: #a8b0b8 }
      .grid { stroke: #8b949e; stroke-opacity: .25 }
      .one { stroke: #8b949e }
      @media (prefers-color-scheme: dark) {
      text { fill: #9ba4ae }
      .title, .work, .value { fill: #e6edf3 }
      .own { fill: #2dd4bf }
      .rival { fill: #5b646e }
      }
      </style>
      <text class="title" x="20" y="28">Times faster than JSONDecoder</text>
      <text x="20" y="48">Bytes to typed models, one machine, one run; logarithmic scale</text>
      <text x="20" y="66">\(features)</text>
      \(axis)
      \(groups)
      </svg>

      """
  }

  private var axis: String {
    ticks.map { tick in
      let position = fixed(x(tick), 1)
      let label = tick < 1 ? "\(tick)×" : "\(Int(tick))×"
      return """
        <line class="\(tick == 1 ? "one" : "grid")" x1="\(position)" x2="\(position)" \
        y1="\(fixed(top - 20, 0))" y2="\(fixed(bottom, 0))"/>
        <text x="\(position)" y="\(fixed(bottom + 18, 0))" text-anchor="middle">\(label)</text>
        """
    }.joined(separator: "\n")
  }

  private var groups: String {
    results.works.enumerated().map { index, work in
      group(work, y: top + Double(index) * groupHeight)
    }.joined(separator: "\n")
  }

  private func group(_ work: Work, y: Double) -> String {
    let title = "<text class=\"work\" x=\"20\" y=\"\(fixed(y - 5, 1))\">\(work.name)</text>"
    let speeds = names.compactMap { name in results.speed(name, work).map { (name, $0) } }
    let bars = speeds.enumerated().map { index, speed in
      bar(speed.0, speed.1, y: y + Double(index) * barStep)
    }
    return ([title] + bars).joined(separator: "\n")
  }

  private func bar(_ name: String, _ speed: Double, y: Double) -> String {
    let (from, to) = (min(x(1), x(speed)), max(x(1), x(speed)))
    let kind = name.hasPrefix("decant") ? "own" : "rival"
    let baseline = fixed(y + 10.5, 1)
    return """
      <text x="\(fixed(plotLeft - 8, 0))" y="\(baseline)" text-anchor="end">\(name)</text>
      <rect class="\(kind)" x="\(fixed(from, 1))" y="\(fixed(y, 1))" \
      width="\(fixed(max(to - from, 1), 1))" height="\(fixed(barHeight, 0))" rx="2"/>
      <text class="value" x="\(fixed(to + 5, 1))" y="\(baseline)">\(digits(speed))</text>
      """
  }
}
