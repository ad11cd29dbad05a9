// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// `Curried<Stage>` holds a function and the arguments so far, as nested pairs. Its stage, a type without values, determines
// the effect of the next argument. Here L is _Held<_Held<Void, Int>, String>, the arguments before the last.
//
//   curry(f)(1)          Curried<_Then<_Call<L, Bool, User>>>    holds  ((), 1)
//   curry(f)(1)("a")     Curried<_Call<L, Bool, User>>           holds  (((), 1), "a")
//   …(true)              User                                    f(1, "a", true)
//
// `_Call` is the last stage of a function of any number of arguments: `curry` wraps the function in a closure that takes the
// pairs apart. `_Then<Stage>` is the stage before: it adds its argument to the pairs and continues with `Stage`. Its types
// follow from those of `Stage`, so a chain of any length has a short type. All calls are static and compiled into the
// client, where the closure is known and inlined: nothing is allocated.

/// A function with some of its arguments, waiting for the next: the result of `curry`, and the left
/// side of `<*>`.
@_documentation(visibility: internal)
public protocol CurriedFunction {
  associatedtype Argument
  /// The function that waits for the argument after, or at the last one, the function's own result.
  associatedtype Output

  consuming func callAsFunction(_ argument: consuming Argument) -> Output
}

/// A stage of a curried function: what its next argument does.
public protocol _CurryStage {
  associatedtype Function
  associatedtype Held: _HeldArguments
  associatedtype Argument
  associatedtype Output

  static func next(
    _ function: consuming Function, _ held: consuming Held, _ argument: consuming Argument
  ) -> Output
}

/// The arguments so far, as nested pairs.
public protocol _HeldArguments {
  associatedtype Rest
  associatedtype Last

  init(_ rest: consuming Rest, _ last: consuming Last)
}

/// The arguments so far, and the last of them.
@frozen
public struct _Held<Rest, Last>: _HeldArguments {
  @usableFromInline let rest: Rest
  @usableFromInline let last: Last

  /// Adds an argument.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ rest: consuming Rest, _ last: consuming Last) {
    self.rest = rest
    self.last = last
  }
}

/// The last stage: calls the function.
@frozen
public enum _Call<Held: _HeldArguments, Argument, Output>: _CurryStage {
  /// Takes the arguments before the last, and the last.
  public typealias Function = (Held, Argument) -> Output

  /// Calls the function.
  @_alwaysEmitIntoClient @inline(__always)
  public static func next(
    _ function: consuming @escaping Function, _ held: consuming Held, _ argument: consuming Argument
  ) -> Output {
    function(held, argument)
  }
}

/// The stage before `Stage`: adds its argument to what is held.
@frozen
public enum _Then<Stage: _CurryStage>: _CurryStage where Stage.Held.Rest: _HeldArguments {
  /// Adds the argument to what is held.
  @_alwaysEmitIntoClient @inline(__always)
  public static func next(
    _ function: consuming Stage.Function, _ held: consuming Stage.Held.Rest,
    _ argument: consuming Stage.Held.Last
  ) -> Curried<Stage> {
    Curried(function, Stage.Held(held, argument))
  }
}

/// A function that waits for its next argument.
@_documentation(visibility: internal)
@frozen
public struct Curried<Stage: _CurryStage>: CurriedFunction {
  @usableFromInline let function: Stage.Function
  @usableFromInline let held: Stage.Held

  @_alwaysEmitIntoClient @inline(__always)
  init(_ function: consuming Stage.Function, _ held: consuming Stage.Held) {
    self.function = function
    self.held = held
  }

  /// Passes the next argument.
  @_alwaysEmitIntoClient @inline(__always)
  public consuming func callAsFunction(_ argument: consuming Stage.Argument) -> Stage.Output {
    Stage.next(function, held, argument)
  }
}
