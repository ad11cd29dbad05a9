// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What came back, and how often.
private final class Calls: Sendable {
  private let kinds = Mutex<[String]>([])
  func add(_ result: Result<User, RequestError>) { kinds.withLock { $0.append(kind(of: result)) } }
  var all: [String] { kinds.withLock { $0 } }
}

/// A path of the server, and the outcome.
struct Exchange: Sendable, CustomTestStringConvertible {
  let path: String
  let outcome: String
  var testDescription: String { path }

  init(_ path: String, _ outcome: String) {
    self.path = path
    self.outcome = outcome
  }
}

@Suite("Requests to a server on the loopback interface", .serialized)
struct RequestTests {
  static let exchanges = [
    Exchange("/status/200", "user 5"),
    Exchange("/status/204", "no JSON: the input is empty"),
    Exchange("/status/299", "user 5"),
    Exchange("/status/304", "status 304"),
    Exchange("/status/404", "status 404"),
    Exchange("/status/500", "status 500"),
    Exchange(
      "/body/%7B%22id%22:5,%7D",
      "no JSON: expected a quoted key, found '}' (extra comma; the option 'relaxations' can allow it)"
    ),
    Exchange("/body/%3Chtml%3E", "no JSON: expected a value, found '<'"),
    Exchange("/body/%7B%22id%22:%225%22%7D", "no user: /id: 2 errors"),
    Exchange("/large/3000000", "user 5"),
    Exchange("/cut", "transport \(isFoundationOpen ? -1 : -1005)"),
  ]
  /// swift-corelibs-foundation has no code of its own for a connection that is lost.
  #if canImport(FoundationNetworking)
    static let isFoundationOpen = true
  #else
    static let isFoundationOpen = false
  #endif

  private func request(_ url: URL, timeout: TimeInterval = 120) -> URLRequest {
    URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
  }

  /// Runs a request both ways: by callback, which must come exactly once, and by `await`.
  private func outcome(of request: URLRequest) async -> String {
    let configuration = URLSessionConfiguration.ephemeral
    // swift-corelibs-foundation looks here, and not at the request.
    configuration.timeoutIntervalForRequest = request.timeoutInterval
    let session = URLSession(configuration: configuration)
    let calls = Calls()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // A second call would resume twice, which traps.
      performRequest(request, session: session) { (result: Result<User, RequestError>) in
        calls.add(result)
        continuation.resume()
      }
    }
    let awaited: Result<User, RequestError>
    do throws(RequestError) {
      awaited = .success(try await performRequest(request, session: session))
    } catch { awaited = .failure(error) }
    session.finishTasksAndInvalidate()
    #expect(calls.all.count == 1)
    #expect(calls.all.first == kind(of: awaited))
    return calls.all.first ?? ""
  }

  @Test("each answer has its outcome, and one callback", arguments: exchanges)
  func answers(exchange: Exchange) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let outcome = await outcome(of: request(try server.url(exchange.path)))
    #expect(outcome == exchange.outcome)
  }

  @Test("a connection that is refused is a failure by transport")
  func refused() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.closedPort())/"))
    #expect(await outcome(of: request(url)) == "transport -1004")
  }

  @Test("an answer that does not come in time is a failure by transport")
  func slow() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let outcome = await outcome(of: request(try server.url("/slow"), timeout: 1))
    #expect(outcome == "transport -1001")
  }

  @Test("a request that is cancelled is a failure by transport")
  func cancelled() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let request = request(try server.url("/slow"))
    let task = Task { () -> String in
      do throws(RequestError) {
        let user: User = try await performRequest(request)
        return "user \(user.id)"
      } catch { return kind(of: .failure(error)) }
    }
    task.cancel()
    #expect(await task.value == "transport -999")
  }

  @Test("on both engines", arguments: engines)
  func everywhere(engine: Engine) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let options = DecodingOptions(engine: engine, sourceName: "answer")
    let user: User = try await performRequest(
      request(try server.url("/status/200")), options: options)
    #expect(user == User(id: 5, name: "Tester", email: nil))
  }
}
