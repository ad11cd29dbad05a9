// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import Decant
internal import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
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
public func performRequest<Model: JSONDecodable & SendableMetatype>(
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
public func performRequest<Model: JSONDecodable & SendableMetatype & Sendable>(
  _ request: URLRequest, session: URLSession = .shared,
  options: DecodingOptions = DecodingOptions()
) async throws(RequestError) -> Model {
  let running = RunningTask()
  let result: Result<Model, RequestError> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      let task = performRequest(request, session: session, options: options) {
        continuation.resume(returning: $0)
      }
      running.start(task)
    }
  } onCancel: {
    running.cancel()
  }
  return try result.get()
}

/// The request behind an `async` call, which can be cancelled before there is one.
private final class RunningTask: Sendable {
  private struct State {
    var task: URLSessionDataTask?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func start(_ task: URLSessionDataTask) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
