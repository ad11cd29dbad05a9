// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What `Result` lacks for decoding, under Argo's names. The operators are one line over these.

/// A success.
@inlinable
public func pure<Model>(_ model: Model) -> Decoded<Model> { .success(model) }

/// Runs throwing code and keeps the outcome as a value.
@inlinable
public func materialize<Model>(_ body: () throws(DecodeError) -> Model) -> Decoded<Model> {
  Result(catching: body)
}

extension Result where Failure == DecodeError {
  /// A failure with a message of your own.
  public static func customError(_ message: String) -> Self { .failure(.custom(message)) }

  /// A success if there is a value, the error otherwise.
  @inlinable
  public static func fromOptional(_ value: Success?, _ error: @autoclosure () -> DecodeError)
    -> Self
  { value.map { .success($0) } ?? .failure(error()) }

  /// The model, or nil.
  @inlinable
  public var value: Success? {
    if case .success(let value) = self { return value }
    return nil
  }

  /// The error, or nil.
  @inlinable
  public var error: DecodeError? {
    if case .failure(let error) = self { return error }
    return nil
  }

  /// The model, or throws the error.
  @inlinable
  public func dematerialize() throws(DecodeError) -> Success { try get() }

  /// This, or if it failed, the alternative, which is not evaluated otherwise.
  @inlinable
  public func or(_ alternative: @autoclosure () -> Self) -> Self {
    if case .success = self { return self }
    return alternative()
  }

  /// A missing key or `null` as nil; every other failure stays.
  @inlinable
  public var optional: Decoded<Success?> {
    switch self {
    case .success(let value): return .success(value)
    case .failure(let error):
      return error.code == .missingKey || error.code == .missingElement
        ? .success(nil) : .failure(error)
    }
  }

  /// Applies a function that stands in a success to a value that does; the errors of both are kept.
  @inlinable
  public func apply<Input, Output>(_ value: @autoclosure () -> Decoded<Input>) -> Decoded<Output>
  where Success == (Input) -> Output {
    switch self {
    case .success(let function): value().map(function)
    case .failure(let error): .failure((consume error).adding(value()))
    }
  }
}

/// The model, or the fallback, which is not evaluated otherwise.
@inlinable
public func ?? <Model>(decoded: Decoded<Model>, fallback: @autoclosure () -> Model) -> Model {
  if case .success(let model) = decoded { return model }
  return fallback()
}

/// The models of those that succeeded.
@inlinable
public func catDecoded<Model>(_ results: [Decoded<Model>]) -> [Model] {
  results.compactMap { $0.value }
}

/// The models of those that succeeded, by key.
@inlinable
public func catDecoded<Model>(_ results: [String: Decoded<Model>]) -> [String: Model] {
  results.compactMapValues { $0.value }
}

/// All the models, or all the errors.
public func sequence<Model>(_ results: [Decoded<Model>]) -> Decoded<[Model]> {
  var models: [Model] = []
  models.reserveCapacity(results.count)
  var failure: DecodeError?
  for result in results {
    switch result {
    case .success(let model): models.append(model)
    case .failure(let error): failure = failure.map { .combining($0, error) } ?? error
    }
  }
  return failure.map { .failure($0) } ?? .success(models)
}

/// All the models by key, or all the errors.
public func sequence<Model>(_ results: [String: Decoded<Model>]) -> Decoded<[String: Model]> {
  var models: [String: Model] = [:]
  var failure: DecodeError?
  for (key, result) in results.sorted(by: { $0.key < $1.key }) {
    switch result {
    case .success(let model): models[key] = model
    case .failure(let error): failure = failure.map { .combining($0, error) } ?? error
    }
  }
  return failure.map { .failure($0) } ?? .success(models)
}

extension Sequence {
  /// Folds with a function that may fail; the first failure ends it.
  @inlinable
  public func flatReduce<Output>(
    _ initial: Output, combine: (Output, Element) -> Decoded<Output>
  ) -> Decoded<Output> {
    var output = initial
    for element in self {
      switch combine(output, element) {
      case .success(let next): output = next
      case .failure(let error): return .failure(error)
      }
    }
    return .success(output)
  }
}

extension DecodeError {
  /// This error, and another outcome's if it has one.
  @inlinable
  package consuming func adding<Model>(_ other: consuming Decoded<Model>) -> DecodeError {
    if case .failure(let error) = consume other { return .combining(consume self, consume error) }
    return self
  }
}

/// What a result says to a reader: the model's description, or the error's.
public func stringResult<Model, Failure>(_ result: Result<Model, Failure>) -> String {
  switch result {
  case .success(let model): "\(model)"
  case .failure(let error): "\(error)"
  }
}
