// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Members for which absent and `null` are different: `JSONPresence` and the verb that decodes it.

internal import CDecantIndex

/// A member that is absent, `null`, or present, for services that distinguish all three, as in a merge patch (RFC
/// 7396).
///
///     let email: JSONPresence<String> = try json.decodePresence("email").get()
public enum JSONPresence<Value> {
  case absent
  case null
  case value(Value)

  /// The value, or nil for the other two.
  @_alwaysEmitIntoClient
  public var value: Value? {
    if case .value(let value) = self { return value }
    return nil
  }
}

extension JSONPresence: Equatable where Value: Equatable {}
extension JSONPresence: Hashable where Value: Hashable {}
extension JSONPresence: Sendable where Value: Sendable {}

extension JSON {
  /// Decodes the value at a key and distinguishes absent from `null`; anything else must be right.
  @_alwaysEmitIntoClient
  public func decodePresence<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<JSONPresence<Model>> {
    decodeIfPresent(key, as: Model.self).map { model in
      if let model { return .value(model) }
      return contains(key) ? .null : .absent
    }
  }
}
