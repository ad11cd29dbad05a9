// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

extension JSONValue {
  /// Tells field by field what this value gives a model: decoded, defaulted, absent, ignored.
  ///
  ///     print(value.explain(User.self))
  ///
  /// For people and for tests; a few times slower than decoding.
  public func explain<Model: JSONDecodable>(_ type: Model.Type = Model.self) -> JSONExplanation {
    let error = decoded(type).error
    return withView { json in
      let recorder = Recorder(json)
      recorder.record { _ = Model.decode($0) }
      return recorder.explanation(error)
    }
  }
}
