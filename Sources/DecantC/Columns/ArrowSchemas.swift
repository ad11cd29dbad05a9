// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The types of columns as an ArrowSchema. The parts of its block are its texts:
//
//   parts   format \0 │ name \0 │ metadata

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct SchemaMaker {
  typealias Schema = ArrowExport<ArrowSchema>

  let memory: decant_allocator

  /// Writes the schema of a node. False if there is no memory, and then there is nothing to release.
  func make(_ out: Schema, _ node: ArrowNode) -> Bool {
    let (name, format, metadata) = (node.name, Format(node), Metadata(node))
    var layout = BlockLayout()
    let formatPlace = layout.add(format.size + 1)
    let namePlace = layout.add(name.count + 1)
    let metadataPlace = layout.add(metadata.size)
    let count = node.childCount
    guard
      let parts = out.allocate(
        memory, children: count, hasDictionary: node.hasDictionary, parts: layout.size)
    else { return false }
    format.write(to: parts.advanced(by: formatPlace))
    parts.advanced(by: namePlace).copy(name)
    metadata.write(to: parts.advanced(by: metadataPlace))
    setTexts(
      out, parts.advanced(by: formatPlace), parts.advanced(by: namePlace),
      metadata.size > 0 ? parts.advanced(by: metadataPlace) : nil)
    out.exported.flags = node.isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0
    for index in 0..<count {
      if let child = out.child(index), !make(child, node.child(index)) {
        out.release()
        return false
      }
    }
    if let names = out.dictionary, !makeDictionary(names) {
      out.release()
      return false
    }
    return true
  }

  // SAFETY: texts with a NUL byte behind them, and metadata, all in the struct's block.
  private func setTexts(_ out: Schema, _ format: Memory, _ name: Memory, _ metadata: Memory?) {
    unsafe out.exported.format = format.textPointer
    unsafe out.exported.name = name.textPointer
    unsafe out.exported.metadata = metadata?.textPointer
  }

  /// The type of an enum's names.
  private func makeDictionary(_ out: Schema) -> Bool {
    guard
      let text = out.allocate(memory, children: 0, hasDictionary: false, parts: 2)
    else { return false }
    text.store(UInt8(ascii: "u"))
    setTexts(out, text, text.advanced(by: 1), nil)
    return true
  }
}

// MARK: - Formats

/// The format string of a node.
private struct Format {
  private let words: StaticString
  /// How many elements a fixed list has.
  private let number: Int?

  init(_ node: ArrowNode) {
    let column = node.column
    number = node.role == .column && column.form == .fixedList ? column.width : nil
    words = node.role == .column ? Format.words(column) : "+s"
  }

  private static func words(_ column: Column) -> StaticString {
    switch column.form {
    case .bool: "b"
    case .view: "vu"
    case .text: "u"
    case .names: "i"
    case .list: "+l"
    case .map: "+m"
    case .structure: "+s"
    case .fixedList: "+w:"
    case .fixed: column.field.map { words($0.content) } ?? (column.width == 8 ? "l" : "i")
    }
  }

  /// Of a number; of a list's elements, the list's field tells.
  private static func words(_ kind: FieldKind) -> StaticString {
    switch kind {
    case .int8: "c"
    case .uint8: "C"
    case .int16: "s"
    case .uint16: "S"
    case .uint32, .flags: "I"
    case .int64: "l"
    case .uint64: "L"
    case .float: "f"
    case .double: "g"
    default: "i"
    }
  }

  var size: Int { words.utf8CodeUnitCount + (number.map { $0.digitCount } ?? 0) }

  func write(to memory: Memory) {
    memory.copy(words.bytes)
    if let number { memory.advanced(by: words.utf8CodeUnitCount).write(number) }
  }
}

extension Int {
  /// How many decimal digits a number has that is not negative.
  fileprivate var digitCount: Int {
    var (count, rest) = (1, self / 10)
    while rest > 0 { (count, rest) = (count + 1, rest / 10) }
    return count
  }
}

extension Memory {
  /// Writes the digits of a number that is not negative.
  fileprivate func write(_ number: Int) {
    var rest = number
    for place in (0..<number.digitCount).reversed() {
      store(UInt8(ascii: "0") + UInt8(rest % 10), at: place)
      rest /= 10
    }
  }
}

// MARK: - Metadata

/// What Arrow has no type for: a key `decant.kind` with "raw", "kind" or "flags"; of flags also the names in the order
/// of their list, `decant.names`, and their values, `decant.values`, with commas between them.
private struct Metadata {
  private let kind: StaticString?
  private let names: NameList?

  init(_ node: ArrowNode) {
    let field = node.role == .column && node.childCount == 0 ? node.column.field : nil
    switch field?.content {
    case .raw: (kind, names) = ("raw", nil)
    case .kind: (kind, names) = ("kind", nil)
    case .flags: (kind, names) = ("flags", field?.names)
    default: (kind, names) = (nil, nil)
    }
  }

  /// Bytes; 0 where there is nothing to say.
  var size: Int { kind == nil ? 0 : write(to: nil) }

  /// Writes the pairs as Arrow has them: their number, and of each key and value the length and the bytes. Returns how
  /// many bytes that takes; without memory it is measured.
  @discardableResult
  func write(to memory: Memory?) -> Int {
    guard let kind else { return 0 }
    var writer = Writer(memory: memory)
    writer.add(names == nil ? 1 : 3)
    writer.add("decant.kind")
    writer.add(kind)
    guard let names else { return writer.used }
    writer.add("decant.names")
    let start = writer.open()
    for entry in names { writer.add(entry.name.bytes, after: start) }
    writer.close(start)
    writer.add("decant.values")
    let values = writer.open()
    for entry in names { writer.add(Int(entry.value), after: values) }
    writer.close(values)
    return writer.used
  }

  private struct Writer {
    let memory: Memory?
    var used = 0

    mutating func add(_ number: Int32) {
      memory?.store(number, at: used)
      used += 4
    }

    mutating func add(_ words: StaticString) {
      add(Int32(words.utf8CodeUnitCount))
      add(words.bytes)
    }

    mutating func add(_ bytes: Bytes) {
      memory?.advanced(by: used).copy(bytes)
      used += bytes.count
    }

    /// Space for the length of what follows; returns where that begins.
    mutating func open() -> Int {
      used += 4
      return used
    }

    mutating func close(_ start: Int) { memory?.store(Int32(used - start), at: start - 4) }

    /// An item of a list that begins at `start`.
    mutating func add(_ bytes: Bytes, after start: Int) {
      if used > start { add(Bytes(",")) }
      add(bytes)
    }

    mutating func add(_ number: Int, after start: Int) {
      if used > start { add(Bytes(",")) }
      // Values of flags are bits of a uint32_t.
      let value = Int(UInt32(truncatingIfNeeded: number))
      memory?.advanced(by: used).write(value)
      used += value.digitCount
    }
  }
}
