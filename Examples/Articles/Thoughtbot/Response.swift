// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From what a URLSession hands over to a model, or to one of four failures:
//
//   error from the session            .transport      nothing else is looked at
//   status outside 200..<300          .status         the body is not parsed
//   body that is not JSON             .invalidJSON
//   JSON that is not the model        .invalidModel

import Decant
import DecantFoundation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server's answer: a body and a status.
struct Response: Sendable {
  /// The body.
  let data: Data
  /// 500 unless the answer came by HTTP.
  let statusCode: Int

  /// A response of a body and a status.
  init(data: Data, statusCode: Int) {
    self.data = data
    self.statusCode = statusCode
  }

  /// A session's response. A missing body is empty.
  init(data: Data?, urlResponse: URLResponse?) {
    self.init(
      data: data ?? Data(), statusCode: (urlResponse as? HTTPURLResponse)?.statusCode ?? 500)
  }
}

/// Why a request gave no model.
enum RequestError: Error {
  /// No answer, or only a part of one: what the session said, which is a `URLError` mostly.
  case transport(any Error)
  /// A response with a status outside 200..<300. Its body was not parsed.
  case status(Response)
  /// A body that is not JSON, empty, or beyond the options' limits.
  case invalidJSON(DecodeError)
  /// JSON that is not the model.
  case invalidModel(DecodeError)
}

extension RequestError: CustomStringConvertible, LocalizedError {
  /// What went wrong, in a line or, for documents, with the place.
  var description: String {
    switch self {
    case .transport(let error): "no answer: \(error.localizedDescription)"
    case .status(let response): "the server answered with status \(response.statusCode)"
    case .invalidJSON(let error): "the answer is not JSON: \(error)"
    case .invalidModel(let error): "\(error)"
    }
  }

  /// The same, as `localizedDescription`.
  var errorDescription: String? { description }
}

/// The body of a response with a status in 200..<300.
func parseResponse(_ response: Response) -> Result<Data, RequestError> {
  (200..<300).contains(response.statusCode) ? .success(response.data) : .failure(.status(response))
}

/// The model in a session's answer. The error wins: data and response are not looked at if there is one.
func parseResult<Model: JSONDecodable>(
  _ data: Data?, _ urlResponse: URLResponse?, _ error: (any Error)?,
  options: DecodingOptions = DecodingOptions()
) -> Result<Model, RequestError> {
  if let error { return .failure(.transport(error)) }
  return parseResponse(Response(data: data, urlResponse: urlResponse)).flatMap { body in
    Model.decode(from: body, options: options).mapError { error in
      // A model may fail as a document does: by JSON in one of its strings, or by a pointer that is none.
      let isModels =
        error.code.category == .data || JSONValue.parse(body, options: options).error == nil
      return isModels ? .invalidModel(error) : .invalidJSON(error)
    }
  }
}

extension RequestError {
  /// Which of the two a body's error is, as far as its code tells: JSON in a string of the model is taken for the body.
  init(_ error: DecodeError) {
    self = error.code.category == .data ? .invalidModel(error) : .invalidJSON(error)
  }
}

// MARK: - The article's pipeline

/// Parses a body; a failure keeps the parser's own error.
func decodeJSON(_ body: Data) -> Result<JSONValue, RequestError> {
  JSONValue.parse(body).mapError(RequestError.invalidJSON)
}

/// Decodes a model of the type that the context asks for.
func decodeObject<Model: JSONDecodable>(
  _ json: JSONValue
) -> Result<Model, RequestError> { json.decoded().mapError(RequestError.invalidModel) }
