// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The errors of lines as columns: one row for each bad line. The manual of the columns is in decant.h.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The most of a line that a reject shows.
private let longestShown = 1024

struct Rejects {
  /// One structure, of the columns below.
  private var root: ColumnList
  private let memory: decant_allocator

  /// The columns in their order.
  private enum Place: Int {
    case line, lineOffset, offset, path, code, message, text, count
  }

  /// Nil if there is no memory.
  init?(_ memory: decant_allocator) {
    self.memory = memory
    guard var columns = ColumnList(capacity: 8, memory) else { return nil }
    func add(_ name: StaticString, _ form: Column.Form, width: Int, isNullable: Bool = false) {
      columns.append(
        Column(form, width: width, isNullable: isNullable, name: name.bytes, memory))
    }
    add("line", .fixed, width: 8, isNullable: true)
    add("line_offset", .fixed, width: 8, isNullable: true)
    add("offset", .fixed, width: 8, isNullable: true)
    add("path", .text, width: 4, isNullable: true)
    add("code", .fixed, width: 4)
    add("message", .text, width: 4)
    add("text", .text, width: 4, isNullable: true)
    add("count", .fixed, width: 8)
    guard let root = ColumnList(structure: columns, record: nil, memory) else {
      columns.end(memory)
      return nil
    }
    self.root = root
  }

  mutating func end() { root.end(memory) }

  /// The structure.
  var place: ColumnRef { root[0] }
  var count: Int { place.column.count }

  /// A line that failed. False if there is no memory; then there is no row.
  func add(_ error: decant_error, _ line: Bytes, at place: StreamPlace, isRedacted: Bool) -> Bool {
    add(
      error, line: Int64(place.line), at: Int64(place.offset), text: isRedacted ? nil : line)
  }

  /// Adds the error of the document around the elements of an array. False if memory is exhausted.
  func add(_ error: decant_error) -> Bool {
    add(error, line: error.line > 0 ? error.line : nil, at: nil, text: nil)
  }

  private func add(
    _ error: borrowing decant_error, line: Int64?, at offset: Int64?, text: Bytes?
  ) -> Bool {
    error.read { error in
      addRow(
        line, offset, error.location.map { Int64($0.offset) }, error.text(.path), error.code,
        error.text(.message), text, 1)
    }
  }

  /// Lines that failed and have no rows of their own. False if there is no memory.
  func add(others: Int) -> Bool {
    addRow(
      nil, nil, nil, nil, Int32(DECANT_MULTIPLE), Bytes("more lines failed"), nil, Int64(others))
  }

  private func addRow(
    _ line: Int64?, _ lineOffset: Int64?, _ offset: Int64?, _ path: Bytes?, _ code: Int32,
    _ message: Bytes, _ text: Bytes?, _ lines: Int64
  ) -> Bool {
    let rows = count
    guard place.column.reserveRow(), addNumber(line, .line), addNumber(lineOffset, .lineOffset),
      addNumber(offset, .offset), addText(path, .path), addText(message, .message),
      addText(text, .text)
    else {
      place.column.cut(to: rows)
      return false
    }
    column(.code).column.add(code)
    column(.count).column.add(lines)
    place.column.added()
    return true
  }

  private func column(_ column: Place) -> ColumnRef { place.column.children[column.rawValue] }

  private func addNumber(_ value: Int64?, _ place: Place) -> Bool {
    guard let value else { return column(place).column.addNull() }
    column(place).column.add(value)
    return true
  }

  /// Adds the beginning of a text. Bytes that are not UTF-8 become U+FFFD.
  private func addText(_ bytes: Bytes?, _ place: Place) -> Bool {
    guard let bytes else { return column(place).column.addNull() }
    // A byte of the text becomes three at most.
    return withStackMemory(3 * longestShown) { memory in
      let used = memory.write(bytes, limit: longestShown)
      return column(place).column.add(memory.bytes(used)) == ok
    }
  }
}

extension Memory {
  /// Writes at most `limit` bytes of a text, up to the end of a character; a byte that is not UTF-8 becomes U+FFFD.
  fileprivate func write(_ text: Bytes, limit: Int) -> Int {
    var (at, used) = (0, 0)
    while at < text.count {
      let run = text[at..<min(text.count, limit)].asciiLength
      advanced(by: used).copy(text[at..<at + run])
      (at, used) = (at + run, used + run)
      if at == text.count { break }
      let length = text.characterLength(at: at)
      if at + max(length, 1) > limit { break }
      if length > 0 {
        advanced(by: used).copy(text[at..<at + length])
      } else {
        advanced(by: used).copy(Bytes("\u{FFFD}"))
      }
      used += length > 0 ? length : 3
      at += max(length, 1)
    }
    return used
  }
}

extension Bytes {
  /// How many bytes of ASCII there are first.
  fileprivate var asciiLength: Int {
    var length = 0
    while length < count, self[length] < 0x80 { length += 1 }
    return length
  }

  /// The number of bytes of the character at a place; 0 if there is none.
  fileprivate func characterLength(at place: Int) -> Int {
    if self[place] < 0x80 { return 1 }
    for length in 2...4 where place + length <= count && self[place..<place + length].isText {
      return length
    }
    return 0
  }
}
