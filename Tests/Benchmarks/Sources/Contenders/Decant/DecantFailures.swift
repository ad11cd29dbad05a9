// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What failing costs: documents that do not become a model, beside documents of the same shape that do.
// The errors are made, and nobody reads them.

import BenchmarkSupport
import Decant

/// A document that fails, and one that does not.
public struct Failure {
  /// What is wrong with it.
  public let name: String
  public let spelling: String
  /// Decodes the good document so many times.
  public let good: (_ times: Int) throws -> Void
  /// Decodes the bad one so many times; throws if it succeeds, or if it has not as many errors as it should.
  public let bad: (_ times: Int) throws -> Void

  @inline(__always)
  private init<Good: JSONDecodable, Bad: JSONDecodable>(
    _ name: String, _ spelling: String, _ good: Good.Type, _ goodText: String, _ bad: Bad.Type,
    _ badText: String, errors: Int
  ) {
    self.name = name
    self.spelling = spelling
    let goodBytes = Array(goodText.utf8)
    let badBytes = Array(badText.utf8)
    self.good = { times in
      for _ in 0..<times {
        let model = try Good(decoding: goodBytes)
        withUnsafePointer(to: model) { benchmark_keep($0) }
      }
    }
    self.bad = { times in
      for _ in 0..<times {
        guard case .failure(let error) = Bad.decode(from: badBytes), error.count == errors else {
          throw ContenderFailure()
        }
      }
    }
  }
}

// MARK: - Small documents

extension Failure {
  /// A small object: as it should be, and with one, two or three of its fields wrong.
  public static var small: [Failure] {
    let users: [(String, Int, String)] = [
      ("1 wrong type", 1, #"{"id":"1","name":"Cool User","email":"u.cool@example.com"}"#),
      ("2 wrong types", 2, #"{"id":"1","name":10000001234,"email":"u.cool@example.com"}"#),
      ("3 wrong types", 3, #"{"id":"1","name":10000001234,"email":12345678901234567890}"#),
      ("1 missing key", 1, #"{"ID":1,"name":"Cool User","email":"u.cool@example.com"}"#),
      ("2 missing keys", 2, #"{"ID":1,"Name":"Cool User","email":"u.cool@example.com"}"#),
      ("3 missing keys", 3, #"{"ID":1,"Name":"Cool User","Email":"u.cool@example.com"}"#),
    ]
    let good = #"{"id":1,"name":"Cool User","email":"u.cool@example.com"}"#
    return users.flatMap { name, count, bad in
      [
        // A throwing initialiser ends with its first error.
        Failure(name, "try", DecantTry.User.self, good, DecantTry.User.self, bad, errors: 1),
        Failure(
          name, "build", DecantBuild.User.self, good, DecantBuild.User.self, bad, errors: count),
        Failure(
          name, "operators", DecantOperators.User.self, good, DecantOperators.User.self, bad,
          errors: count),
      ]
    }
  }
}

// MARK: - Long documents

extension Failure {
  /// Arrays of 10,000 elements, good and bad.
  public static var long: [Failure] {
    func elements(_ element: (Int) -> String) -> String {
      "[\((1...10_000).map(element).joined(separator: ","))]"
    }
    let users = elements {
      #"{"id":\#($0),"name":"Cool User","email":"u\#($0).cool@example.com"}"#
    }
    let mistyped = elements {
      #"{"id":"\#($0)","name":"Cool User","email":"u\#($0).cool@example.com"}"#
    }
    let lacking = elements {
      #"{"ID":\#($0),"Name":"Cool User","Email":"u\#($0).cool@example.com"}"#
    }
    let integers = elements { "\($0)" }
    let strings = elements { "\"\($0)\"" }
    let count = 10_000
    return [
      Failure(
        "a wrong type in each", "try", DecantTryUsers.self, users, DecantTryUsers.self, mistyped,
        errors: count),
      Failure(
        "a wrong type in each", "build", DecantBuildUsers.self, users, DecantBuildUsers.self,
        mistyped, errors: count),
      Failure(
        "a wrong type in each", "operators", DecantOperatorsUsers.self, users,
        DecantOperatorsUsers.self, mistyped, errors: count),
      Failure(
        "three missing keys in each", "try", DecantTryUsers.self, users, DecantTryUsers.self,
        lacking, errors: count),
      Failure(
        "three missing keys in each", "build", DecantBuildUsers.self, users, DecantBuildUsers.self,
        lacking, errors: 3 * count),
      Failure(
        "three missing keys in each", "operators", DecantOperatorsUsers.self, users,
        DecantOperatorsUsers.self, lacking, errors: 3 * count),
      Failure(
        "strings for integers", "", [Int].self, integers, [Int].self, strings, errors: count),
      Failure(
        "integers for objects", "try", [Int].self, integers, DecantTryUsers.self, integers,
        errors: count),
      Failure(
        "integers for objects", "build", [Int].self, integers, DecantBuildUsers.self, integers,
        errors: count),
      Failure(
        "integers for objects", "operators", [Int].self, integers, DecantOperatorsUsers.self,
        integers, errors: count),
    ]
  }
}

private typealias DecantTryUsers = [DecantTry.User]
private typealias DecantBuildUsers = [DecantBuild.User]
private typealias DecantOperatorsUsers = [DecantOperators.User]
