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
    let name = node.name
    let formatSize = BoundedText.size { node.writeFormat(to: &$0) }
    let metadataSize = BoundedText.size { node.writeMetadata(to: &$0) }
    var layout = BlockLayout()
    let formatPlace = layout.add(formatSize + 1)
    let namePlace = layout.add(name.count + 1)
    let metadataPlace = layout.add(metadataSize)
    guard
      let parts = out.allocate(
        memory, children: node.childCount, hasDictionary: node.hasDictionary, parts: layout.size)
    else { return false }
    let metadata = metadataSize > 0 ? parts.advanced(by: metadataPlace) : nil
    setTexts(
      out, parts.advanced(by: formatPlace), parts.advanced(by: namePlace), metadata)
    var text = BoundedText(parts.advanced(by: formatPlace), capacity: formatSize)
    node.writeFormat(to: &text)
    parts.advanced(by: namePlace).copy(name)
    if let metadata {
      text = BoundedText(metadata, capacity: metadataSize)
      node.writeMetadata(to: &text)
    }
    out.exported.flags = node.isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0
    return out.makeParts(of: node, make, makeDictionary)
  }

  // SAFETY: texts that end with a NUL byte, and metadata, all in the struct's block.
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

// MARK: - Formats and metadata

extension ArrowNode {
  /// Writes the format string.
  fileprivate func writeFormat(to text: inout BoundedText) {
    let form = role == .column ? column.form : .structure
    switch form {
    case .bool: text.add("b")
    case .view: text.add(column.field?.content == .base64 ? "vz" : "vu")
    case .text: text.add(column.field?.content == .base64 ? "z" : "u")
    case .names: text.add("i")
    case .list: text.add("+l")
    case .map: text.add("+m")
    case .structure: text.add("+s")
    case .fixedList:
      text.add("+w:")
      text.add(Int64(column.width))
    // The field of a list describes its elements.
    case .fixed:
      guard let field = column.field else { return text.add(column.width == 8 ? "l" : "i") }
      switch field.content {
      case .time: break
      case .decimal:
        text.add("d:")
        text.add(Int64(field.kind == .decimal ? field.precision : mostDecimalDigits))
        text.add(",")
        return text.add(Int64(field.scale))
      case .uuid, .fixedBase64:
        text.add("w:")
        return text.add(Int64(column.width))
      default: return text.add(field.content.format)
      }
      switch field.unitsOfSecond {
      case 1: text.add("tss:")
      case 1000: text.add("tsm:")
      case 1_000_000: text.add("tsu:")
      default: text.add("tsn:")
      }
      if !field.has(DECANT_ZONELESS) { text.add(field.zone ?? Bytes("UTC")) }
    }
  }

  /// Writes what Arrow has no type for: a key `decant.kind` with "raw", "kind" or "flags"; of raw values also that they
  /// are Arrow's extension type of JSON; of flags the names in the order of their list, `decant.names`, and their values,
  /// `decant.values`, with commas between them. Arrow has the number of such pairs, and of each key and value the length
  /// and the bytes.
  fileprivate func writeMetadata(to text: inout BoundedText) {
    guard role == .column, childCount == 0, let field = column.field else { return }
    let content = field.content
    if content == .uuid { text.add(number: 2) }
    if content == .uuid { return text.addExtension("arrow.uuid") }
    guard content == .raw || content == .kind || content == .flags else { return }
    let names = content == .flags ? field.names : nil
    text.add(number: content == .kind ? 1 : 3)
    text.add(pair: "decant.kind") { $0.add(content.word) }
    if content == .raw { text.addExtension("arrow.json") }
    guard let names else { return }
    text.add(pair: "decant.names") { text in
      for (index, entry) in names.enumerated() {
        if index > 0 { text.add(",") }
        text.add(entry.name)
      }
    }
    text.add(pair: "decant.values") { text in
      for (index, entry) in names.enumerated() {
        if index > 0 { text.add(",") }
        // Bits of a uint32_t.
        text.add(Int64(UInt32(truncatingIfNeeded: entry.value)))
      }
    }
  }
}

extension FieldKind {
  /// The format of numbers.
  fileprivate var format: StaticString {
    switch self {
    case .int8: "c"
    case .uint8: "C"
    case .int16: "s"
    case .uint16: "S"
    case .uint32, .flags: "I"
    case .int64: "l"
    case .uint64: "L"
    case .float: "f"
    case .double: "g"
    case .date: "tdD"
    default: "i"
    }
  }
}

extension BoundedText {
  /// Adds a pair of metadata.
  fileprivate mutating func add(pair key: StaticString, _ value: (inout BoundedText) -> Void) {
    add(number: key.utf8CodeUnitCount)
    add(key)
    add(number: BoundedText.size(value))
    value(&self)
  }

  /// Adds two pairs that name one of Arrow's extension types.
  fileprivate mutating func addExtension(_ name: StaticString) {
    add(pair: "ARROW:extension:name") { $0.add(name) }
    add(pair: "ARROW:extension:metadata") { _ in }
  }

  /// Adds a number as an int32_t.
  fileprivate mutating func add(number: Int) {
    unsafe withUnsafeBytes(of: Int32(number)) { unsafe add(Bytes($0)) }
  }
}
