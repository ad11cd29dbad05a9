// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import Foundation
#endif

/// Sends a request and calls back with the model, or with one of four failures; exactly once, whatever
/// happens, on the session's queue.
///
///     performRequest(request) { (result: Result<User, RequestError>) in
///       switch result {
///       case .success(let user): …
///       case .failure(.transport(let error)): …
///       case .failure(.status(let response)): …
///       case .failure(.invalidJSON(let error)): …
///       case .failure(.invalidModel(let error)): …
///       }
///     }
///
/// - Returns: the task, which can be cancelled: a failure by transport.
@discardableResult
func performRequest<Model: JSONDecodable & SendableMetatype>(
  _ request: URLRequest, session: URLSession = .shared,
  options: DecodingOptions = DecodingOptions(),
  callback: @escaping @Sendable (Result<Model, RequestError>) -> Void
) -> URLSessionDataTask {
  let task = session.dataTask(with: request) { data, response, error in
    callback(parseResult(data, response, error, options: options))
  }
  task.resume()
  return task
}

/// Sends a request and returns the model, or throws one of four failures. Cancelling the task cancels the
/// request: a failure by transport.
///
///     let user: User = try await performRequest(request)
func performRequest<Model: JSONDecodable & SendableMetatype & Sendable>(
  _ request: URLRequest, session: URLSession = .shared,
  options: DecodingOptions = DecodingOptions()
) async throws(RequestError) -> Model {
  let running = Mutex<URLSessionDataTask?>(nil)
  let result: Result<Model, RequestError> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      let task = performRequest(request, session: session, options: options) {
        continuation.resume(returning: $0)
      }
      running.withLock { $0 = task }
      // Who cancelled before there was a request found none.
      if Task.isCancelled { task.cancel() }
    }
  } onCancel: {
    running.withLock { $0 }?.cancel()
  }
  return try result.get()
}
