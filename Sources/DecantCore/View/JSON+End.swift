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
      var last = DECANT_NODE_NONE
      while true {
        let child = children.seldomNext(in: self)
        if child == DECANT_NODE_NONE { break }
        last = child
      }
      if last == DECANT_NODE_NONE { break }
      view = JSON(last, within: self)
    }
    var place = view.isContainer ? view.offset + 1 : view.scalarEnd
    while open > 0 {
      let byte = source[place]
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open -= 1 }
      place = byte == UInt8(ascii: "/") ? afterComment(place) : place + 1
    }
    return place
  }
}

extension JSON {
  /// The offset after the comment at `start`: of the line's last byte, or after `*/`.
  func afterComment(_ start: Int) -> Int {
    let source = self.source
    let isLine = source[start + 1] == UInt8(ascii: "/")
    var place = start + 2
    while true {
      let byte = source[place]
      if isLine, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return place }
      if !isLine, byte == UInt8(ascii: "*"),
        source[place + 1] == UInt8(ascii: "/")
      {
        return place + 2
      }
      place += 1
    }
  }
}
