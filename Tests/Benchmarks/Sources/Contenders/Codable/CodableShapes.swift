// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Codable models of shapes that the five works do not have, for the decoders of Codable only.

import Corpora
import Decant
import Foundation

/// A document, and what each decoder of Codable does with it.
public struct CodableShape {
  public let name: String
  public let bytes: Int
  public let jobs: [(name: String, job: Job)]

  private init<Model: Decodable & Checksummed>(_ name: String, _ text: String, _ type: Model.Type) {
    self.name = name
    let document = Array(text.utf8)
    let data = Data(document)
    bytes = document.count
    let decant = DecantDecoder()
    let foundation = JSONDecoder()
    jobs = [
      ("decant.codable", Job { try decant.decode(type, from: document) }),
      ("foundation.JSONDecoder", Job { try foundation.decode(type, from: data) }),
    ]
  }

  public static var all: [CodableShape] {
    [
      CodableShape("profiles", Generator.profiles(), [Profile].self),
      CodableShape("events", Generator.events(), [Event].self),
    ]
  }
}

private struct Profile: Decodable, Checksummed {
  var id: Int
  var nickname: String?
  var firstName: String?
  var lastName: String?
  var title: String?
  var company: String?
  var street: String?
  var city: String?
  var country: String?
  var phone: String?
  var website: String?
  var avatar: String?
  var biography: String?
  var age: Int?
  var floor: Int?
  var followers: Int?
  var score: Int?
  var subscribed: Bool?
  var verified: Bool?

  enum CodingKeys: String, CodingKey {
    case id, nickname, title, company, street, city, country, phone, website, avatar, biography, age
    case floor, followers, score, subscribed, verified
    case firstName = "first_name"
    case lastName = "last_name"
  }

  func add(to sum: inout Checksum) {
    sum.add(id)
    let texts = [
      nickname, firstName, lastName, title, company, street, city, country, phone, website, avatar,
      biography,
    ]
    texts.add(to: &sum)
    [age, floor, followers, score].add(to: &sum)
    sum.add(subscribed ?? false)
    sum.add(verified ?? false)
  }
}

private struct Event: Decodable, Checksummed {
  var id: Int
  var priority: Priority
  var action: Action
  var tags: [Tag]
  var source: Source

  enum Priority: Int, Decodable { case low = 1, normal, high }
  enum Tag: String, Decodable { case red, green, blue }
  enum Source: String, Decodable { case web, app, api }
  enum Action: Decodable {
    case created(by: Int)
    case renamed(from: String, to: String)
    case moved(Int, Int)
    case deleted
    case commented(text: String)
  }

  func add(to sum: inout Checksum) {
    sum.add(id)
    sum.add(priority.rawValue)
    switch action {
    case .created(let user): sum.add(user)
    case .renamed(let from, let to):
      sum.add(from)
      sum.add(to)
    case .moved(let from, let to):
      sum.add(from)
      sum.add(to)
    case .deleted: sum.add(0)
    case .commented(let text): sum.add(text)
    }
    tags.map(\.rawValue).add(to: &sum)
    sum.add(source.rawValue)
  }
}
