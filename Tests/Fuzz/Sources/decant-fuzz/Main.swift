// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// libFuzzer's two doors, for the targets of the library. The environment variable DECANT_FUZZ_TARGET names
// the target; the process ends by a trap where one finds something wrong.

import CodableShapes
import DecantCodable
import DecantCore
import FuzzDriver
import FuzzTables
import Glibc

/// A target: from a document's bytes to nothing, or a trap.
typealias Target = (UnsafeRawBufferPointer) -> Void

let targets: [(name: String, run: Target)] = [
  ("document", fuzzDocument),
  ("models", fuzzModels),
  ("roundtrip", fuzzRoundTrip),
  ("engines", fuzzEngines),
  ("c", fuzzC),
  ("codable", { bytes in codableDifference(bytes).map { fatalError($0) } }),
  ("tables", { fuzz_tables($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }),
  ("recovery", { fuzz_recovery($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }),
]

nonisolated(unsafe) private var chosen: Target = { _ in }

@c(LLVMFuzzerInitialize)
public func initialize(
  _ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  let name = getenv("DECANT_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets.first(where: { $0.name == name }) else {
    fputs("DECANT_FUZZ_TARGET is one of \(targets.map(\.name).joined(separator: " "))\n", stderr)
    exit(2)
  }
  chosen = target.run
  return 0
}

@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  chosen(UnsafeRawBufferPointer(start: data, count: size))
  return 0
}

/// Traps, and says why.
func require(_ condition: Bool, _ reason: @autoclosure () -> String) {
  if !condition { fatalError(reason()) }
}
