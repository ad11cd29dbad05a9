// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a view to another: by key, by index, by path, by pointer. All spellings use `node(at:)`. It returns DECANT_NODE_NONE
// if the value is missing, and `absence(of:)` says why.

public import CDecantIndex

extension JSON {
  /// The value at a key, an index or a path; a missing view, which remembers why, if no value is there.
  ///
  ///     json["users"][0]["name"].string
  ///
  /// - Complexity: one key comparison for members that are looked up in document order. Otherwise O(*n* + *m*) for *m*
  ///   look-ups in an object of *n* members, or in an array of *n* elements, in any order: after many look-ups, a wide
  ///   container gets a table of about 32 bytes a member, or 4 bytes for 16 elements.
  public subscript(key: JSONKey) -> JSON {
    @_lifetime(copy self)
    get { JSON(chained(key), within: self) }
  }

  /// The value at a key known at run time.
  @_disfavoredOverload
  public subscript(name: String) -> JSON {
    @_lifetime(copy self)
    get { JSON(chained(JSONKey(name)), within: self) }
  }

  /// The value at an index known at run time.
  @_disfavoredOverload
  public subscript(index: Int) -> JSON {
    @_lifetime(copy self)
    get { JSON(chained(JSONKey(index)), within: self) }
  }

  /// The value at an RFC 6901 pointer; a missing view if no value is there.
  public subscript(pointer pointer: JSONPointer) -> JSON {
    @_lifetime(copy self)
    get {
      var keys: [JSONKey]?
      return JSON(node(at: pointer, &keys) ?? DECANT_NODE_MISSING, within: self)
    }
  }

  /// Whether there is a member, element or path of this name; `null` counts.
  public func contains(_ key: JSONKey) -> Bool { node(at: key) != DECANT_NODE_NONE }

  @_alwaysEmitIntoClient @inline(__always)
  package func node(at key: JSONKey) -> UInt64 {
    if case .literal(let start, let count) = key.storage { return unsafe member(start, count) }
    return nodeSlowly(at: key)
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func member(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    // SAFETY: an object's slot, as decant_lookup asks; `start` has `count` bytes.
    if isNativeObject { return unsafe decant_lookup(context, node, start, count) }
    return unsafe foreignMember(start, count)
  }

  @usableFromInline @inline(never)
  package func foreignMember(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    guard let engine = unsafe foreign else { return DECANT_NODE_NONE }
    return unsafe engine.pointee.lookup(context, node, start, count)
  }

  @usableFromInline @inline(never)
  package func nodeSlowly(at key: JSONKey) -> UInt64 {
    switch key.storage {
    case .literal(let start, let count): return unsafe member(start, count)
    case .name(let name): return member(name)
    case .index(let index): return element(index)
    case .path(let keys):
      var view = self
      for key in keys {
        let node = view.node(at: key)
        if node == DECANT_NODE_NONE { return node }
        view = JSON(node, within: self)
      }
      return view.node
    }
  }

  package func member(_ name: String) -> UInt64 {
    var name = name
    // SAFETY: the pointer stays inside the closure; an empty string may have none, and needs one.
    return name.withUTF8 { bytes in
      if let start = bytes.baseAddress { return unsafe member(start, bytes.count) }
      var none: UInt8 = 0
      return unsafe member(&none, 0)
    }
  }

  @usableFromInline
  package func element(_ index: Int) -> UInt64 {
    guard index >= 0 else { return DECANT_NODE_NONE }
    // SAFETY: an array's slot.
    if isNativeArray { return unsafe decant_array_element(context, node, UInt64(index)) }
    guard let engine = unsafe foreign else { return DECANT_NODE_NONE }
    return unsafe engine.pointee.element(context, node, index)
  }

  /// The node at a pointer, whose tokens of digits are indices in arrays; nil if the pointer does not parse. Records its
  /// keys, if `keys` is not nil.
  func node(at pointer: JSONPointer, _ keys: inout [JSONKey]?) -> UInt64? {
    guard let tokens = pointer.tokens else { return nil }
    var view = self
    for token in tokens {
      let index = view.kind == .array ? JSONPointer.arrayIndex(token) : nil
      keys?.append(index.map { JSONKey($0) } ?? JSONKey(token))
      let next = index.map { view.element($0) } ?? view.member(token)
      view = JSON(next == DECANT_NODE_NONE ? DECANT_NODE_MISSING : next, within: self)
    }
    return view.node
  }
}

// MARK: - Missing views

extension JSON {
  /// The node at a key, or a missing node that remembers the first step that failed.
  func chained(_ key: JSONKey) -> UInt64 {
    if !exists { return node }
    let found = node(at: key)
    return found != DECANT_NODE_NONE ? found : missed(key.steps)
  }

  /// The first of `steps` that leads nowhere: the node of the value that lacks it, and its place among them.
  func miss(along steps: [JSONPointer.Token]) -> (parent: UInt64, place: Int)? {
    var view = self
    for (place, step) in steps.enumerated() {
      let next =
        switch step {
        case .key(let name): view.member(name)
        case .index(let index): view.element(index)
        }
      if next == DECANT_NODE_NONE { return (view.node, place) }
      view = JSON(next, within: self)
    }
    return nil
  }

  /// Remembers the first of `steps` that leads nowhere.
  func missed(_ steps: [JSONPointer.Token]) -> UInt64 {
    guard let (parent, place) = miss(along: steps) else { return DECANT_NODE_MISSING }
    // SAFETY: decant_miss copies the key.
    switch steps[place] {
    case .key(var name):
      return name.withUTF8 { unsafe decant_miss(context, parent, $0.baseAddress, $0.count, .min) }
    case .index(let index):
      // The smallest number says that a key was looked for. No array has that place, nor the next one.
      return unsafe decant_miss(context, parent, nil, 0, max(Int64(index), -.max))
    }
  }

  /// The failed look-up of a missing view, if it is still remembered: the value that lacked it, and the step.
  package var miss: (parent: UInt64, step: JSONPointer.Token)? {
    guard !exists else { return nil }
    var parent: UInt64 = 0
    var index: Int64 = 0
    var count = 0
    // SAFETY: the key points into the context's ring, and is copied here.
    guard let key = unsafe decant_missed(context, node, &parent, &index, &count) else { return nil }
    if index != .min { return (parent, .index(Int(index))) }
    let kept = min(count, Int(DECANT_MISS_KEY))
    let name = unsafe String(
      decoding: UnsafeBufferPointer(start: key, count: kept), as: UTF8.self)
    return (parent, .key(kept < count ? name + "…" : name))
  }
}
