// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where a value ends in the text: the index has a slot for each token that begins a value, and none for brackets
// that close.

internal import CDecantIndex

extension JSON {
  /// The offset after the last byte of this native value.
  ///
  /// The index keeps no closing brackets: after the last scalar or empty container inside a container
  /// there are only white space, comments and the brackets that close it.
  package var end: Int {
    var view = self
    var open = 0
    let source = self.source
    while view.isContainer {
      open += 1
      var children = ChildCursor(seldom: view)
      var last: UInt64?
      while let child = children.seldomNext(in: self) { last = child }
      guard let last else { break }
      view = JSON(last, within: self)
    }
    var place = view.token.upperBound
    while open > 0 {
      let byte = source[place]
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open -= 1 }
      place =
        byte == UInt8(ascii: "/") ? source.end(ofCommentAt: place, before: source.count) : place + 1
    }
    return place
  }
}
