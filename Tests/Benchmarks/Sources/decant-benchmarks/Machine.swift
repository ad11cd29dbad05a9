// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The machine and the tools a run was made with.

import Contenders
import Foundation

/// What the reader of a figure needs to know about where it comes from.
enum Machine {
  static var text: String {
    let lines = [
      "processor  \(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores",
      "system     \(ProcessInfo.processInfo.operatingSystemVersionString)",
      "features   \(processorFeatures)",
    ]
    return lines.joined(separator: "\n")
  }

  private static var processor: String {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    func value(_ key: String) -> String? {
      information.split(separator: "\n").first { $0.hasPrefix(key) }?
        .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let model = value("model name") ?? "unknown"
    guard let family = value("cpu family"), let number = value("model\t") else { return model }
    return "\(model) (family \(family), model \(number))"
  }
}
