// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The operators of "Efficient JSON in Swift with Functional Concepts and Generics" on Optional, and its
// bind on Result. They are second overloads of glyphs that Decant keeps to one, so they are in a module
// that is imported by choice:
//
//   glyph   reads                                           precedence
//   >>>     bind: and then, unless there is nothing         look-up, as <|; tighter than <^> and <*>
//   <^>     function over an optional value                 application
//   <*>     further arguments; nil anywhere gives nil       application
//   <|      a step that another <| follows                  look-up
//
//   curry(User.init) <^> d["id"] >>> JSONInt <*> d["name"] >>> JSONString     // no parentheses
//
// `curry` makes functions of several arguments, as in Decant. With another overload of `<*>` for nested closures, the line
// above, inside a closure, took 2.8 s to type-check instead of 0.05 s.

public import DecantCore
public import DecantOperators

infix operator >>> : DecantLookupPrecedence

/// Passes an optional value to a function that may return nil; `function` is not called for nil.
public func >>> <Input: ~Escapable, Output>(
  value: Input?, function: (Input) -> Output?
) -> Output? {
  switch value {
  case .some(let value): function(value)
  case .none: nil
  }
}

/// Passes a success to a function that may fail; `function` is not called for a failure.
public func >>> <Input, Output, Failure>(
  result: Result<Input, Failure>, function: (Input) -> Result<Output, Failure>
) -> Result<Output, Failure> { result.flatMap(function) }

/// Applies a function to an optional value.
public func <^> <Input, Output>(function: (Input) -> Output, value: Input?) -> Output? {
  value.map(function)
}

/// Passes a curried function its next argument; nil if either is nil.
public func <*> <Function: CurriedFunction>(
  function: consuming Function?, argument: @autoclosure () -> Function.Argument?
) -> Function.Output? {
  guard let function = consume function, let argument = argument() else { return nil }
  return function(argument)
}

/// A step of a chain: `json <| "places" <| "place"`. The error at the end of the chain names the missing value.
@_lifetime(copy json)
public func <| (json: JSON, key: JSONKey) -> JSON { json[key] }
