// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From "this node, an integer expected" to path, place and text, while the document is still there.
//
// A native node is a slot, and slots stand in document order, so the path is found by walking down: the
// member or element whose slots include the node. Other engines' nodes do not tell their place; their
// errors gather a trail of steps while they pass through the frames that looked them up, and where the
// trail begins is searched for.

public import CDecantIndex

extension DecodeError {
  /// An error of the document itself: what the engine said and where.
  @usableFromInline
  package init(
    reading context: UnsafePointer<decant_context>, code: Int32, _ options: DecodingOptions
  ) {
    storage = Storage(Code(rawValue: code))
    storage.isResolved = true
    storage.sourceName = options.sourceName
    let code = storage.code
    // SAFETY: the context has its text, and offsets never exceed its length.
    let length = unsafe context.pointee.length
    let offset = unsafe context.pointee.error_offset
    if unsafe context.pointee.engine == nil || offset < length {
      guard code != .outOfMemory, code != .tooLarge else { return }
      let text = unsafe UnsafeRawBufferPointer(start: context.pointee.text, count: length)
      storage.location = unsafe Location(offset, in: text)
      if code == .duplicateKey {
        storage.otherLocation = unsafe Location(context.pointee.error_other, in: text)
      }
      if offset < length { storage.found = byteDescription(unsafe text[offset]) }
    }
  }

  /// The error in flight as one that can leave its document; itself if it is that already.
  @usableFromInline @inline(never)
  package func resolved(
    in context: UnsafePointer<decant_context>, _ options: DecodingOptions
  ) -> DecodeError {
    if storage.isResolved { return self }
    let storage = self.storage.copy()
    storage.isResolved = true
    storage.sourceName = options.sourceName
    if !storage.underlying.isEmpty {
      let limit = max(options.maximumErrors, 1)
      if storage.underlying.count > limit {
        storage.omitted += storage.underlying.count - limit
        storage.underlying.removeSubrange(limit...)
      }
      storage.underlying = storage.underlying.map { unsafe $0.resolved(in: context, options) }
      return DecodeError(storage)
    }
    // SAFETY: the context outlives this call, and so does the view.
    let root = unsafe JSON(context: context, node: context.pointee.root)
    var steps: [JSONPointer.Token] = []
    if storage.node != DECANT_NODE_NONE {
      let json = JSON(storage.node, within: root)
      if storage.step == nil, json.exists { storage.found = json.foundDescription }
      if json.isNative {
        steps = root.steps(to: storage.node)
        storage.trail = []
        let text = unsafe UnsafeRawBufferPointer(
          start: context.pointee.text, count: context.pointee.length)
        storage.location = unsafe Location(json.offset, in: text)
      } else if json.exists {
        let start = storage.base != DECANT_NODE_NONE ? storage.base : storage.node
        steps = root.stepsBySearch(to: start) ?? []
      }
    }
    steps += storage.trail.reversed()
    if let step = storage.step { steps.append(step) }
    storage.path = JSONPointer(steps)
    return DecodeError(storage)
  }
}

extension JSON {
  /// The steps from this native value down to a node inside it.
  func steps(to target: UInt64) -> [JSONPointer.Token] {
    var steps: [JSONPointer.Token] = []
    var view = self
    while view.node < target {
      let isObject = view.isNativeObject
      let end = view.after
      var child = view.node + 2
      var index = 0
      while child < end {
        let value = JSON(isObject ? child + 1 : child, within: self)
        if target < value.after { break }
        child = value.after
        index += 1
      }
      guard child < end else { return steps }
      if isObject {
        steps.append(.key(JSON(child, within: self).nativeString))
        view = JSON(child + 1, within: self)
      } else {
        steps.append(.index(index))
        view = JSON(child, within: self)
      }
    }
    return steps
  }

  /// The steps from this value down to another engine's node inside it, or nil if that node is not there,
  /// or is one value that stands in several places, as `null` can be.
  func stepsBySearch(to target: UInt64) -> [JSONPointer.Token]? {
    if node == target { return [] }
    let kind = JSON(target, within: self).kind
    let isUnique = kind != .null && kind != .bool
    var found: [JSONPointer.Token]?
    var stack = [ChildCursor(self)]
    var steps: [JSONPointer.Token] = [.index(-1)]
    while let top = stack.indices.last {
      let child = stack[top].next(in: self)
      if child == DECANT_NODE_NONE {
        stack.removeLast()
        steps.removeLast()
        continue
      }
      if stack[top].isObject {
        steps[top] = .key(stack[top].key(in: self))
      } else if case .index(let index) = steps[top] {
        steps[top] = .index(index + 1)
      }
      if child == target {
        if isUnique || found != nil { return isUnique ? steps : nil }
        found = steps
      }
      stack.append(ChildCursor(JSON(child, within: self)))
      steps.append(.index(-1))
    }
    return found
  }

  /// What stands here, for "found …": the kind, with the value if it is short enough to help.
  package var foundDescription: String {
    switch kind {
    case .missing: return "nothing"
    case .null: return "null"
    case .bool: return isTrue ? "true" : "false"
    case .number: return "the number \(excerpt(numberText))"
    case .string: return "the string \(quoted(string ?? ""))"
    case .array: return count == 0 ? "an empty array" : "an array"
    case .object: return count == 0 ? "an empty object" : "an object"
    }
  }
}

extension DecodeError.Location {
  // SAFETY: the caller vouches for the text.
  init(_ offset: Int, in text: UnsafeRawBufferPointer) {
    let end = min(offset, text.count)
    var line = 1
    var start = 0
    for place in 0..<end where unsafe text[place] == UInt8(ascii: "\n") {
      line += 1
      start = place + 1
    }
    var column = 1
    for place in start..<end where unsafe text[place] & 0xC0 != 0x80 { column += 1 }
    self.init(offset: offset, line: line, column: column)
  }
}
