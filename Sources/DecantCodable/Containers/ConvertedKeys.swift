// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The members of an object by the keys that a strategy converts theirs to.
//
// Converting a key costs about a hundred times as much as comparing it. Documents repeat their objects, so a
// container that is reused for one object after the other remembers the keys of the last one: as long as an object
// begins with the same keys in the same order, their conversions are known.
//
//   {"user_id":1,"user_name":"a"}    converts two keys
//   {"user_id":2,"user_name":"b"}    compares two keys
//
// Models ask in the order of the document, mostly, and then a look-up is one comparison. Otherwise it hashes.

internal import CDecantIndex
internal import DecantCore

struct ConvertedKeys {
  /// The key in the document, and the converted one, or nil if an earlier member converts to the same.
  private typealias Member = (name: String, key: String?)

  /// The first `nodes.count` members are those of the object, without shadowed duplicates where the last one counts.
  private var members: [Member] = []
  private var places = [String: Int]()
  private var nodes: [UInt64] = []
  /// Where the next look-up begins.
  private var hint = 0

  /// Points the keys to another object.
  mutating func move(to object: JSON, _ convert: (String) -> String) {
    nodes.removeAll(keepingCapacity: true)
    hint = 0
    let keepsLast = object.keepsLastDuplicate
    var cursor = ChildCursor(object)
    while let node = cursor.next(in: object) {
      let name = cursor.key(in: object)
      if keepsLast, object.member(name) != node { continue }
      if nodes.count == members.count || !areSame(members[nodes.count].name, name) {
        forget(from: nodes.count)
        let key = convert(name)
        members.append((name, places[key] == nil ? key : nil))
        if places[key] == nil { places[key] = nodes.count }
      }
      nodes.append(node)
    }
  }

  private mutating func forget(from place: Int) {
    while members.count > place {
      if let key = members.removeLast().key { places[key] = nil }
    }
  }

  /// The node of the first member whose key converts to `key`, or DECANT_NODE_NONE.
  mutating func node(_ key: String) -> UInt64 {
    if hint < nodes.count, members[hint].key == key {
      hint += 1
      return nodes[hint - 1]
    }
    guard let place = places[key], place < nodes.count else { return DECANT_NODE_NONE }
    hint = place + 1
    return nodes[place]
  }

  /// The converted keys, in document order.
  var keys: [String] {
    var keys: [String] = []
    for place in nodes.indices {
      if let key = members[place].key { keys.append(key) }
    }
    return keys
  }
}
