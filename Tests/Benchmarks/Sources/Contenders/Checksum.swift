// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The checksum over a model, the same in C, C++ and Swift: see BenchmarkSupport.h.

import BenchmarkSupport

/// A running checksum.
public struct Checksum {
  public private(set) var value = benchmark_sum_start

  mutating func add(_ integer: Int) {
    value = benchmark_sum_word(value, UInt64(bitPattern: Int64(integer)))
  }

  mutating func add(_ flag: Bool) {
    add(flag ? 1 : 0)
  }

  mutating func add(_ number: Double) {
    value = benchmark_sum_double(value, number)
  }

  mutating func add(_ string: String) {
    var string = string
    string.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return add(0) }
        value = benchmark_sum_string(value, start, characters.count)
      }
    }
  }
}

/// A model whose fields can be added up.
public protocol Checksummed {
  func add(to sum: inout Checksum)
}

extension Int: Checksummed {
  public func add(to sum: inout Checksum) { sum.add(self) }
}

extension Double: Checksummed {
  public func add(to sum: inout Checksum) { sum.add(self) }
}

extension String: Checksummed {
  public func add(to sum: inout Checksum) { sum.add(self) }
}

extension Optional: Checksummed where Wrapped: Checksummed {
  public func add(to sum: inout Checksum) {
    sum.add(self != nil)
    self?.add(to: &sum)
  }
}

extension Array: Checksummed where Element: Checksummed {
  public func add(to sum: inout Checksum) {
    sum.add(count)
    for element in self { element.add(to: &sum) }
  }
}
