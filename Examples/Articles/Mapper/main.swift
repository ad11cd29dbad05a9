// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "Embrace immutability": models of constants, made by throwing initialisers.

import Decant
import DecantFoundation
import DecantVocabulary
import Foundation

struct User: JSONInitializable {
  let id: String
  let photoURL: URL?
  let verified: Bool

  init(json: JSON) throws(DecodeError) {
    try id = json.from("id")
    photoURL = json.optionalFrom("photoURL")
    verified = json.optionalFrom("phone.verified") ?? false
  }
}

enum HintID: String, CaseIterable, JSONDecodable { case welcome, pickup }

struct Hint: JSONInitializable {
  let id: HintID
  let text: String

  init(json: JSON) throws(DecodeError) {
    try id = json.from("id")
    try text = json.from("text")
  }
}

struct Coordinate: Convertible {
  let latitude: Double
  let longitude: Double

  static func from(_ json: JSON) throws(DecodeError) -> Coordinate {
    Coordinate(
      latitude: try json.from(["lat", "latitude"]), longitude: try json.from(["lng", "longitude"]))
  }
}

struct AppInfo: JSONInitializable {
  let user: User
  let pickup: Coordinate
  let hints: [HintID: Hint]

  init(json: JSON) throws(DecodeError) {
    try user = json.from("user")
    try pickup = json.from("pickup")
    try hints = json.from("hints", transformation: Transform.toDictionary { $0.id })
  }
}

func show(_ json: String) {
  do {
    let info = try AppInfo(decoding: json)
    print(
      "user \(info.user.id), verified: \(info.user.verified), photo: \(info.user.photoURL != nil)")
    print("pickup at \(info.pickup.latitude), \(info.pickup.longitude)")
    for id in HintID.allCases { print("\(id): \(info.hints[id]?.text ?? "no hint")") }
  } catch { print(error) }
}

show(
  #"""
  {"user": {"id": "123", "photoURL": "http://example.com/123.jpg", "phone": {"verified": false}},
   "pickup": {"latitude": 37.8, "lng": -122.4},
   "hints": [{"id": "welcome", "text": "Hi"}, {"id": "welcome", "text": "Hello"}]}
  """#)
show(#"{"user": {"id": "123"}, "pickup": {"lat": 37.8}, "hints": []}"#)
show(#"{"user": {"id": 123}}"#)
