// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
//   codable-shapes COUNT [SEED]    compares the decoders on so many random documents, ten for each random shape,
//                                  and ends with a line "N executions, N differences"; status 1 if there is a
//                                  difference
//
// The target `codable` of the fuzzer does the same with inputs that libFuzzer finds. This program has no
// instrumentation and is ten times as fast.

import CodableShapes
import Foundation

@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) ?? 0 }
    let count = arguments.first ?? 100_000
    var random = Random(state: arguments.dropFirst().first ?? UInt64.random(in: 0 ... .max))
    print("seed \(random.state)")
    var differences = 0
    var input = [UInt8](repeating: 0, count: 160)
    var shape = input.withUnsafeBytes { ChosenShape($0) }
    setvbuf(stdout, nil, _IOLBF, 0)
    for execution in 0..<count {
      if execution > 0 && execution % 100_000 == 0 {
        print("\(execution) executions, \(differences) differences so far")
      }
      if execution % documentsOfShape == 0 {
        random.fill(&input)
        shape = input.withUnsafeBytes { ChosenShape($0) }
      }
      random.fill(&input)
      guard let difference = input.withUnsafeBytes({ shape.difference($0) }) else { continue }
      differences += 1
      if differences <= 40 { print(difference, terminator: "\n\n") }
    }
    print("\(count) executions, \(differences) differences")
    exit(differences == 0 ? 0 : 1)
  }

  private static let documentsOfShape: UInt64 = 10
}
