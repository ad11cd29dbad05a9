// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A struct of Arrow's C interface, from its creation until a consumer releases it. A schema and an array each own one block,
// with all that they point to:
//
//   block   header │ pointers to children │ children │ dictionary │ parts: what else the struct points to
//
// A child may be moved out and released later, by anyone; nothing of it is in its parent's block then. A child that
// was not made, that was moved out or that was released has no `release`.
//
// A struct's place is the consumer's, or inside of its parent's block, which was made before. The block is laid out
// for as many children as `n_children` says; `private_data` is the block from `allocate` to `release`, which the
// consumer calls once, as Arrow demands, or the maker before anyone has the struct. That is the proof of every `unsafe`
// here.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What ArrowSchema and ArrowArray share.
protocol ArrowStruct {
  init()
  var n_children: Int64 { get set }
  var children: UnsafeMutablePointer<UnsafeMutablePointer<Self>?>! { get set }
  var dictionary: UnsafeMutablePointer<Self>! { get set }
  var private_data: UnsafeMutableRawPointer! { get set }
  /// Has the callback of those that are made here, or none.
  var isExported: Bool { get set }
  /// Calls the callback, if there is one, with the struct where it is.
  mutating func callRelease()
}

extension ArrowSchema: ArrowStruct {
  var isExported: Bool {
    get { unsafe release != nil }
    set { unsafe release = newValue ? { unsafe ArrowExport($0)?.releaseAll() } : nil }
  }

  mutating func callRelease() { unsafe release?(&self) }
}

extension ArrowArray: ArrowStruct {
  var isExported: Bool {
    get { unsafe release != nil }
    set { unsafe release = newValue ? { unsafe ArrowExport($0)?.releaseAll() } : nil }
  }

  mutating func callRelease() { unsafe release?(&self) }
}

/// The beginning of a block.
private struct ArrowBlock {
  let memory: decant_allocator
  let size: Int
  /// Where the parts are.
  let parts: Int
  /// The buffers that an array owns, besides its block.
  var buffers: ColumnBuffers?
}

@safe
struct ArrowExport<Exported: ArrowStruct> {
  // SAFETY: see the head of the file.
  private let place: UnsafeMutablePointer<Exported>

  /// The consumer's struct; nil for NULL.
  init?(_ place: UnsafeMutablePointer<Exported>?) {
    guard let place = unsafe place else { return nil }
    unsafe self.place = place
  }

  /// Gives the struct a block of zeros. Returns where its parts are; nil if there is no memory.
  func allocate(
    _ memory: decant_allocator, children count: Int, hasDictionary: Bool, parts: Int
  ) -> Memory? {
    let stride = MemoryLayout<Exported>.stride
    var layout = BlockLayout(header: MemoryLayout<ArrowBlock>.stride)
    let pointers = layout.add(count * pointerWidth)
    let children = layout.add(count * stride)
    let dictionary = layout.add(hasDictionary ? stride : 0)
    let start = layout.add(parts)
    guard let block = memory.allocateZeros(layout.size) else { return nil }
    block.store(ArrowBlock(memory: memory, size: layout.size, parts: start))
    for index in 0..<count {
      block.advanced(by: pointers + index * pointerWidth).point(
        to: block.advanced(by: children + index * stride))
    }
    var exported = Exported()
    exported.n_children = Int64(count)
    if count > 0 {
      unsafe exported.children = (block.start + pointers).assumingMemoryBound(
        to: UnsafeMutablePointer<Exported>?.self)
    }
    if hasDictionary {
      unsafe exported.dictionary = (block.start + dictionary).assumingMemoryBound(
        to: Exported.self)
    }
    unsafe exported.private_data = block.start
    exported.isExported = true
    unsafe place.pointee = exported
    return block.advanced(by: start)
  }

  /// The struct's own members.
  var exported: Exported {
    unsafeAddress { unsafe UnsafePointer(place) }
    nonmutating unsafeMutableAddress { unsafe place }
  }

  func child(_ index: Int) -> ArrowExport? { unsafe ArrowExport(place.pointee.children[index]) }

  var dictionary: ArrowExport? { unsafe ArrowExport(place.pointee.dictionary) }

  /// Makes the children of a struct that has its block, and its dictionary, from those of a node. False after one that
  /// was not made; then all of it is released.
  func makeParts(
    of node: ArrowNode, _ makeChild: (ArrowExport, ArrowNode) -> Bool,
    _ makeDictionary: (ArrowExport) -> Bool
  ) -> Bool {
    for index in 0..<node.childCount {
      if let child = child(index), !makeChild(child, node.child(index)) {
        release()
        return false
      }
    }
    guard let names = dictionary, !makeDictionary(names) else { return true }
    release()
    return false
  }

  /// The parts of a struct that has its block.
  var parts: Memory? { block.map { $0.advanced(by: $0.load(ArrowBlock.self).parts) } }

  private var block: Memory? { unsafe Memory(place.pointee.private_data) }

  /// Lets the struct own buffers.
  func own(_ buffers: ColumnBuffers) {
    guard let block else { return }
    var header = block.load(ArrowBlock.self)
    header.buffers = buffers
    block.store(header)
  }

  /// Releases the struct, if it was not yet, by the callback that it has.
  func release() { exported.callRelease() }

  /// Releases what the struct owns, and those of its children that are still its own.
  fileprivate func releaseAll() {
    guard let block else { return }
    for index in 0..<Int(exported.n_children) { child(index)?.release() }
    dictionary?.release()
    let header = block.load(ArrowBlock.self)
    header.buffers?.release(header.memory)
    unsafe exported.private_data = nil
    exported.isExported = false
    header.memory.release(block, header.size)
  }
}

/// The places of a block's parts, each aligned for any type.
struct BlockLayout {
  private(set) var size: Int

  init(header: Int = 0) { size = (header + 15) & ~15 }

  mutating func add(_ bytes: Int) -> Int {
    defer { size += (bytes + 15) & ~15 }
    return size
  }
}
