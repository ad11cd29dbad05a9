// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Members that no field names. Several models may read one object: a model, and its parts.
//
//   {"name":"Ann","city":"Ulm"}     Person names "name"; Address, its part, names "city"
//
// Only the outermost model of an object knows when all of its models have been read, so the members are checked there, once.
// A part reports its keys to the enclosing model: it is read through a copy of the context, which says where they go. The
// copy lives as long as the call, so a failure needs no cleaning up.

public import CDecantIndex

/// The keys of a model's object that the model and its parts name.
///
///     init(json: JSON) throws(DecodeError) {
///       var known = KnownKeys(["name"])
///       name = try json.get("name")
///       address = try json.decodePart(&known).get()
///       try json.checkMembers(known: known).get()
///     }
public struct KnownKeys: Sendable {
  private(set) var keys: [JSONKey]
  /// The keys of the models around a part.
  fileprivate var around: [JSONKey] = []
  /// The object whose part is read.
  fileprivate var node: UInt64 = 0
  /// Whether a part takes any member, or does not say which it takes.
  private(set) var isOpen = false
  /// Whether a part refuses members that no model of the object names.
  private(set) var isClosed = false
  /// Whether the part that is being read has reported its keys.
  fileprivate var isReported = false

  /// The keys of a model's own fields. Of a path, the first component counts.
  public init(_ keys: [JSONKey]) { self.keys = keys }

  /// No keys, of a part of the model that names these.
  @usableFromInline
  init(around model: KnownKeys) { (keys, around) = ([], model.keys + model.around) }

  fileprivate mutating func take(_ part: KnownKeys, isOpen: Bool = false, isClosed: Bool = false) {
    keys += part.keys
    self.isOpen = self.isOpen || part.isOpen || isOpen
    self.isClosed = self.isClosed || part.isClosed || isClosed
    isReported = true
  }

  /// A part that reports nothing may take any member.
  fileprivate mutating func endPart() {
    isOpen = isOpen || !isReported
    isReported = false
  }
}

extension JSONKey {
  /// The first step, if that is a name.
  fileprivate var name: String? {
    if case .key(let name)? = steps.first { name } else { nil }
  }
}

// MARK: - Parts

extension JSON {
  /// Decodes a part of a model from the model's own object.
  ///
  ///     // {"name":"Ann","city":"Ulm"}
  ///     var known = KnownKeys(["name"])
  ///     build(Person.init, json.decode("name"), json.decodePart(&known)).and(json.checkMembers(known: known))
  ///
  /// The part's keys are added to the known ones. A part that does not check its members accepts any: then no member
  /// is unknown. A part that takes all other members, by ``members(except:as:)-(KnownKeys,_)``, comes after the other
  /// parts.
  @_alwaysEmitIntoClient @inline(__always)
  public func decodePart<Part: JSONDecodable>(
    _ known: inout KnownKeys, as type: Part.Type = Part.self
  ) -> Decoded<Part> { part(&known) { $0.decoded(type) } }

  /// Decodes a part of a model from the model's own object; nil if all members that the part names are absent or `null`.
  @_alwaysEmitIntoClient @inline(__always)
  public func decodePartIfPresent<Part: JSONDecodable>(
    _ known: inout KnownKeys, as type: Part.Type = Part.self
  ) -> Decoded<Part?> {
    var names = KnownKeys(around: known)
    let outcome = part(&names) { $0.decoded(type) }
    return takeAbsent(names, &known) ? .success(nil) : outcome.map { $0 }
  }

  /// Reads a part by a function.
  @_alwaysEmitIntoClient @inline(__always)
  package func part<Part>(
    _ known: inout KnownKeys, _ body: (JSON) -> Decoded<Part>
  ) -> Decoded<Part> {
    // SAFETY: the copy, and what it points to, outlive the call, and the view cannot.
    unsafe withUnsafeMutablePointer(to: &known) { known in
      var copy = unsafe decant_context_copy(context, context.pointee.misses)
      unsafe beginPart(&copy, known)
      return unsafe withUnsafePointer(to: &copy) { copy in
        let outcome = body(unsafe JSON(context: copy, node: node))
        unsafe endPart(ContextRef(copy), known)
        return outcome
      }
    }
  }

  @usableFromInline
  func beginPart(_ copy: inout decant_context, _ known: UnsafeMutablePointer<KnownKeys>) {
    if let outer = unsafe outerKeys {
      unsafe known.pointee.around += outer.pointee.keys + outer.pointee.around
    }
    copy.rules.in_part = 1
    unsafe copy.part = UnsafeMutableRawPointer(known)
    unsafe known.pointee.node = node
  }

  @usableFromInline
  func endPart(_ copy: ContextRef, _ known: UnsafeMutablePointer<KnownKeys>) {
    unsafe known.pointee.endPart()
    reference.takeCounts(of: copy)
  }

  /// Adds the keys of a part to those of the model around it. Whether the object has a member for none of them.
  @usableFromInline
  func takeAbsent(_ part: KnownKeys, _ known: inout KnownKeys) -> Bool {
    let isAbsent =
      kind == .object && !part.keys.isEmpty
      && part.keys.allSatisfy { key in
        let node = key.name.map { member($0) } ?? DECANT_NODE_NONE
        return node == DECANT_NODE_NONE || JSON(node, within: self).isNull
      }
    known.take(isAbsent ? KnownKeys(part.keys) : part)
    known.endPart()
    return isAbsent
  }

  /// Decodes the tag of a union, a string or a number. If a part has no tag, its tag's key is still known to the
  /// enclosing models.
  public func decodeTag<Tag: JSONDecodable>(
    _ key: JSONKey, as type: Tag.Type = String.self
  ) -> Decoded<Tag> {
    let tag = decode(key, as: type)
    if case .failure = tag { reportTag(key) }
    return tag
  }

  /// Reports the tag of a union whose case is not known, and which may so take any members.
  func reportTag(_ key: JSONKey) {
    if let outer = unsafe outerKeys { unsafe outer.pointee.take(KnownKeys([key]), isOpen: true) }
  }

  /// The destination of the keys, if a part is read from this object.
  private var outerKeys: UnsafeMutablePointer<KnownKeys>? {
    // SAFETY: what is set lives as long as the context.
    guard unsafe context.pointee.rules.in_part != 0 else { return nil }
    let keys = unsafe context.pointee.part.assumingMemoryBound(to: KnownKeys.self)
    return unsafe keys.pointee.node == node ? keys : nil
  }
}

// MARK: - Other members

extension JSON {
  /// The members of this object whose keys are not listed.
  ///
  ///     let others: [String: JSONValue] = try json.members(except: ["id", "name"]).get()
  ///
  /// ``DecodingOptions/duplicateKeys`` chooses among members with the same key.
  ///
  /// - Complexity: linear in the members and the keys that are listed.
  public func members<Value: JSONDecodable>(
    except known: [JSONKey], as type: [String: Value].Type = [String: Value].self
  ) -> Decoded<[String: Value]> { members(except: KnownKeys(known)) }

  /// The members of this object that neither a model nor its parts name.
  public func members<Value: JSONDecodable>(
    except known: KnownKeys, as type: [String: Value].Type = [String: Value].self
  ) -> Decoded<[String: Value]> {
    guard kind == .object else { return .failure(failure(.typeMismatch, .object)) }
    var names = Set(known.keys.lazy.compactMap { $0.name })
    if let outer = unsafe outerKeys {
      let others = unsafe outer.pointee.keys + outer.pointee.around
      names.formUnion(others.lazy.compactMap { $0.name })
      unsafe outer.pointee.take(known, isOpen: true)
    }
    var others: [String: Value] = [:]
    var errors = ErrorList(in: self)
    var cursor = ChildCursor(seldom: self)
    while let node = cursor.next(in: self) {
      let name = cursor.key(in: self)
      if names.contains(name) || others[name] != nil { continue }
      // If a key occurs twice, only the member that counts.
      if isNative, member(name) != node { continue }
      let child = JSON(node, within: self)
      switch child.decoded(Value.self) {
      case .success(let value): others[name] = value
      case .failure(let error): errors.add(error, at: child, step: .key(name))
      }
    }
    return errors.failure.map { .failure($0) } ?? .success(others)
  }

  /// Fails if this object has members whose keys are not listed, if the model or the options reject such members.
  ///
  ///     try json.checkMembers(known: ["retries", "timeout"], closed: true).get()
  ///     // 1:2: /retires: unknown key "retires"; did you mean "retries"?
  ///
  /// - Parameter isClosed: Whether the model rejects such members itself. If false, the document's options decide:
  ///   ``DecodingOptions/unknownMembers``.
  /// - Complexity: a look-up for each key that is listed; nothing where the members are not checked.
  @_alwaysEmitIntoClient @inline(__always)
  public func checkMembers(
    known: @autoclosure () -> [JSONKey], closed isClosed: Bool = false
  ) -> Decoded<Void> {
    isClosed || looksForUnknown ? findUnknown(KnownKeys(known()), closed: isClosed) : .success(())
  }

  /// Fails if this object has members that neither a model nor its parts name, if one of them or the options reject
  /// such members.
  @_alwaysEmitIntoClient @inline(__always)
  public func checkMembers(known: KnownKeys, closed isClosed: Bool = false) -> Decoded<Void> {
    findUnknown(known, closed: isClosed)
  }

  /// The same for the object at a key, if there is one.
  @_alwaysEmitIntoClient
  public func checkMembers(
    at key: JSONKey, known: @autoclosure () -> [JSONKey], closed isClosed: Bool = false
  ) -> Decoded<Void> {
    let node = node(at: key)
    guard isClosed || looksForUnknown, node != DECANT_NODE_NONE else { return .success(()) }
    let outcome = JSON(node, within: self).findUnknown(KnownKeys(known()), closed: isClosed)
    if case .failure(let error) = outcome { return .failure(placed(error, at: node, of: key)) }
    return outcome
  }

  /// Whether the options refuse unknown members, or this may be a part, whose keys another model needs.
  @_alwaysEmitIntoClient @inline(__always)
  var looksForUnknown: Bool {
    unsafe context.pointee.rules.rejects_unknown != 0 || context.pointee.rules.in_part != 0
  }

  /// The check of ``checkMembers(known:closed:)``, if it is needed.
  @usableFromInline @inline(never)
  func findUnknown(_ known: KnownKeys, closed isClosed: Bool) -> Decoded<Void> {
    if let outer = unsafe outerKeys {
      unsafe outer.pointee.take(known, isClosed: isClosed)
      return .success(())
    }
    let isAsked = unsafe isClosed || known.isClosed || context.pointee.rules.rejects_unknown != 0
    guard isAsked, !known.isOpen, kind == .object else { return .success(()) }
    // Members that are found in document order are distinct. If as many are found as there are, all are known.
    var (found, last) = (0, node)
    for key in known.keys {
      if case .path = key.storage { continue }
      let place = node(at: key)
      if place == DECANT_NODE_NONE || place <= last { continue }
      (found, last) = (found + 1, place)
    }
    if found == count { return .success(()) }
    let names = known.keys.compactMap { $0.name }
    let set = Set(names)
    let list = DecodeError.KnownNames(names: names)
    var errors = ErrorList(in: self)
    var cursor = ChildCursor(seldom: self)
    while let node = cursor.next(in: self) {
      let name = cursor.key(in: self)
      if set.contains(name) { continue }
      let child = JSON(node, within: self)
      errors.add(child.unknownKey(among: list), at: child, step: .key(name))
    }
    return errors.failure.map { .failure($0) } ?? .success(())
  }
}
