// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Argo's `rootKey:`, for documents that wrap the model in an object: `{"user": {…}}`.

public import DecantCore

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
