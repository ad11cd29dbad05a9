// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Looks for users in documents that nobody described: objects that look like one, and arrays of
// them, at the root or not far below. What looks like a user and does not decode is an error.

import Decant
import ExampleModels

struct UserSearch {
  private var users: [User] = []
  private var errors: [DecodeError] = []
  /// Where users were found, and how many, in the order of finding.
  private var finds: [(place: JSONPointer, count: Int)] = []

  /// How many of a user's keys the root must have to look like one. Below it, two.
  private let keysOfRoot: Int

  private static let deepest = 4
  /// Elements of longer arrays are not searched for further users inside them.
  private static let longest = 20

  init(keysOfRoot: Int) { self.keysOfRoot = keysOfRoot }

  mutating func look(into document: JSONValue) {
    document.withView { root in look(at: root, [], in: document) }
  }

  private mutating func look(
    at json: JSON, _ path: [JSONPointer.Token], in document: JSONValue
  ) {
    let keys = path.isEmpty ? keysOfRoot : 2
    if json.looksLikeUser(keys: keys) {
      return take(document.outcome { $0.decode(pointer: JSONPointer(path), as: User.self) }, path)
    }
    if json.hasElement(where: { $0.looksLikeUser(keys: keys) }) {
      return take(elementsAt: JSONPointer(path), of: document)
    }
    if path.count == UserSearch.deepest { return }
    json.forEachMember { key, value in look(at: value, path + [.key(key)], in: document) }
    if json.count > UserSearch.longest { return }
    var elements = json.elements
    var index = 0
    while let element = elements.next() {
      look(at: element, path + [.index(index)], in: document)
      index += 1
    }
  }

  private mutating func take(_ outcome: Decoded<User>, _ path: [JSONPointer.Token]) {
    switch outcome {
    case .success(let user): keep([user], at: JSONPointer(path))
    case .failure(let error): errors.append(error)
    }
  }

  /// All users of an array, or those that decode, and the errors of the others.
  private mutating func take(elementsAt pointer: JSONPointer, of document: JSONValue) {
    switch document.outcome({ $0.decode(pointer: pointer, as: [User].self) }) {
    case .success(let users): keep(users, at: pointer)
    case .failure(let error):
      errors.append(error)
      keep(document[pointer: pointer].array?.compactMap { $0.decoded().value } ?? [], at: pointer)
    }
  }

  private mutating func keep(_ found: [User], at pointer: JSONPointer) {
    users += found
    if let last = finds.indices.last, finds[last].place == pointer {
      finds[last].count += found.count
    } else {
      finds.append((pointer, found.count))
    }
  }
}

extension JSON {
  /// Whether this is an object with so many of a user's keys.
  fileprivate func looksLikeUser(keys wanted: Int) -> Bool {
    guard kind == .object else { return false }
    return (contains("id") ? 1 : 0) + (contains("name") ? 1 : 0) + (contains("email") ? 1 : 0)
      >= wanted
  }

  fileprivate func hasElement(where matches: (JSON) -> Bool) -> Bool {
    var elements = self.elements
    while let element = elements.next() { if matches(element) { return true } }
    return false
  }
}

// MARK: - Showing

extension UserSearch {
  var errorCount: Int {
    errors.reduce(0) { $0 + $1.count }
  }

  func show() {
    print("\nusers in it")
    if users.isEmpty && errors.isEmpty {
      print("  none: no object has two of the keys id, name and email")
      return
    }
    if !users.isEmpty { showTable(of: users) }
    for find in finds.prefix(5) where find.count > 0 {
      let place = find.place.text.isEmpty ? "the root" : Table.cell(find.place.text)
      print("  \(counted(find.count, "user")) at \(place)")
    }
    if finds.count > 5 { print("  … and at \(counted(finds.count - 5, "place")) more") }
    for error in errors.prefix(10) { print(indented("\(error)")) }
    if errors.count > 10 { print("  … and \(counted(errors.count - 10, "error")) more") }
  }
}
