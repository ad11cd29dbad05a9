// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions on Result of the thoughtbot article.

public import DecantCore

extension Result {
  /// The error if there is one, the value otherwise. The value is not evaluated when there is an error.
  public init(_ error: Failure?, _ value: @autoclosure () -> Success) {
    self = error.map { .failure($0) } ?? .success(value())
  }
}

/// The value if there is one, the error otherwise.
public func resultFromOptional<Model, Failure>(
  _ value: Model?, _ error: @autoclosure () -> Failure
) -> Result<Model, Failure> {
  value.map { .success($0) } ?? .failure(error())
}

/// Parses a document; a failure is the parser's own error.
public func decodeJSON(_ bytes: borrowing some JSONBytes & ~Escapable) -> Decoded<JSONValue> {
  JSONValue.parse(bytes)
}

/// Decodes a model of the type that the context infers.
public func decodeObject<Model: JSONDecodable>(_ json: JSONValue) -> Decoded<Model> {
  json.decoded()
}
