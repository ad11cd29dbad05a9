// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A curried function is a value without closures: `Curried<Stage>` holds the function and the arguments so
// far, and its stage, a type without values, says what the next argument does.
//
//   curry(f)(1)          Curried<_Then<_Call3<Int, String, Bool, User>>>    holds  ((f, 1))
//   curry(f)(1)("a")     Curried<_Call3<Int, String, Bool, User>>           holds  (((f, 1), "a"))
//   …(true)              User                                               f(1, "a", true)
//
// `_Call3` is the last stage of a function of three arguments: it calls the function. `_Then<Stage>` is the
// stage before: it adds its argument to what is held and goes on to `Stage`. What `_Then` holds and takes
// follows from what `Stage` holds, so that a chain of any length has a short type. All of it is static
// dispatch and is compiled into the client: nothing is allocated, and the library contains none of it.

/// A function that has got some of its arguments and waits for the next: what `curry` makes and
/// `<*>` feeds.
public protocol CurriedFunction {
  associatedtype Argument
  /// The function that waits for the argument after, or at the last one, the function's own result.
  associatedtype Output

  consuming func callAsFunction(_ argument: consuming Argument) -> Output
}

/// What the next argument of a curried function does.
public protocol _CurryStage {
  associatedtype Held: _HeldArguments
  associatedtype Argument
  associatedtype Output

  static func next(_ held: consuming Held, _ argument: consuming Argument) -> Output
}

/// A function and its arguments so far, as nested pairs.
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

/// The stage before `Stage`: adds its argument to what is held.
@frozen
public enum _Then<Stage: _CurryStage>: _CurryStage where Stage.Held.Rest: _HeldArguments {
  /// Adds the argument to what is held.
  @_alwaysEmitIntoClient @inline(__always)
  public static func next(
    _ held: consuming Stage.Held.Rest, _ argument: consuming Stage.Held.Last
  ) -> Curried<Stage> {
    Curried(Stage.Held(held, argument))
  }
}

/// A function that waits for its next argument.
@_documentation(visibility: internal)
@frozen
public struct Curried<Stage: _CurryStage>: CurriedFunction {
  @usableFromInline let held: Stage.Held

  @_alwaysEmitIntoClient @inline(__always)
  init(_ held: consuming Stage.Held) {
    self.held = held
  }

  /// Gives the function its next argument.
  @_alwaysEmitIntoClient @inline(__always)
  public consuming func callAsFunction(_ argument: consuming Stage.Argument) -> Stage.Output {
    Stage.next(held, argument)
  }
}
