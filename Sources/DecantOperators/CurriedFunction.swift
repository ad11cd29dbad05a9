// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// A function that has got some of its arguments and waits for the next: what `curry` makes and
/// `<*>` feeds.
public protocol CurriedFunction {
  associatedtype Argument
  /// The function that waits for the argument after, or at the last one, the function's own result.
  associatedtype Output

  consuming func callAsFunction(_ argument: consuming Argument) -> Output
}
