// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
//   decant-attack                                 the shapes, a number and a name each
//   decant-attack SHAPE CONTENDER BYTES           one answer in this process: "nanoseconds peak verdict"
//   decant-attack SHAPE CONTENDER BYTES --once    the same, asked once, to be counted by valgrind
//   decant-attack --error-time OPENING            nanoseconds until ten million of it are refused
//   decant-attack --uses                          the uses: a number, its twin's or "-", and a name each
//   decant-attack --use USE ENGINE BYTES…         how the use's cost grows; status 3 if it is out of bounds in time, as
//                                                 it may be while it waits for memory, 1 if that cannot be why
//   decant-attack --use-once USE ENGINE BYTES     runs the use once, to be counted by valgrind; with the engine
//                                                 "nobody", it makes the document alone
//
//   decant-attack --use-memory USE BYTES          the most that the process grew by, in bytes, with the native engine
//
// `peak` is what the process grew by at its most, in bytes. A contender that does not answer says "-".
// "nobody" is a contender too: what it costs to make the document and its keys, and to ask.

import Decant
import DecantJansson
import Foundation

@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == "--error-time" { return errorTime(arguments[1]) }
    if arguments.first?.hasPrefix("--use") == true { return measureUse(arguments) }
    let isOnce = arguments.last == "--once"
    guard arguments.count == (isOnce ? 4 : 3), let shape = Int(arguments[0]),
      let size = Int(arguments[2]),
      let contender = contenders.first(where: { $0.name == arguments[1] })
    else {
      for (number, shape) in shapes.enumerated() { print(number, shape.name) }
      return
    }
    measure(shapes[shape], contender.ask, size, rounds: isOnce ? 1 : 9)
  }

  /// The best of up to nine and at least three, of which the first one also tells the memory: the others
  /// find a heap that is as warm for a large document as for a small one.
  private static func measure(_ shape: Shape, _ ask: Contender, _ size: Int, rounds: Int) {
    let bytes = shape.make(size)
    wantKeys(of: bytes, for: shape.question)
    _ = ask(shape.question, Array("[1]".utf8))
    clearPeak()
    let before = status("VmRSS:")
    var best = Int.max
    var verdict = "-"
    var peak = 0
    for round in 0..<rounds {
      let start = processorTime()
      guard let answer = ask(shape.question, bytes) else { return print("- - -") }
      let time = processorTime() - start
      best = min(best, time)
      verdict = answer.isAccepted ? "yes" : "no"
      if round == 0 { peak = status("VmHWM:") - before }
      if round >= 2 && time > 100_000_000 || time > 3_000_000_000 { break }
    }
    print(best, peak, verdict)
  }

  private static func measureUse(_ arguments: [String]) {
    if arguments.count == 3, arguments[0] == "--use-memory" {
      let use = uses[Int(arguments[1]) ?? 0]
      let document = use.make(Int(arguments[2]) ?? 0)
      _ = use.run(use.make(1000), DecodingOptions())
      clearPeak()
      let before = status("VmRSS:")
      let found = use.run(document, DecodingOptions())
      return print(found == 0 ? "-" : "\(status("VmHWM:") - before)")
    }
    guard arguments.count >= 4, let number = Int(arguments[1]) else {
      for (number, use) in uses.enumerated() {
        let twin = uses.firstIndex { $0.name == use.twin }.map { "\($0)" } ?? "-"
        print(number, twin, use.name)
      }
      return
    }
    let isNative = arguments[2] == "native"
    let options = DecodingOptions(
      engine: isNative ? .native : .jansson, duplicateKeys: isNative ? .first : .last)
    let sizes = arguments.dropFirst(3).compactMap { Int($0) }
    if arguments[0] == "--use-once" {
      let document = uses[number].make(sizes[0])
      return print(arguments[2] == "nobody" ? document.count : uses[number].run(document, options))
    }
    var growth = Growth(uses[number], options, sizes)
    guard let line = growth.measure() else { return print("-") }
    print(line)
    exit(growth.isFine ? 0 : growth.mayWait ? 3 : 1)
  }

  private static func errorTime(_ opening: String) {
    let bytes = Array(String(repeating: opening, count: 10_000_000).utf8)
    var best = Int.max
    for _ in 0..<5 {
      let start = processorTime()
      let result = JSONValue.decode(from: bytes)
      best = min(best, processorTime() - start)
      guard case .failure(let error) = result, error.code == .tooDeep else { exit(1) }
    }
    print(best)
  }

  /// A line of /proc/self/status, in bytes.
  private static func status(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return 1024
      * (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
  }

  /// Lets the peak begin anew.
  private static func clearPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }
}
