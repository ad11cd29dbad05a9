// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import Glibc

/// Of how many rounds one is run: all are, unless DECANT_FEWER_ROUNDS says of how many, as it does under a sanitizer,
/// where a round costs several times as much, and in another locale (Tests/Sanitizers/run and Tests/Locale/run).
public let oneRoundIn: Int = {
  // SAFETY: getenv's text is copied at once, and nothing here sets variables.
  let given = unsafe getenv("DECANT_FEWER_ROUNDS").flatMap { unsafe Int(String(cString: $0)) }
  return max(given ?? 1, 1)
}()

/// How many rounds a loop over random data has, or how deep a document is, of those that are asked for.
public func rounds(_ count: Int) -> Int { (count + oneRoundIn - 1) / oneRoundIn }

/// Repeatable random numbers (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// 2014). Tests print the seed; DECANT_SEED sets it.
public struct SeededRandom: RandomNumberGenerator {
  public let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The seed from the environment, or one of the day.
  public init(printing name: String) {
    // SAFETY: getenv's text is copied at once, and nothing here sets variables.
    let given = unsafe getenv("DECANT_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
    self.init(seed: given ?? UInt64.random(in: 0..<1_000_000_000))
    print("\(name): DECANT_SEED=\(seed)")
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
