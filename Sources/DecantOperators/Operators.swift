// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The operators: one glyph, one overload, one line, one named twin.
//
//   glyph   reads                              twin               precedence, tightest first
//   <|      required key                       decode             look-up
//   <|?     absent or null is nil              decodeIfPresent    look-up
//   <||     array at a required key            decode             look-up
//   <||?    array, absent or null is nil       decodeIfPresent    look-up
//   <^>     function over a decoded value      map                application
//   <*>     further arguments; errors add up   apply              application
//   <|>     or else                            or                 alternative
//   >>-     and then                           flatMap            binding
//   -<<     after                              flatMap            binding, from the right
//
// One overload each is what keeps chains of any length quick to type-check, right or wrong. `<*>` takes a `Curried` and
// not any `CurriedFunction`: with that, the compiler prefers a `curry` of one argument, which is a tuple of all, to a
// conformance that is missing at one field, and blames the first field.

public import DecantCore

precedencegroup DecantReverseBindingPrecedence {
  associativity: right
  higherThan: AssignmentPrecedence
}

precedencegroup DecantBindingPrecedence {
  associativity: left
  higherThan: DecantReverseBindingPrecedence
  lowerThan: LogicalDisjunctionPrecedence
}

precedencegroup DecantAlternativePrecedence {
  associativity: left
  higherThan: LogicalConjunctionPrecedence
  lowerThan: ComparisonPrecedence
}

precedencegroup DecantApplicationPrecedence {
  associativity: left
  higherThan: DecantAlternativePrecedence
  lowerThan: NilCoalescingPrecedence
}

precedencegroup DecantLookupPrecedence {
  associativity: left
  higherThan: DecantApplicationPrecedence
  lowerThan: NilCoalescingPrecedence
}

infix operator <| : DecantLookupPrecedence
infix operator <|? : DecantLookupPrecedence
infix operator <|| : DecantLookupPrecedence
infix operator <||? : DecantLookupPrecedence
infix operator <^> : DecantApplicationPrecedence
infix operator <*> : DecantApplicationPrecedence
infix operator <|> : DecantAlternativePrecedence
infix operator >>- : DecantBindingPrecedence
infix operator -<< : DecantReverseBindingPrecedence

/// Decodes the value at a key: `JSON.decode(_:as:)`.
@_alwaysEmitIntoClient @inline(__always)
public func <| <Model: JSONDecodable>(json: JSON, key: JSONKey) -> Decoded<Model> {
  json.decode(key)
}

/// Decodes the value at a key; absent or `null` is nil: `JSON.decodeIfPresent(_:as:)`.
@_alwaysEmitIntoClient @inline(__always)
public func <|? <Property: OptionalProperty>(json: JSON, key: JSONKey) -> Decoded<Property> {
  Property.decodeIfPresent(json, key)
}

/// Decodes the array at a key.
@_alwaysEmitIntoClient @inline(__always)
public func <|| <Property: ArrayProperty>(json: JSON, key: JSONKey) -> Decoded<Property> {
  json.decode(key)
}

/// Decodes the array at a key; absent or `null` is nil.
@_alwaysEmitIntoClient @inline(__always)
public func <||? <Property: OptionalArrayProperty>(json: JSON, key: JSONKey) -> Decoded<Property> {
  Property.decodeIfPresent(json, key)
}

/// Applies a function to a decoded value: `map`, with the sides exchanged.
@_alwaysEmitIntoClient @inline(__always)
public func <^> <Input, Output>(
  function: (Input) -> Output, value: @autoclosure () -> Decoded<Input>
) -> Decoded<Output> {
  switch value() {
  case .success(let value): .success(function(value))
  case .failure(let error): .failure(error)
  }
}

/// Passes a curried function its next argument. Both sides are decoded, and the errors of both are kept.
@_alwaysEmitIntoClient @inline(__always)
public func <*> <Stage: _CurryStage>(
  function: consuming Decoded<Curried<Stage>>,
  argument: @autoclosure () -> Decoded<Stage.Argument>
) -> Decoded<Stage.Output> {
  switch consume function {
  case .success(let function):
    switch argument() {
    case .success(let argument): .success(function(argument))
    case .failure(let error): .failure(error)
    }
  case .failure(let error): .failure((consume error).adding(argument()))
  }
}

/// The first result, or if it failed, the second, which is only evaluated then.
@_alwaysEmitIntoClient
public func <|> <Model>(
  first: Decoded<Model>, second: @autoclosure () -> Decoded<Model>
) -> Decoded<Model> {
  first.or(second())
}

/// Passes a decoded value to a function that may fail.
@_alwaysEmitIntoClient
public func >>- <Input, Output>(
  value: Decoded<Input>, function: (Input) -> Decoded<Output>
) -> Decoded<Output> {
  value.flatMap(function)
}

/// Passes a decoded value to a function that may fail; the function comes first.
@_alwaysEmitIntoClient
public func -<< <Input, Output>(
  function: (Input) -> Decoded<Output>, value: Decoded<Input>
) -> Decoded<Output> {
  value.flatMap(function)
}
