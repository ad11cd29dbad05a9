// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The members of an object by the keys that a strategy converts theirs to.
//
// Converting a key costs about a hundred times as much as comparing it. Documents repeat their keys, so a container that is
// reused for one object after another remembers the conversions. As long as an object has the keys of the earlier objects
// at the same places, each key is compared once; any other key is looked up.
//
//   {"user_id":1,"user_name":"a"}    converts two keys
//   {"user_id":2,"user_name":"b"}    compares two keys
//   {"user_name":"c"}                looks one up
//
// Models mostly look up keys in the order of the document; a look-up is then one comparison. Otherwise it hashes.

internal import CDecantIndex
internal import DecantCore

struct ConvertedKeys {
  /// The keys of documents, what they convert to, and where `firsts` has that.
  private var conversions: [(name: String, text: String, first: Int)] = []
  /// Places in `conversions`, by the key in the document.
  private var known: [String: Int] = [:]
  /// Places in `conversions` of what was last seen as an object's first key, its second and so on.
  private var expected: [Int] = []
  /// The members of the object, without those whose key converts to an earlier one's, and without shadowed duplicates
  /// where the last one counts.
  private var members: [(conversion: Int, first: Int, node: UInt64)] = []
  /// The place in `members` of the first one with a converted key, if there is one.
  private var firsts: [Int] = []
  /// Places in `firsts`, by the converted key.
  private var places: [String: Int] = [:]
  /// The place where the next look-up begins.
  private var hint = 0

  /// Points the keys to another object.
  mutating func move(to object: JSON, _ convert: (String) -> String) {
    // Keys of objects that are all different are forgotten.
    if known.count > 64 + 8 * members.count { self = ConvertedKeys() }
    members.removeAll(keepingCapacity: true)
    hint = 0
    let keepsLast = object.keepsLastDuplicate
    var count = 0
    var cursor = ChildCursor(object)
    while let node = cursor.next(in: object) {
      let name = cursor.key(in: object)
      if keepsLast, object.member(name) != node { continue }
      if count == expected.count { expected.append(conversion(of: name, convert)) }
      if !areSame(conversions[expected[count]].name, name) {
        expected[count] = conversion(of: name, convert)
      }
      let conversion = expected[count]
      count += 1
      let first = conversions[conversion].first
      if has(first) { continue }
      firsts[first] = members.count
      members.append((conversion, first, node))
    }
  }

  /// Whether the object has a converted key. Places of other objects' members are not taken back.
  private func has(_ first: Int) -> Bool {
    let place = firsts[first]
    return place < members.count && members[place].first == first
  }

  private mutating func conversion(of name: String, _ convert: (String) -> String) -> Int {
    let distinctName = distinct(name)
    if let conversion = known[distinctName] { return conversion }
    let text = convert(name)
    let first = places[text] ?? firsts.count
    if first == firsts.count { firsts.append(0) }
    places[text] = first
    known[distinctName] = conversions.count
    conversions.append((name, text, first))
    return conversions.count - 1
  }

  /// The node of the first member whose key converts to `key`, or DECANT_NODE_NONE.
  mutating func node(_ key: String) -> UInt64 {
    if hint == members.count || conversions[members[hint].conversion].text != key {
      guard let first = places[key], has(first) else { return DECANT_NODE_NONE }
      hint = firsts[first]
    }
    hint += 1
    return members[hint - 1].node
  }

  /// The converted keys, in document order.
  var all: [String] {
    var keys: [String] = []
    for member in members { keys.append(conversions[member.conversion].text) }
    return keys
  }
}
