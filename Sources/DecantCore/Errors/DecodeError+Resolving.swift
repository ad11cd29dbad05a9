// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From "this node, an integer expected" to path, place and text, while the document is still there.
//
// A native node is a slot, and slots stand in document order, so the path is found by walking down: the
// member or element whose slots include the node. Other engines' nodes do not tell their place; their
// errors gather a trail of steps while they pass through the frames that looked them up.

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

  /// Makes an error in flight one that can leave its document. Once is enough; the second time does
  /// nothing.
  @usableFromInline @inline(never)
  package func resolve(
    in context: UnsafePointer<decant_context>, _ options: DecodingOptions
  ) {
    if storage.isResolved { return }
    storage.isResolved = true
    storage.sourceName = options.sourceName
    if !storage.underlying.isEmpty {
      let limit = max(options.maximumErrors, 1)
      if storage.underlying.count > limit {
        storage.omitted += storage.underlying.count - limit
        storage.underlying.removeSubrange(limit...)
      }
      for error in storage.underlying { unsafe error.resolve(in: context, options) }
      return
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
      }
    }
    steps += storage.trail.reversed()
    if let step = storage.step { steps.append(step) }
    storage.path = JSONPointer(steps)
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

  /// What stands here, for "found …": the kind, with the value if it is short enough to help.
  var foundDescription: String {
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
