// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decides, once for each type and context, how values of the type are decoded:
//
//   dates, data and other types with a strategy  their own way (StrategyDecodable)
//   scalars, [Int], [String: String], …          functions that are compiled for the type; after a failure the
//                                                general path finds the reason
//   other arrays, sets, dictionaries by string   loops over the element's decoder
//   JSONDecodable models                         their `decode(_:)`
//   everything else                              `init(from:)`
//
// A generic function finds the decoder of a type by the type's identity and calls it: one look-up and one virtual
// call instead of dynamic casts.

internal import CDecantIndex
internal import DecantCore

package class AnyTypeDecoder {
  /// Whether values are decoded by the model's own `decode(_:)`.
  var isByView: Bool { false }

  /// Decodes the decoder's value into memory for a model.
  func decode(into buffer: UnsafeMutableRawPointer, _ decoder: ValueDecoder) throws {
    fatalError("every type decoder decodes")
  }
}

package class TypeDecoder<Model>: AnyTypeDecoder {
  /// Decodes the value at `node`, which is inside the decoder's value: at the container's key or at an index.
  func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model { fatalError("every type decoder decodes") }

  /// Decodes the element at `node` in place. An array that grows by copies would pay for each of them.
  // SAFETY: the caller has memory for a model.
  func decode(
    _ node: UInt64, _ decoder: ValueDecoder, at index: Int,
    into buffer: UnsafeMutablePointer<Model>
  ) throws {
    unsafe buffer.initialize(to: try decode(node, decoder, nil, index))
  }

  /// The value at `node`, or an error in flight, for containers that continue after it.
  func attempt(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) -> Decoded<Model> {
    // SAFETY: as in ValueDecoder.
    decoder.context.decoded(
      from: decoder.document.view(node), below: decoder.codingPath.count + 1
    ) {
      try decode(node, decoder, container, index)
    }
  }

  /// Decodes a value that is in no container.
  // SAFETY: the caller has memory for a model.
  override func decode(into buffer: UnsafeMutableRawPointer, _ decoder: ValueDecoder) throws {
    unsafe buffer.initializeMemory(
      as: Model.self, to: try decode(decoder.node, decoder, nil, ValueDecoder.noIndex))
  }
}

// MARK: - Choosing

/// A type with a strategy of its own, or one that `JSONDecoder` does not decode by its `init(from:)`.
package protocol StrategyDecodable: Decodable {
  static func decode(by decoder: ValueDecoder) throws -> Self
}

func makeTypeDecoder<Model: Decodable>(
  _ type: Model.Type, checksMembers: Bool
) -> TypeDecoder<Model> {
  let origin = TypeOrigin(type)
  // SAFETY: each decoder below is made for `Model`, which is the opened type.
  if origin == .library, let type = type as? any StrategyDecodable.Type {
    func strategyDecoder<T: StrategyDecodable>(_ type: T.Type) -> AnyTypeDecoder {
      FunctionDecoder(T.decode(by:))
    }
    return unsafe unsafeDowncast(strategyDecoder(type), to: TypeDecoder<Model>.self)
  }
  if origin == .standardLibrary, let type = type as? any StandardDecodable.Type {
    return unsafe unsafeDowncast(type.typeDecoder, to: TypeDecoder<Model>.self)
  }
  if let type = type as? any JSONDecodable.Type {
    func viewDecoder<T: JSONDecodable>(_ type: T.Type) -> AnyTypeDecoder { ViewDecoder<T>() }
    return unsafe unsafeDowncast(viewDecoder(type), to: TypeDecoder<Model>.self)
  }
  if origin == .library, let problem = TypeOrigin.problem(of: type) {
    return FunctionDecoder { throw $0.corrupted(problem) }
  }
  return checksMembers ? CheckingDecoder<Model>() : InitializerDecoder<Model>()
}

// MARK: - Models

/// Decodes by `init(from:)`.
final class InitializerDecoder<Model: Decodable>: TypeDecoder<Model> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    try decoder.withChild(node, in: container, at: index) { try $0.model() }
  }

  // SAFETY: as above.
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, at index: Int,
    into buffer: UnsafeMutablePointer<Model>
  ) throws {
    // All in one function, which an array of models calls for each: `defer` would be a call, and a closure another.
    @inline(__always)
    func decode(_ child: ValueDecoder) throws {
      if !decant_stack_has_room() { throw child.stackIsFull() }
      unsafe buffer.initialize(to: try child.model())
    }
    let child = decoder.acquireChild(node, in: nil, at: index)
    var failure: (any Error)?
    do { try child.with(decode) } catch { failure = error }
    decoder.release(child)
    if let failure { throw failure }
  }

  /// The root is the model's decoder: nothing else is decoded by it.
  // SAFETY: the caller has memory for a model.
  override func decode(into buffer: UnsafeMutableRawPointer, _ decoder: ValueDecoder) throws {
    if !decant_stack_has_room() { throw decoder.stackIsFull() }
    unsafe buffer.initializeMemory(as: Model.self, to: try decoder.model())
  }
}

/// Decodes by `JSONDecodable`.
final class ViewDecoder<Model: JSONDecodable>: TypeDecoder<Model> {
  override var isByView: Bool { true }

  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    // SAFETY: as in ValueDecoder.
    switch decoder.document.view(node).decoded(Model.self) {
    case .success(let model): return model
    case .failure(let error):
      return try decoder.withChild(node, in: container, at: index) {
        throw $0.failure(error, of: Model.self)
      }
    }
  }

  override func attempt(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) -> Decoded<Model> {
    // SAFETY: as in ValueDecoder.
    decoder.document.view(node).decoded(Model.self)
  }
}

/// Decodes by a function of the value's decoder, such as a type's strategy.
final class FunctionDecoder<Model>: TypeDecoder<Model> {
  private let body: (ValueDecoder) throws -> Model

  init(_ body: @escaping (ValueDecoder) throws -> Model) { self.body = body }

  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    try decoder.withChild(node, in: container, at: index) { try body($0) }
  }

  // SAFETY: the caller has memory for a model.
  override func decode(into buffer: UnsafeMutableRawPointer, _ decoder: ValueDecoder) throws {
    unsafe buffer.initializeMemory(as: Model.self, to: try body(decoder))
  }
}
