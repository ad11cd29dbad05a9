// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors: `EncodingError`, with the value and the path that `JSONEncoder` gives it.

internal import DecantCore

extension Scope {
  /// The error of a value below this scope.
  @inline(never)
  package func failure(
    of value: Any, _ message: String, _ steps: [any CodingKey] = [], _ cause: (any Error)? = nil
  ) -> EncodingError {
    .invalidValue(
      value,
      .init(codingPath: codingPath + steps, debugDescription: message, underlyingError: cause))
  }

  /// The error of a wrong use of this encoder.
  @inline(never)
  func failure(_ message: String) -> EncodingError { failure(of: Any?.none as Any, message) }

  @inline(never)
  func encodedNothing(_ value: Any) -> EncodingError {
    failure(of: value, "the value encoded nothing")
  }

  @inline(never)
  func notFinite(_ value: some BinaryFloatingPoint, _ steps: [any CodingKey]) -> EncodingError {
    failure(of: value, "JSON has no infinity and no NaN", steps)
  }

  @inline(never)
  func tooDeep() -> EncodingError {
    failure("more than \(session.settings.maximumDepth) nested arrays and objects")
  }

  @inline(never)
  func stackIsFull() -> EncodingError {
    failure("nested too deeply for the stack of this thread")
  }

  /// The failure of a value that wrote itself, if it failed.
  @inline(never)
  func failure(of value: Any, _ container: Reference<KeyedPlace>?, _ index: Int) -> EncodingError {
    // SAFETY: the session owns the state, and the container is that of the value.
    let failure = state.pointee.failure
    var steps: [any CodingKey] = []
    if let container = container?.object { steps.append(container.key) }
    if index != Scope.noIndex { steps.append(PathKey.index(index)) }
    for token in failure?.path.tokens ?? [] {
      steps.append(integer(token).map { PathKey.index($0) } ?? .name(token))
    }
    return self.failure(of: value, failure?.code.text ?? "the value wrote nothing", steps, failure)
  }
}
