// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Argo's words around `Decoded`. `map`, `flatMap` and `get` are the standard `Result`'s; `value`, `error` and
// `or` are in DecantCore.

public import DecantCore

/// A success.
@_alwaysEmitIntoClient
public func pure<Model>(_ model: Model) -> Decoded<Model> { .success(model) }

/// Runs throwing code and keeps the outcome as a value. An error that is not a `DecodeError` becomes one with
/// the code `DecodeError.Code.custom`, whose message is the error's description.
@_alwaysEmitIntoClient
public func materialize<Model, Failure>(
  _ body: () throws(Failure) -> Model
) -> Decoded<Model> {
  do throws(Failure) {
    return .success(try body())
  } catch {
    return .failure(decodeError(error))
  }
}

/// An error of a caller's function.
@_alwaysEmitIntoClient
internal func decodeError(_ error: some Error) -> DecodeError {
  error as? DecodeError ?? .custom("\(error)")
}

extension Result where Failure == DecodeError {
  /// A failure with a message of your own.
  @_alwaysEmitIntoClient
  public static func customError(_ message: String) -> Self { .failure(.custom(message)) }

  /// A success if there is a value, the error otherwise.
  @_alwaysEmitIntoClient
  public static func fromOptional(
    _ value: Success?, _ error: @autoclosure () -> DecodeError = .custom("there is no value")
  ) -> Self { value.map { .success($0) } ?? .failure(error()) }

  /// The model, or throws the error: `get()`.
  @_alwaysEmitIntoClient
  public func dematerialize() throws(DecodeError) -> Success { try get() }

  /// The model as an optional: every failure is nil.
  ///
  /// `decodeIfPresent` and `<|?` are stricter: a value of the wrong type remains an error.
  @_alwaysEmitIntoClient
  public var optional: Decoded<Success?> { .success(value) }

  /// `optional` of another outcome: `.optional(json <| "nickname")`.
  @_alwaysEmitIntoClient
  public static func optional<Wrapped>(_ decoded: Decoded<Wrapped>) -> Self
  where Success == Wrapped? { .success(decoded.value) }

  /// Applies the function of a success to the value of another; the errors of both are kept.
  @_alwaysEmitIntoClient
  public func apply<Input, Output>(_ value: @autoclosure () -> Decoded<Input>) -> Decoded<Output>
  where Success == (Input) -> Output {
    switch self {
    case .success(let function): value().map(function)
    case .failure(let error): .failure((consume error).adding(value()))
    }
  }
}

/// The models of those that succeeded.
@_alwaysEmitIntoClient
public func catDecoded<Model>(_ results: [Decoded<Model>]) -> [Model] {
  results.compactMap { $0.value }
}

/// The models of those that succeeded, by key.
@_alwaysEmitIntoClient
public func catDecoded<Model>(_ results: [String: Decoded<Model>]) -> [String: Model] {
  var models: [String: Model] = [:]
  for (key, result) in results {
    if case .success(let model) = result { models[key] = model }
  }
  return models
}

/// All the models, or all the errors.
@_alwaysEmitIntoClient
public func sequence<Model>(_ results: [Decoded<Model>]) -> Decoded<[Model]> {
  var models: [Model] = []
  models.reserveCapacity(results.count)
  var failures = _BuildFailures()
  for result in results {
    if let model = failures.part(result) { models.append(model) }
  }
  return failures.error.map { .failure($0) } ?? .success(models)
}

/// All the models by key, or all the errors in the order of the keys.
@_alwaysEmitIntoClient
public func sequence<Model>(_ results: [String: Decoded<Model>]) -> Decoded<[String: Model]> {
  var models: [String: Model] = [:]
  var failures = _BuildFailures()
  for (key, result) in results.sorted(by: { $0.key < $1.key }) {
    if let model = failures.part(result) { models[key] = model }
  }
  return failures.error.map { .failure($0) } ?? .success(models)
}

extension Sequence {
  /// Folds with a function that may fail; the first failure ends it.
  @_alwaysEmitIntoClient
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

/// A description of a result: the model's or the error's.
@_alwaysEmitIntoClient
public func stringResult<Model, Failure>(_ result: Result<Model, Failure>) -> String {
  switch result {
  case .success(let model): "\(model)"
  case .failure(let error): "\(error)"
  }
}

// MARK: - Documents that wrap the model in an object: `{"user": {…}}`

extension JSONDecodable {
  /// Decodes the value at a key of the document's root, as a value.
  ///
  ///     User.decode(from: bytes, rootKey: "user")
  @_alwaysEmitIntoClient
  public static func decode(
    from bytes: borrowing some JSONBytes & ~Escapable, rootKey: JSONKey,
    options: DecodingOptions = DecodingOptions()
  ) -> Decoded<Self> {
    // SAFETY: the buffer is used inside the closure only.
    unsafe bytes.withJSONBytes {
      unsafe reading($0, options.engine, options.rules, options.sourceName) { $0.decode(rootKey) }
    }
  }

  /// Decodes the value at a key of the document's root, or throws.
  @_alwaysEmitIntoClient
  public init(
    decoding bytes: borrowing some JSONBytes & ~Escapable, rootKey: JSONKey,
    options: DecodingOptions = DecodingOptions()
  ) throws(DecodeError) {
    self = try Self.decode(from: bytes, rootKey: rootKey, options: options).get()
  }
}
