// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "Efficient JSON in Swift with Functional Concepts and Generics", its final program: a user by HTTP, or
// one of four failures. With a URL as argument it asks a server; without, it shows what becomes of some
// answers.

import Decant
import DecantFoundation
import DecantOptionalOperators
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct User {
  let id: Int
  let name: String
  let email: String?
}

extension User: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }

  /// The article's first version: a user or nil, from the loosely typed tree.
  static func decodeLoosely(_ json: JSONValue) -> User? {
    JSONObject(json) >>> { d in
      curry(User.init) <^> d["id"] >>> JSONInt
        <*> d["name"] >>> JSONString
        <*> .some(d["email"] >>> JSONString)
    }
  }
}

func show(_ result: Result<User, RequestError>) {
  switch result {
  case .success(let user): print("user \(user.id): \(user.name) <\(user.email ?? "no email")>")
  case .failure(.transport(let error)): print("no answer: \(error.localizedDescription)")
  case .failure(.status(let response)): print("status \(response.statusCode)")
  case .failure(.invalidJSON(let error)): print("not JSON: \(error)")
  case .failure(.invalidModel(let error)): print("no user: \(error)")
  }
}

/// What `parseResult` does, spelled as in the article.
func parse(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?)
  -> Result<User, RequestError>
{
  Result(error.map(RequestError.transport), Response(data: data, urlResponse: response))
    >>> parseResponse >>> decodeJSON >>> decodeObject
}

if let text = CommandLine.arguments.dropFirst().first, let url = URL(string: text) {
  do throws(RequestError) {
    let user: User = try await performRequest(URLRequest(url: url))
    show(.success(user))
  } catch {
    show(.failure(error))
    exit(1)
  }
} else {
  let tester = Data(#"{"id":5,"name":"Tester","email":"tester@test.com"}"#.utf8)
  let url = URL(filePath: "/")
  func http(_ status: Int) -> URLResponse? {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
  }
  show(parse(tester, http(200), nil))
  show(parse(Data(#"{"id":5,"name":"Tester"}"#.utf8), http(200), nil))
  show(parse(Data(#"{"id":"5"}"#.utf8), http(200), nil))
  show(parse(Data("<html>".utf8), http(200), nil))
  show(parse(tester, http(404), nil))
  show(parse(nil, nil, URLError(.notConnectedToInternet)))
  if let loose = User.decodeLoosely(try JSONValue(parsing: tester)) {
    print("loosely:", loose.name)
  }
}
