// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document's values, written again in another style: numbers as they are spelled, strings with the escapes
// that are needed.

internal import CDecantIndex

extension JSON {
  /// Writes this value. With `keepsLast`, the last of several members with equal keys is written alone.
  package func write(to json: inout JSONOutput, keepsLast: Bool = false) {
    switch kind {
    case .object: json.object { writeMembers(to: &$0, keepsLast) }
    case .array: json.array { writeElements(to: &$0, keepsLast) }
    case .string: json.string(string ?? "")
    case .bool: json.bool(isTrue)
    case .number: if isNonFinite { json.null() } else { json.number(spelled: numberText) }
    case .null, .missing: json.null()
    }
  }

  private func writeElements(to array: inout JSONArrayOutput, _ keepsLast: Bool) {
    var cursor = ChildCursor(self)
    while true {
      let node = cursor.next(in: self)
      if node == DECANT_NODE_NONE { return }
      array.element { JSON(node, within: self).write(to: &$0, keepsLast: keepsLast) }
    }
  }

  private func writeMembers(to object: inout JSONObjectOutput, _ keepsLast: Bool) {
    let shadowed = keepsLast ? shadowedMembers : [UInt64: Int]()
    var cursor = ChildCursor(self)
    while true {
      let node = cursor.next(in: self)
      if node == DECANT_NODE_NONE { return }
      if shadowed[node] != nil { continue }
      object.field(JSONKey(cursor.key(in: self))) {
        JSON(node, within: self).write(to: &$0, keepsLast: keepsLast)
      }
    }
  }

  /// The members whose keys are repeated by later ones, and how many were before each.
  private var shadowedMembers: [UInt64: Int] {
    var shadowed = [UInt64: Int]()
    // Keys are compared as bytes; `String` finds canonically equivalent ones equal.
    var last = [[UInt8]: UInt64]()
    var cursor = ChildCursor(self)
    while true {
      let node = cursor.next(in: self)
      if node == DECANT_NODE_NONE { return shadowed }
      if let earlier = last.updateValue(node, forKey: Array(cursor.key(in: self).utf8)) {
        shadowed[earlier] = shadowed.count
      }
    }
  }
}

extension JSONValue: JSONWritable {
  /// The value in the style of the text around it; `null` for a missing one. Numbers keep their spelling.
  public func write(to json: inout JSONOutput) { looking { $0.write(to: &json) } }
}

extension JSONValue {
  /// A document in another style, without all but the last of equal keys.
  package static func rewritten(
    _ text: [UInt8], _ options: JSONWritingOptions
  ) throws(DecodeError) -> [UInt8] {
    let reading = DecodingOptions(
      maximumDepth: options.maximumDepth, maximumBytes: text.count, duplicateKeys: .last)
    return try JSONValue(parsing: text, options: reading).withView { json in
      var state = WritingState(capacity: text.count + 64, options: options)
      return unsafe withUnsafeMutablePointer(to: &state) { state in
        // SAFETY: the state outlives the output.
        var output = unsafe JSONOutput(state)
        json.write(to: &output, keepsLast: true)
        return unsafe [UInt8](state.pointee.buffer.text)
      }
    }
  }
}

extension JSONOutput {
  /// Writes a number whose text is known.
  package mutating func number(spelled text: consuming String) {
    text.withUTF8 { unsafe verbatim($0) }
  }
}

extension JSONObjectOutput {
  @usableFromInline
  mutating func field(_ key: JSONKey, _ body: (inout JSONOutput) -> Void) {
    begin(key)
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    body(&output)
    end(key, output.isWritten)
  }
}

extension JSONArrayOutput {
  mutating func element(_ body: (inout JSONOutput) -> Void) {
    begin()
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    body(&output)
    end(output.isWritten)
  }
}
