// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant

/// The answer to a request whose body cannot be used: a status of HTTP, and a document with every error, its path and
/// its place.
public struct Refusal: Error {
  public let status: Int
  public let body: String

  /// nil if the error is not about a document.
  public init?(_ error: any Error) {
    let context = (error as? DecodingError)?.context
    if let error = error as? DecodeError ?? context?.underlyingError as? DecodeError {
      status =
        switch error.code.category {
        case .data: 422  // JSON, but not this model
        case .limit: 413  // too deep, or too large
        case .memory: 503
        default: 400  // not JSON
        }
      body = error.jsonText
    } else if let context {
      status = 422
      body = Problem(context).jsonText()
    } else {
      return nil
    }
  }
}

/// The error of a `Codable` model.
struct Problem: JSONWritable {
  let path: JSONPointer
  let message: String

  init(_ context: DecodingError.Context) {
    path = JSONPointer(
      context.codingPath.map { key -> JSONPointer.Token in
        // Members may have numbers, too: "05" in a dictionary has 5.
        if let index = key.intValue, key.stringValue == "Index \(index)" {
          .index(index)
        } else {
          .key(key.stringValue)
        }
      })
    message = context.debugDescription
  }

  func write(to json: inout JSONOutput) {
    json.object { json in
      json.field("path", path.text)
      json.field("message", message)
    }
  }
}

extension DecodingError {
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
