// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The types of columns as an ArrowSchema. Each schema has a block of its own, which its release callback gives back:
//
//   block   header │ pointers to children │ children │ dictionary │ format \0 │ name \0 │ metadata
//
// A child may be moved out and released later, by anyone; nothing of it is in its parent's block then.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What a block begins with.
struct ArrowBlock {
  var memory: ColumnMemory
  var size: Int
}

@safe
struct SchemaMaker {
  let memory: ColumnMemory

  /// Writes the schema of a node. False if there is no memory, and then there is nothing to release.
  @unsafe
  func make(_ out: UnsafeMutablePointer<ArrowSchema>, _ node: ArrowNode) -> Bool {
    let count = node.childCount
    let stride = MemoryLayout<ArrowSchema>.stride
    let name = node.name
    let format = Format(node)
    let metadata = Metadata(node)
    var layout = BlockLayout()
    let pointers = layout.add(count * pointerWidth)
    let children = layout.add(count * stride)
    let dictionary = layout.add(node.hasDictionary ? stride : 0)
    let formatPlace = layout.add(format.size + 1)
    let namePlace = layout.add(name.count + 1)
    let metadataPlace = layout.add(metadata.size)
    guard let block = unsafe memory.allocate(layout.size) else { return false }
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
    unsafe block.storeBytes(
      of: ArrowBlock(memory: memory, size: layout.size), as: ArrowBlock.self)
    unsafe format.write(to: Memory(block + formatPlace))
    unsafe Memory(block + namePlace).copy(name)
    unsafe metadata.write(to: Memory(block + metadataPlace))

    var schema = ArrowSchema()
    unsafe schema.format = unsafe UnsafePointer(
      (block + formatPlace).assumingMemoryBound(to: CChar.self))
    unsafe schema.name = unsafe UnsafePointer(
      (block + namePlace).assumingMemoryBound(to: CChar.self))
    if metadata.size > 0 {
      unsafe schema.metadata = unsafe UnsafePointer(
        (block + metadataPlace).assumingMemoryBound(to: CChar.self))
    }
    schema.flags = node.isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0
    schema.n_children = Int64(count)
    let list = unsafe (block + pointers).bindMemory(
      to: UnsafeMutablePointer<ArrowSchema>?.self, capacity: count)
    let schemas = unsafe (block + children).bindMemory(to: ArrowSchema.self, capacity: count)
    unsafe schema.children = count > 0 ? list : nil
    unsafe schema.private_data = block
    unsafe schema.release = { unsafe releaseSchema($0) }
    unsafe out.pointee = schema
    for index in 0..<count {
      unsafe list[index] = schemas + index
      if unsafe !make(schemas + index, node.child(index)) {
        unsafe releaseSchema(out)
        return false
      }
    }
    if node.hasDictionary {
      let place = unsafe (block + dictionary).bindMemory(to: ArrowSchema.self, capacity: 1)
      unsafe out.pointee.dictionary = place
      if unsafe !makeDictionary(place) {
        unsafe releaseSchema(out)
        return false
      }
    }
    return true
  }

  /// The type of an enum's names.
  @unsafe
  private func makeDictionary(_ out: UnsafeMutablePointer<ArrowSchema>) -> Bool {
    var layout = BlockLayout()
    let text = layout.add(2)
    guard let block = unsafe memory.allocate(layout.size) else { return false }
    unsafe block.storeBytes(
      of: ArrowBlock(memory: memory, size: layout.size), as: ArrowBlock.self)
    unsafe (block + text).storeBytes(of: UInt8(ascii: "u"), as: UInt8.self)
    unsafe (block + text + 1).storeBytes(of: 0, as: UInt8.self)
    var schema = ArrowSchema()
    unsafe schema.format = unsafe UnsafePointer(
      (block + text).assumingMemoryBound(to: CChar.self))
    unsafe schema.name = unsafe UnsafePointer(
      (block + text + 1).assumingMemoryBound(to: CChar.self))
    unsafe schema.private_data = block
    unsafe schema.release = { unsafe releaseSchema($0) }
    unsafe out.pointee = schema
    return true
  }
}

/// Where the parts of a block are, each where any type may be.
struct BlockLayout {
  private(set) var size: Int

  init(header: Int = MemoryLayout<ArrowBlock>.stride) { size = (header + 15) & ~15 }

  mutating func add(_ bytes: Int) -> Int {
    defer { size += (bytes + 15) & ~15 }
    return size
  }
}

/// Releases a schema and those of its children that are still its own.
@unsafe
private func releaseSchema(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
  guard let schema = unsafe schema, let block = unsafe schema.pointee.private_data else { return }
  for index in 0..<Int(unsafe schema.pointee.n_children) {
    // A child that was not made yet has no pointer.
    guard let child = unsafe schema.pointee.children[index] else { continue }
    if let release = unsafe child.pointee.release { unsafe release(child) }
  }
  if let dictionary = unsafe schema.pointee.dictionary,
    let release = unsafe dictionary.pointee.release
  {
    unsafe release(dictionary)
  }
  let header = unsafe block.load(as: ArrowBlock.self)
  unsafe schema.pointee.release = nil
  unsafe schema.pointee.private_data = nil
  unsafe header.memory.release(block, header.size)
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
