// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Shapes by choice.

import Foundation

private let leaves: [AnyShape] = [
  Int.self, String.self, Bool.self, Double.self, Int8.self, Int32.self, UInt16.self, UInt64.self,
  Float.self,
  Date.self, Data.self, URL.self, Decimal.self, UUID.self, Meal.self, Animal.self, Dog.self,
  Puppy.self,
  Cat.self, Registered.self, Tree.self, [Int].self, [String: Int].self, String?.self,
]

/// A shape of at most `depth` parts around a leaf.
func shape(_ choices: inout Choices, depth: Int) -> AnyShape {
  var shape = choices.one(of: leaves)
  for _ in 0..<choices.next(depth + 1) { shape = around(shape, choices.next(17)) }
  return shape
}

private func around<Value: Shaped>(_ type: Value.Type, _ choice: Int) -> AnyShape {
  switch choice {
  case 0: [Value].self
  case 1: Value?.self
  case 2: [String: Value].self
  case 3: [Int: Value].self
  case 4: [Meal: Value].self
  case 5: Box<Value>.self
  case 6: Pair<Value>.self
  case 7: Choice<Value>.self
  case 8: Transparent<Value>.self
  case 9: Try<Value>.self
  case 10: Tries<Value>.self
  case 11: Walk<Value>.self
  case 12: Nested<Value>.self
  case 13: Kept<Value>.self
  case 14: Holder<Value>.self
  case 15: Single<Value>.self
  default: Value??.self
  }
}
