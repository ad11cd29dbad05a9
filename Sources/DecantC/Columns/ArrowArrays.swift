// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A batch as ArrowArrays. Each array owns the buffers of its column, and has these parts in its block:
//
//   parts   pointers to buffers │ sizes of texts
//
// All blocks are allocated before a column gives its first buffer away. So a batch is exported as a whole, or the columns
// keep all of it.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct ArrayMaker {
  typealias Array = ArrowExport<ArrowArray>

  let memory: decant_allocator

  /// Hands out the rows of a node, and clears its columns. False if there is no memory; then nothing has changed.
  func make(_ out: Array, _ node: ArrowNode) -> Bool {
    guard allocate(out, node) else { return false }
    fill(out, node)
    // Last, because the columns of a map's members are visited twice.
    node.place.column.dropRows()
    return true
  }

  // MARK: - Blocks

  /// The place of the sizes, or of a dictionary's contents, among the parts: after the pointers to buffers.
  private static var sizesPlace: Int { (mostBuffers * pointerWidth + 15) & ~15 }

  /// Allocates the blocks of a node and those below it.
  private func allocate(_ out: Array, _ node: ArrowNode) -> Bool {
    guard
      allocate(out, children: node.childCount, hasDictionary: node.hasDictionary, more: 16) != nil
    else { return false }
    return out.makeParts(of: node, allocate) { makeDictionary($0, node) }
  }

  /// Allocates one block, whose parts are the pointers to buffers and `more` bytes; returns where the parts are.
  private func allocate(
    _ out: Array, children: Int = 0, hasDictionary: Bool = false, more: Int
  ) -> Memory? {
    guard
      let parts = out.allocate(
        memory, children: children, hasDictionary: hasDictionary,
        parts: ArrayMaker.sizesPlace + more)
    else { return nil }
    // SAFETY: the parts begin with the pointers.
    unsafe out.exported.buffers = parts.start.assumingMemoryBound(to: UnsafeRawPointer?.self)
    return parts
  }

  /// The names of an enum: their offsets and their text, in the block of the array.
  private func makeDictionary(_ out: Array, _ node: ArrowNode) -> Bool {
    let (names, places) = (ColumnNames(node.column.field), node.column.places)
    let size = names.size(places)
    var layout = BlockLayout(header: ArrayMaker.sizesPlace)
    let offsetsPlace = layout.add((size.count + 1) * 4)
    let textPlace = layout.add(max(size.bytes, 1))
    guard let parts = allocate(out, more: layout.size - ArrayMaker.sizesPlace) else {
      return false
    }
    let (offsets, text) = (parts.advanced(by: offsetsPlace), parts.advanced(by: textPlace))
    var (index, used) = (0, 0)
    names.forEach(places) { name in
      text.advanced(by: used).copy(name)
      used += name.count
      index += 1
      offsets.store(Int32(used), at: index * 4)
    }
    parts.point(1, to: offsets)
    parts.point(2, to: text)
    out.exported.length = Int64(size.count)
    out.exported.n_buffers = 3
    return true
  }

  // MARK: - Buffers

  /// Moves the buffers of a node, and of those below it, into arrays that were allocated.
  private func fill(_ out: Array, _ node: ArrowNode) {
    for index in 0..<node.childCount {
      if let child = out.child(index) { fill(child, node.child(index)) }
    }
    let count = node.count
    out.exported.length = Int64(count)
    out.exported.n_buffers = 1
    guard node.role == .column, let parts = out.parts else { return }
    let (form, textCount, borrowed) = (
      node.column.form, node.column.textCount, node.column.borrowed
    )
    let buffers = node.place.column.give()
    out.own(buffers)
    if let bytes = buffers.validity.start {
      out.exported.null_count = Int64(buffers.validity.pack(count))
      parts.point(0, to: bytes)
    }
    if form == .structure || form == .fixedList { return }
    if form == .bool { _ = buffers.values.pack(count) }
    let sizes = parts.advanced(by: ArrayMaker.sizesPlace)
    let text = buffers.text.start ?? sizes
    var used = 2
    if form == .view {
      parts.point(1, to: buffers.values.start ?? sizes)
      if let borrowed {
        sizes.store(Int64(min(borrowed.count, mostColumnText)))
        parts.point(used, to: borrowed.memory)
        used += 1
      }
      if textCount > 0 {
        sizes.store(Int64(textCount), at: (used - 2) * 8)
        parts.point(used, to: text)
        used += 1
      }
      parts.point(used, to: sizes)
      used += 1
    } else {
      // A list without a row has one offset, too.
      parts.point(1, to: count == 0 ? sizes : buffers.values.start ?? sizes)
      if form == .text {
        parts.point(used, to: text)
        used += 1
      }
    }
    out.exported.n_buffers = Int64(used)
  }
}

/// The buffers of a view: nulls, views, the input, the text, and the sizes of the last two.
private let mostBuffers = 5

extension Memory {
  /// Stores one of many pointers here.
  fileprivate func point(_ index: Int, to memory: Memory?) {
    if let memory { advanced(by: index * pointerWidth).point(to: memory) }
  }
}
