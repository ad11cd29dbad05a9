// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

extension JSON {
  /// Decodes the value at the first of several keys that is present; `null` counts as missing.
  ///
  /// The value must be right: a later key does not hide an earlier one of a wrong type.
  ///
  ///     json.decodeFirst(of: ["photo_url", "photoURL"])
  @_alwaysEmitIntoClient
  public func decodeFirst<Model: JSONDecodable>(
    of keys: [JSONKey], as type: Model.Type = Model.self
  ) -> Decoded<Model> {
    for key in keys {
      switch decodeIfPresent(key, as: Model.self) {
      case .success(.some(let model)): return .success(model)
      case .success(.none): continue
      case .failure(let error): return .failure(error)
      }
    }
    guard let first = keys.first else {
      return .failure(failure(.missingKey, expected: "at least one key"))
    }
    return decode(first)
  }
}
