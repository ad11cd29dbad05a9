// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantOptionalOperators
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct User: Equatable, Sendable, JSONDecodable {
  let id: Int
  let name: String
  let email: String?

  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

/// The four kinds of failure, as a `switch` tells them apart, and what is inside.
func kind(of result: Result<User, RequestError>) -> String {
  switch result {
  case .success(let user): "user \(user.id)"
  case .failure(.transport(let error)): "transport \((error as? URLError)?.code.rawValue ?? 0)"
  case .failure(.status(let response)): "status \(response.statusCode)"
  case .failure(.invalidJSON(let error)): "no JSON: \(error.message)"
  case .failure(.invalidModel(let error)): "no user: \(error.path): \(error.message)"
  }
}

@Suite("Response")
struct ResponseTests {
  private let body = Data(#"{"id":5,"name":"Tester"}"#.utf8)
  private let url = URL(filePath: "/")

  private func http(_ status: Int) -> HTTPURLResponse? {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
  }

  @Test("has the status 500 unless it came by HTTP")
  func statusCode() {
    #expect(Response(data: body, urlResponse: http(201)).statusCode == 201)
    #expect(Response(data: body, urlResponse: nil).statusCode == 500)
    let file = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    #expect(Response(data: body, urlResponse: file).statusCode == 500)
    #expect(Response(data: nil, urlResponse: http(200)).data.isEmpty)
  }

  @Test(
    "is parsed for 200..<300 only",
    arguments: [
      (199, false), (200, true), (204, true), (299, true), (300, false), (304, false), (404, false),
      (500, false),
    ])
  func range(status: Int, isSuccess: Bool) {
    let result = parseResponse(Response(data: body, statusCode: status))
    #expect((try? result.get()) == (isSuccess ? body : nil))
    guard case .failure(.status(let response)) = result else { return }
    #expect(response.statusCode == status)
    #expect(response.data == body)
  }

  @Test("becomes a model or one of four failures; an error wins over all")
  func results() {
    let broken = Data("{".utf8)
    let offline = URLError(.notConnectedToInternet)
    #expect(kind(of: parseResult(body, http(200), nil)) == "user 5")
    #expect(kind(of: parseResult(body, http(200), offline)) == "transport -1009")
    #expect(kind(of: parseResult(nil, nil, offline)) == "transport -1009")
    #expect(kind(of: parseResult(body, nil, nil)) == "status 500")
    #expect(kind(of: parseResult(broken, http(404), nil)) == "status 404")
    #expect(
      kind(of: parseResult(broken, http(200), nil))
        == "no JSON: the input ends too early: expected a quoted key or '}'; the object begins at 1:1"
    )
    #expect(kind(of: parseResult(nil, http(204), nil)) == "no JSON: the input is empty")
    #expect(
      kind(of: parseResult(Data(#"{"id":5}"#.utf8), http(200), nil))
        == "no user: /name: the key is missing")
    let tight = DecodingOptions(maximumBytes: 5)
    #expect(
      kind(of: parseResult(body, http(200), nil, options: tight))
        == "no JSON: the input is too large: the limit is 5 bytes")
  }

  @Test("a model's own JSON and pointers are the model's, not the body's")
  func errorsOfModels() {
    struct Envelope: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Envelope> {
        json.decode("user", as: String.self).flatMap { User.decode(from: $0) }
          .flatMap { _ in json.decode(pointer: "id", as: Int.self) }.map { _ in Envelope() }
      }
    }
    for user in ["{", #"{\"id\":5,\"name\":\"Tester\"}"#] {
      let body = Data(#"{"user":"\#(user)"}"#.utf8)
      let results: [Result<Envelope, RequestError>] = [
        parseResult(body, http(200), nil), decodeJSON(body).flatMap { decodeObject($0) },
      ]
      for result in results {
        guard case .failure(.invalidModel(let error)) = result else {
          Issue.record("\(result)")
          continue
        }
        #expect(error.code == (user == "{" ? .invalidValue : .invalidPointer))
      }
    }
  }

  @Test("an error's localized description is its text")
  func localized() {
    let error: any Error = RequestError.status(Response(data: body, statusCode: 404))
    #expect(error.localizedDescription == "the server answered with status 404")
    let refusal = URLError(
      .cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: "the server refused"])
    #expect("\(RequestError.transport(refusal))" == "no answer: the server refused")
  }

  @Test("goes through the article's pipeline")
  func pipeline() {
    func parse(
      _ data: Data?, _ response: URLResponse?, _ error: RequestError?
    ) -> Result<User, RequestError> {
      Result(error, Response(data: data, urlResponse: response)) >>> parseResponse >>> decodeJSON
        >>> decodeObject
    }
    #expect(kind(of: parse(body, http(200), nil)) == "user 5")
    #expect(kind(of: parse(body, http(304), nil)) == "status 304")
    #expect(kind(of: parse(body, http(200), .transport(URLError(.timedOut)))) == "transport -1001")
    #expect(
      kind(of: parse(Data("[".utf8), http(200), nil))
        == "no JSON: the input ends too early: expected a value or ']'; the array begins at 1:1")
    #expect(kind(of: parse(Data("[]".utf8), http(200), nil)).hasPrefix("no user: "))
  }
}
