// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents that are parts of a stream: the place of the first byte, and for an element, the beginning of its paths.

package import CDecantIndex

extension ContextRef {
  /// The place of the first byte of the text in its stream.
  package var start: DecodeError.Location {
    // SAFETY: the code that sets the pointer keeps the place alive as long as the context.
    unsafe pointer.pointee.start.map { unsafe DecodeError.Location($0.pointee) } ?? .start
  }

  /// Whether the document is a part of a stream.
  var isInStream: Bool { unsafe pointer.pointee.start != nil }

  // SAFETY: as above, with the pointer of the array.
  private var element: decant_above? {
    guard let above = unsafe pointer.pointee.start?.pointee.above else { return nil }
    return unsafe above.pointee
  }

  /// Whether the document is an element of an array that is read one by one.
  package var isElement: Bool { element != nil }

  /// Writes the path of such an element.
  package func writeAbove(to sink: inout ErrorSink) {
    guard let element else { return }
    // SAFETY: the pointer was checked when the stream was opened.
    unsafe Bytes(element.pointer, element.length).scalars().write(to: &sink)
    sink.add("/")
    sink.add(element.index)
  }

  /// The path of such an element, or nothing.
  var elementPath: String { isElement ? written { writeAbove(to: &$0) } : "" }
}

extension DecodeError.Location {
  package init(_ place: decant_start) {
    self.init(offset: place.offset, line: place.line, column: place.column)
  }
}

extension decant_start {
  package init(offset: Int, line: Int, column: Int) {
    unsafe self.init(offset: offset, line: line, column: column, above: nil)
  }

  package init(_ place: DecodeError.Location) {
    self.init(offset: place.offset, line: place.line, column: place.column)
  }
}
