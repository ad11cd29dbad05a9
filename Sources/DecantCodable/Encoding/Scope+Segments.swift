// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Segments: separate texts for values that are not written at the end of the enclosing text. They are put in place when the
// value whose `encode(to:)` made them is complete, or as soon as nobody can write to them any more.
//
//   nested containers, super encoders   a byte in the enclosing text stands for them
//   a container that continues a value  they replace that value's text
//     that was encoded for its key
//   interruptions: an object or array   they are inserted before the member whose value is being encoded, which
//     is written to while one of its    therefore wins over them, as in JSONEncoder
//     values is being encoded
//
//   text      {"a":0,"b":0,"c":1      two nested containers
//   segments  at 5   {"x":1
//             at 11  [2,3
//   result    {"a":{"x":1},"b":[2,3],"c":1
//
// A value that cannot be encoded is cut from the end of its text, with its segments. A retained encoder or container of a
// value that is complete, or was cut, cannot be written to.

internal import DecantCore

/// The segments of a scope: itself, if it is one, and those in its text.
@safe
struct Segments {
  // SAFETY: allocated for a scope that is a segment, which owns it.
  @safe var own: UnsafeMutablePointer<WritingState>?
  /// The scope of the chain at whose end a segment is put in place. Nil for those of the chain.
  var home: Reference<Scope>?
  /// Whether the scope stands for one that cannot be written.
  var isDiscarded = false

  // SAFETY: compared; where the text is, it has `position`. Nil if the text is in place, or nothing becomes of it.
  @safe var host: UnsafeMutablePointer<WritingState>?
  var position = 0
  /// How many bytes of the host it replaces, and how many of its own are not part of it.
  var replaced = 0
  var skipped = 0

  // SAFETY: the session's list has them as long as they are here.
  var inside: [Reference<Scope>] = []
  /// The scopes that are written to instead of this one's text, the last one first.
  var interruptions: [Scope] = []
  var places: MemberPlaces?

  func free() {
    unsafe own?.deinitialize(count: 1)
    unsafe own?.deallocate()
  }
}

// MARK: - Making segments

extension Scope {
  /// A scope that is a segment, for one value after the other.
  convenience init(segmentOf session: EncodingSession) {
    let text = unsafe session.makeText()
    unsafe self.init(session, text)
    segments.own = unsafe text
  }

  /// A scope in place of one that cannot be written. Writing to it throws the reason, so that a cycle of encoders ends.
  convenience init(insteadOf scope: Scope) {
    unsafe self.init(scope.session, scope.state)
    segments.isDiscarded = true
    // Such containers can be nested to any depth, and nobody reads their path.
    knownPath = scope.segments.isDiscarded ? scope.knownPath : scope.codingPath
    anchor = scope.session
    isTop = false
  }

  func beginSegment(_ step: (any CodingKey)?, of parent: Scope, _ home: Scope) {
    unsafe self.parent = Reference(parent)
    self.step = step
    segments.home = unsafe Reference(home)
    // A chain of scopes knows its levels.
    if level != parent.level + 1 { (level, child) = (parent.level + 1, nil) }
    guard let text = segments.own else { return }
    unsafe text.pointee.reset(keeping: EncodingSession.keptSegmentCapacity)
    unsafe text.pointee.depth = parent.state.pointee.depth
    unsafe begin(in: text, nil, Scope.noIndex)
  }

  /// The destination of a segment's text.
  func place(
    in host: UnsafeMutablePointer<WritingState>, at position: Int, replacing replaced: Int,
    skipping skipped: Int = 0
  ) {
    segments.host = unsafe host
    segments.position = position
    segments.replaced = replaced
    segments.skipped = skipped
  }

  /// The scope whose text is written to: this one, or its interruption.
  private var writer: Scope { segments.interruptions.last ?? self }

  var home: Scope { segments.home?.object ?? self }

  private func addSegment(_ step: (any CodingKey)?) -> Scope {
    let segment = session.addSegment(step, of: self, home)
    unsafe writer.segments.inside.append(Reference(segment))
    return segment
  }

  /// A scope for a nested container or a super encoder, whose key or separator is written.
  @inline(never)
  func nest(_ step: any CodingKey) -> Scope {
    if anchor != nil { return Scope(insteadOf: self) }
    if segments.places == nil { joinLastSegment() }
    let segment = addSegment(step)
    unsafe segment.place(in: state, at: state.pointee.length, replacing: 1)
    state.pointee.buffer.append(UInt8(ascii: "0"))
    return segment
  }
}

// MARK: - Interruptions

extension Scope {
  /// Makes this scope one that can be written to, while a value inside it is being encoded.
  ///
  /// - Throws: `EncodingError` once the value is complete.
  @inline(never)
  func comeToTop() throws {
    if anchor != nil {
      if segments.isDiscarded { try session.throwFailureAgain() }
      throw failure("the encoder has finished")
    }
    let segment = addSegment(nil)
    guard let text = segment.segments.own else { return }
    unsafe segment.place(in: state, at: memberStart, replacing: 0, skipping: 1)
    segment.content = .value
    // The next write needs the last byte to decide whether a comma is due.
    unsafe text.pointee.buffer.append(unsafe state.pointee.buffer.text[memberStart - 1])
    unsafe text.pointee.depth = depth + 1
    segments.interruptions.append(segment)
    state = unsafe text
    isTop = true
    unsafe isUnusual.pointee = true
    session.mustRewrite = true
  }

  /// Goes on in the text that was interrupted, after the value that was being encoded.
  func goOn(after host: UnsafeMutablePointer<WritingState>) {
    if segments.interruptions.isEmpty { return }
    if content == .object { findMembers() }
    _ = segments.interruptions.popLast()
    // The member that follows was the first one.
    let text = unsafe state.pointee.buffer.text
    if text.count > 1, unsafe text[0] == opening { state.pointee.buffer.append(UInt8(ascii: ",")) }
    state = unsafe host
    isTop = true
  }

  /// Appends the interruption of a value that could not be encoded.
  func append(_ interruption: Scope) {
    guard let text = interruption.segments.own else { return }
    let shift = state.pointee.length - 1
    for segment in interruption.segments.inside {
      segment.object.segments.host = state
      segment.object.segments.position += shift
    }
    let bytes = unsafe text.pointee.buffer.text
    unsafe state.pointee.buffer.append(UnsafeBufferPointer(rebasing: bytes[1...]))
    let writer = writer
    writer.segments.inside.removeAll { unsafe $0.opaque == Reference(interruption).opaque }
    writer.segments.inside += interruption.segments.inside
    interruption.segments.inside = []
    interruption.segments.host = nil
    segments.places = nil
  }

  private var opening: UInt8 { content == .array ? UInt8(ascii: "[") : UInt8(ascii: "{") }
}

// MARK: - Putting them in place

extension Scope {
  /// Puts the last segment in place if nobody can write to it any more, because models nest one container after another.
  private func joinLastSegment() {
    guard let last = writer.segments.inside.last,
      let segment = unsafe session.takeLastSegment(if: last, in: state)
    else { return }
    segment.close()
    insert([last])
    _ = writer.segments.inside.popLast()
    session.recycle(segment)
  }

  @inline(never)
  func joinSegments() {
    hasSegments = false
    session.joinSegments(of: self, from: firstSegment)
  }

  @inline(never)
  func dropSegments() {
    hasSegments = false
    session.dropSegments(of: self, from: firstSegment)
    forgetSegments()
  }

  func forgetSegments() {
    segments.inside.removeAll(keepingCapacity: true)
    segments.interruptions = []
    segments.places = nil
  }

  /// Puts the segments in place that are inside this scope's text.
  func insertSegments() {
    if !segments.inside.isEmpty { insert(segments.inside) }
    forgetSegments()
  }

  /// Puts segments in place, in the text that is written to.
  func insert(_ segments: [Reference<Scope>]) {
    let segments = ordered(segments)
    guard let first = segments.first?.object.segments.position else { return }
    let text = unsafe spliced(segments, in: state, first..<state.pointee.length)
    state.pointee.buffer.truncate(to: first)
    unsafe text.withUnsafeBufferPointer { unsafe state.pointee.buffer.append($0) }
    move(memberStarts: segments)
    for segment in segments { segment.object.segments.host = nil }
  }

  /// Completes a segment: then its text is all that it has.
  func completeSegment() {
    insertSegments()
    close()
  }

  /// How many bytes the host becomes longer by.
  private var growth: Int {
    (segments.own?.pointee.length ?? 0) - segments.skipped - segments.replaced
  }

  private func move(memberStarts segments: [Reference<Scope>]) {
    if !sortsKeys { return }
    var (next, shift) = (0, 0)
    for place in memberStarts.indices {
      while next < segments.count, segments[next].object.segments.position < memberStarts[place] {
        shift += segments[next].object.growth
        next += 1
      }
      memberStarts[place] += shift
    }
  }
}

/// Segments of one text, by their places.
func ordered(_ segments: [Reference<Scope>]) -> [Reference<Scope>] {
  func position(_ place: Int) -> Int { segments[place].object.segments.position }
  for place in segments.indices.dropFirst() where position(place) < position(place - 1) {
    return orderedPlaces(segments.count) { position($0) < position($1) }.map { segments[$0] }
  }
  return segments
}

/// A part of a text, with the segments that are in it.
func spliced(
  _ segments: [Reference<Scope>], in state: UnsafeMutablePointer<WritingState>,
  _ range: Range<Int>
) -> [UInt8] {
  let text = unsafe state.pointee.buffer.text
  var result: [UInt8] = []
  var place = range.lowerBound
  for segment in segments {
    let segment = segment.object.segments
    unsafe result.append(contentsOf: text[place..<segment.position])
    if let own = segment.own {
      unsafe result.append(contentsOf: own.pointee.buffer.text[segment.skipped...])
    }
    place = segment.position + segment.replaced
  }
  unsafe result.append(contentsOf: text[place..<range.upperBound])
  return result
}

// MARK: - Retained segments

extension Scope {
  /// Makes a scope whose value is complete, or failed, last as long as its holders. It is not written to any more.
  @inline(never)
  func keep() {
    knownPath = codingPath
    parent = nil
    container = nil
    step = nil
    segments.home = nil
    anchor = session
    for writer in writers.takeUsed() { writer.escape(from: self) }
    child = nil
    isChildOut = false
    isTop = false
  }
}

// MARK: - Containers that continue an encoded value

extension Scope {
  /// The scope of a container of this kind that a key of this object has already: a nested one, or one that replaces the
  /// value that was encoded. Nil if the key has none, or a value of another kind.
  @inline(never)
  func nestedMember(_ name: String, _ kind: Content, _ step: any CodingKey) -> Scope? {
    findMembers()
    // Taken out, because a scope is made meanwhile.
    guard var places = segments.places else { return nil }
    segments.places = nil
    defer { segments.places = places }
    return unsafe places.container(name, kind) { host, value, scope in
      let text = unsafe Array(host.pointee.buffer.text[value])
      let segment = session.addSegment(step, of: self, home)
      unsafe scope.segments.inside.append(Reference(segment))
      unsafe segment.place(in: host, at: value.lowerBound, replacing: value.count)
      segment.goOn(in: text, as: kind)
      return segment
    }
  }

  /// Finds the members that were written since the last time: those before the interruptions, and in them.
  private func findMembers() {
    var places = segments.places ?? MemberPlaces()
    segments.places = nil
    defer { segments.places = places }
    var (writer, first) = (self, start + 1)
    for interruption in segments.interruptions {
      if let host = interruption.segments.host {
        unsafe places.scan(writer, host, from: first, to: interruption.segments.position)
      }
      (writer, first) = (interruption, 1)
    }
    unsafe places.scan(writer, state, from: first, to: state.pointee.length)
  }

  /// Takes the value of this scope back, if it is a container of this kind.
  func takeValue(_ kind: Content) -> [UInt8]? {
    let text = unsafe state.pointee.buffer.text
    guard start < text.count, unsafe text[start] == kind.opening else { return nil }
    let value = unsafe Array(text[start...])
    state.pointee.buffer.truncate(to: start)
    return value
  }

  /// Opens this scope's container with what a value of that kind has.
  func goOn(in text: [UInt8], as kind: Content) {
    guard kind == .array ? openArray() : openObject() else { return session.note(tooDeep()) }
    // Without the brackets, and white space before the last one.
    var end = text.count - 1
    while end > 1, text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    unsafe text[1..<max(end, 1)].withUnsafeBufferPointer { unsafe state.pointee.buffer.append($0) }
    let value = try? JSONValue(parsing: text, options: .unlimited)
    count = value?.count ?? 0
    for (name, _) in value?.members ?? [] { _ = names.insert(name) }
    // Sorting does not know where these members begin.
    session.mustRewrite = true
  }
}

extension Scope.Content {
  fileprivate var opening: UInt8 { self == .array ? UInt8(ascii: "[") : UInt8(ascii: "{") }
}

/// The places of an object's values, by their keys. Each look-up reads the text that was written since the last one.
@safe
struct MemberPlaces {
  @safe
  private struct Value {
    // SAFETY: the text of `scope`, which is there as long as these places.
    @safe let host: UnsafeMutablePointer<WritingState>
    let range: Range<Int>
    let scope: Reference<Scope>
    /// The nested container that the value is, or that has replaced it.
    var segment: Reference<Scope>?
  }
  @safe
  private struct Text {
    // SAFETY: compared.
    @safe let state: UnsafeMutablePointer<WritingState>
    /// How far the text is read, and how many of the segments in it.
    var end: Int
    var segments = 0
  }

  private var values: [String: Value] = [:]
  private var texts: [Text] = []

  /// Finds the members in a text of the object's.
  mutating func scan(
    _ scope: Scope, _ state: UnsafeMutablePointer<WritingState>, from start: Int, to end: Int
  ) {
    let known = texts.firstIndex { unsafe $0.state == state }
    if known == nil { unsafe texts.append(Text(state: state, end: start)) }
    let number = known ?? texts.count - 1
    let first = texts[number].end
    if first >= end { return }
    texts[number].end = end
    // Reads the new text as an object, whose brace is at the place of the comma or before the first member.
    let text = unsafe state.pointee.buffer.text[first..<end]
    let hasComma = unsafe text.first == UInt8(ascii: ",")
    let object = unsafe [UInt8(ascii: "{")] + text.dropFirst(hasComma ? 1 : 0) + [UInt8(ascii: "}")]
    let shift = hasComma ? first : first - 1
    let inside = scope.segments.inside
    var next = texts[number].segments
    try? JSONValue(parsing: object, options: .unlimited).withView { json in
      var members = ChildCursor(json)
      while let member = members.next(in: json) {
        let value = JSON(member, within: json)
        let start = value.offset + shift
        while next < inside.count, inside[next].object.segments.position < start { next += 1 }
        let isSegment = next < inside.count && inside[next].object.segments.position == start
        values[distinct(members.key(in: json))] = unsafe Value(
          host: state, range: start..<value.end + shift, scope: Reference(scope),
          segment: isSegment ? inside[next] : nil)
      }
    }
    texts[number].segments = next
  }

  /// The container that a key has, if it is of this kind; `replace` makes one of a value that is.
  mutating func container(
    _ key: String, _ kind: Scope.Content,
    _ replace: (UnsafeMutablePointer<WritingState>, Range<Int>, Scope) -> Scope
  ) -> Scope? {
    let key = distinct(key)
    guard let value = values[key] else { return nil }
    if let segment = value.segment {
      return segment.object.content == kind ? segment.object : nil
    }
    let first = unsafe value.host.pointee.buffer.text[value.range.lowerBound]
    if first != kind.opening { return nil }
    let segment = unsafe replace(value.host, value.range, value.scope.object)
    values[key]?.segment = unsafe Reference(segment)
    return segment
  }
}
