// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Containers that go on in what was encoded as a value before, as JSONEncoder's do:
//
//   container.encode(User(id: 5), forKey: .user)             {"user":{"id":5
//   container.nestedContainer(…, forKey: .user)              {"user":{"id":5},"user":{"id":5
//     .encode("Ann", forKey: .name)                          {"user":{"id":5},"user":{"id":5,"name":"Ann"
//
// The text of the value is read again, and is what the container begins with; of the two members the last one counts.

internal import DecantCore

extension Scope {
  /// The last value of a key that the object has, if it is a container of this kind.
  @inline(never)
  func encodedMember(_ name: String, _ kind: Content) -> JSONValue? {
    guard isTop || (try? comeToTop()) != nil else { return nil }
    let (state, place, since) = unsafe written
    if unsafe session.isTruncated(state, at: place.lowerBound, since: since) { return nil }
    var text = unsafe session.completeText(state, place, for: self)
    text.append(UInt8(ascii: "}"))
    let members = try? JSONValue(parsing: text, options: .unlimited).members
    var value: JSONValue?
    for member in members ?? [] where areSame(member.key, name) { value = member.value }
    return value?.kind == kind.inJSON ? value : nil
  }

  /// Takes the value of this scope back, if it is a container of this kind.
  @inline(never)
  func takeValue(_ kind: Content) -> JSONValue? {
    let place = place(to: state.pointee.length)
    let text = unsafe session.completeText(state, place, for: self)
    guard let value = try? JSONValue(parsing: text, options: .unlimited), value.kind == kind.inJSON
    else { return nil }
    state.pointee.buffer.truncate(to: place.lowerBound)
    unsafe session.noteTruncation(state, at: place.lowerBound)
    return value
  }

  /// Opens this scope's container with what a value of that kind has.
  @inline(never)
  func goOn(in value: JSONValue, as kind: Content) {
    guard kind == .array ? openArray() : openObject() else { return session.note(tooDeep()) }
    // Without the brackets, and white space beside them.
    let bytes = value.bytes()
    var (start, end) = (1, bytes.count - 1)
    while start < end, bytes[start] <= UInt8(ascii: " ") { start += 1 }
    while start < end, bytes[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    for place in start..<end { state.pointee.buffer.append(bytes[place]) }
    count = value.count
    for (name, _) in value.members ?? [] { _ = names.insert(name) }
    // Where these members begin is not known to those who put members in order.
    session.hasKeptScopes = true
  }
}
