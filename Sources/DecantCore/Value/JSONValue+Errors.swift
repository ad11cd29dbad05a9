// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

extension DecodeError {
  /// ``jsonText`` as a value, to be built into a larger one.
  public var jsonValue: JSONValue {
    switch JSONValue.parse(jsonText) {
    case .success(let value): value
    case .failure(let error): JSONValue(absence: error)
    }
  }
}
