// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A batch as ArrowArrays. Each array has a block of its own and owns the buffers of its column; its release callback
// gives both back:
//
//   block   header │ pointers to children │ children │ dictionary │ pointers to buffers │ sizes of texts
//
// All blocks are allocated before a column gives its first buffer away, so a batch is handed out whole, or the columns
// keep it.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What the block of an array begins with: what else the array owns.
private struct ArrayBlock {
  var head: ArrowBlock
  var values = Buffer()
  var validity = Buffer()
  var text = Buffer()
}

@safe
struct ArrayMaker {
  let memory: ColumnMemory

  /// Hands out the rows of a node, and clears its columns. False if there is no memory; then nothing has changed.
  @unsafe
  func make(_ out: UnsafeMutablePointer<ArrowArray>, _ node: ArrowNode) -> Bool {
    guard unsafe allocate(out, node) else { return false }
    unsafe fill(out, node)
    // Afterwards, because the columns of a map's members are looked at twice.
    clear(node.place)
    return true
  }

  private func clear(_ place: ColumnRef) {
    for child in place.column.children { clear(child) }
    place.column.clear()
  }

  // MARK: - Blocks

  private func layout(_ node: ArrowNode) -> (
    BlockLayout, children: Int, dictionary: Int, buffers: Int, sizes: Int
  ) {
    var layout = BlockLayout(header: MemoryLayout<ArrayBlock>.stride)
    let stride = MemoryLayout<ArrowArray>.stride
    let count = node.childCount
    _ = layout.add(count * pointerWidth)
    let children = layout.add(count * stride)
    let dictionary = layout.add(node.hasDictionary ? stride : 0)
    let buffers = layout.add(mostBuffers * pointerWidth)
    let sizes = layout.add(16)
    return (layout, children, dictionary, buffers, sizes)
  }

  /// Allocates the blocks of a node and those below it.
  @unsafe
  private func allocate(_ out: UnsafeMutablePointer<ArrowArray>, _ node: ArrowNode) -> Bool {
    let (layout, children, dictionary, buffers, _) = layout(node)
    guard let block = unsafe memory.allocate(layout.size) else { return false }
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
    unsafe block.storeBytes(
      of: ArrayBlock(head: ArrowBlock(memory: memory, size: layout.size)), as: ArrayBlock.self)
    let count = node.childCount
    let list = unsafe (block + BlockLayout(header: MemoryLayout<ArrayBlock>.stride).size)
      .bindMemory(to: UnsafeMutablePointer<ArrowArray>?.self, capacity: count)
    let arrays = unsafe (block + children).bindMemory(to: ArrowArray.self, capacity: count)
    var array = ArrowArray()
    array.n_children = Int64(count)
    unsafe array.children = count > 0 ? list : nil
    unsafe array.buffers = (block + buffers).bindMemory(
      to: UnsafeRawPointer?.self, capacity: mostBuffers)
    unsafe array.private_data = block
    unsafe array.release = { unsafe releaseArray($0) }
    unsafe out.pointee = array
    for index in 0..<count {
      unsafe list[index] = arrays + index
      if unsafe !allocate(arrays + index, node.child(index)) {
        unsafe releaseArray(out)
        return false
      }
    }
    if node.hasDictionary {
      let place = unsafe (block + dictionary).bindMemory(to: ArrowArray.self, capacity: 1)
      unsafe out.pointee.dictionary = place
      if unsafe !makeDictionary(place, node) {
        unsafe releaseArray(out)
        return false
      }
    }
    return true
  }

  /// The names of an enum: their offsets and their text, in the block of the array.
  @unsafe
  private func makeDictionary(
    _ out: UnsafeMutablePointer<ArrowArray>, _ node: ArrowNode
  ) -> Bool {
    let names = ColumnNames(node.column.field)
    let size = names.size
    var layout = BlockLayout(header: MemoryLayout<ArrayBlock>.stride)
    let buffers = layout.add(3 * pointerWidth)
    let offsets = layout.add((size.count + 1) * 4)
    let text = layout.add(max(size.bytes, 1))
    guard let block = unsafe memory.allocate(layout.size) else { return false }
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
    unsafe block.storeBytes(
      of: ArrayBlock(head: ArrowBlock(memory: memory, size: layout.size)), as: ArrayBlock.self)
    var (index, used) = (0, 0)
    names.forEach { name in
      unsafe Memory(block + text + used).copy(name)
      used += name.count
      index += 1
      unsafe (block + offsets + index * 4).storeBytes(of: Int32(used), as: Int32.self)
    }
    let list = unsafe (block + buffers).bindMemory(to: UnsafeRawPointer?.self, capacity: 3)
    unsafe list[1] = unsafe UnsafeRawPointer(block + offsets)
    unsafe list[2] = unsafe UnsafeRawPointer(block + text)
    var array = ArrowArray()
    array.length = Int64(size.count)
    array.n_buffers = 3
    unsafe array.buffers = list
    unsafe array.private_data = block
    unsafe array.release = { unsafe releaseArray($0) }
    unsafe out.pointee = array
    return true
  }

  // MARK: - Buffers

  /// Moves the buffers of a node, and of those below it, into arrays that were allocated.
  @unsafe
  private func fill(_ out: UnsafeMutablePointer<ArrowArray>, _ node: ArrowNode) {
    let count = node.count
    unsafe out.pointee.length = Int64(count)
    for index in 0..<node.childCount {
      guard let child = unsafe out.pointee.children[index] else { continue }
      unsafe fill(child, node.child(index))
    }
    guard let block = unsafe out.pointee.private_data else { return }
    let header = unsafe block.assumingMemoryBound(to: ArrayBlock.self)
    let buffers = unsafe out.pointee.buffers!
    unsafe out.pointee.n_buffers = 1
    if node.role != .column { return }
    let form = node.column.form
    let textCount = node.column.textCount
    let borrowed = node.column.borrowed
    unsafe (header.pointee.values, header.pointee.validity, header.pointee.text) =
      node.place.column.give()
    if unsafe header.pointee.validity.isThere {
      unsafe out.pointee.null_count = Int64(header.pointee.validity.pack(count))
      unsafe buffers[0] = UnsafeRawPointer(header.pointee.validity.start)
    }
    let values = unsafe UnsafeRawPointer(header.pointee.values.start ?? block)
    let text = unsafe UnsafeRawPointer(header.pointee.text.start ?? block)
    switch form {
    case .structure, .fixedList: return
    case .bool: _ = unsafe header.pointee.values.pack(count)
    case .fixed, .names, .list, .map: break
    case .text:
      unsafe buffers[2] = text
    case .view:
      let sizes = unsafe (block + layout(node).sizes).bindMemory(to: Int64.self, capacity: 2)
      var used = 0
      if let borrowed {
        unsafe buffers[2] = unsafe UnsafeRawPointer(borrowed.start)
        unsafe sizes[0] = Int64(min(borrowed.count, mostColumnText))
        used = 1
      }
      if textCount > 0 {
        unsafe buffers[2 + used] = text
        unsafe sizes[used] = Int64(textCount)
        used += 1
      }
      unsafe buffers[2 + used] = UnsafeRawPointer(sizes)
      unsafe buffers[1] = values
      unsafe out.pointee.n_buffers = Int64(3 + used)
      return
    }
    // A list without a row has one offset, too.
    unsafe buffers[1] = count == 0 ? UnsafeRawPointer(block + layout(node).sizes) : values
    unsafe out.pointee.n_buffers = form == .text ? 3 : 2
  }
}

/// Of a view: nulls, views, the input, the text, and how large these two are.
private let mostBuffers = 5

/// Releases an array and those of its children that are still its own.
@unsafe
private func releaseArray(_ array: UnsafeMutablePointer<ArrowArray>?) {
  guard let array = unsafe array, let block = unsafe array.pointee.private_data else { return }
  for index in 0..<Int(unsafe array.pointee.n_children) {
    // A child that was not made yet has no pointer.
    guard let child = unsafe array.pointee.children[index] else { continue }
    if let release = unsafe child.pointee.release { unsafe release(child) }
  }
  if let dictionary = unsafe array.pointee.dictionary,
    let release = unsafe dictionary.pointee.release
  {
    unsafe release(dictionary)
  }
  var header = unsafe block.load(as: ArrayBlock.self)
  let memory = header.head.memory
  header.values.release(memory)
  header.validity.release(memory)
  header.text.release(memory)
  unsafe array.pointee.release = nil
  unsafe array.pointee.private_data = nil
  unsafe memory.release(block, header.head.size)
}
