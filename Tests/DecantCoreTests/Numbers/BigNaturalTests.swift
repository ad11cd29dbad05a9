// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantTestSupport
import Testing

@testable import DecantCore

@Suite("Naturals of many words")
struct BigNaturalTests {
  /// Makes two numbers in memory of their own and compares them.
  private func order(
    _ left: (inout BigNatural) -> Void, _ right: (inout BigNatural) -> Void
  ) -> Int {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * BigNatural.capacity) {
      var a = unsafe BigNatural($0.extracting(..<BigNatural.capacity))
      var b = unsafe BigNatural($0.extracting(BigNatural.capacity...))
      left(&a)
      right(&b)
      return a.compare(b)
    }
  }

  private func number(_ value: UInt128) -> (inout BigNatural) -> Void {
    { natural in
      natural.multiply(by: 0, adding: UInt64(value >> 64))
      natural.shiftLeft(64)
      natural.multiply(by: 1, adding: UInt64(truncatingIfNeeded: value))
    }
  }

  @Test("are compared by length, then from the top")
  func comparison() {
    let edges: [UInt128] = [
      1 << 64, 1 << 64 + 1, 1 << 65 - 1, 1 << 65, 3 << 64, UInt128.max - 1, UInt128.max,
    ]
    for a in edges {
      for b in edges {
        #expect(order(number(a), number(b)) == (a == b ? 0 : a < b ? -1 : 1), "\(a) \(b)")
      }
    }
    let word: (inout BigNatural) -> Void = { $0.multiply(by: 0, adding: UInt64.max) }
    #expect(order(word, number(1 << 64)) == -1)
    #expect(order(number(1 << 64), word) == 1)
  }

  @Test("2^n 5^n is 10^n, up to the last word")
  func powers() {
    for power in [0, 1, 19, 20, 27, 64, 100, 500, 1_000] {
      let product: (inout BigNatural) -> Void = { natural in
        natural.multiply(by: 0, adding: 1)
        natural.multiply(byFiveTo: power)
        natural.shiftLeft(power)
      }
      let tens: (inout BigNatural) -> Void = { natural in
        natural.multiply(by: 0, adding: 1)
        for _ in 0..<power { natural.multiply(byTenTo: 1, adding: 0) }
      }
      #expect(order(product, tens) == 0, "10^\(power)")
    }
  }
}
