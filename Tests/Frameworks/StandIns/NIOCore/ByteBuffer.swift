// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for SwiftNIO: a buffer of bytes with the functions that decoders and encoders use.

public struct ByteBuffer: Sendable {
  private var storage: [UInt8]
  public private(set) var readerIndex = 0

  public init() { storage = [] }
  public init(string: String) { storage = Array(string.utf8) }
  public init(bytes: some Sequence<UInt8>) { storage = Array(bytes) }

  public var readableBytes: Int { storage.count - readerIndex }
  public mutating func moveReaderIndex(forwardBy count: Int) { readerIndex += count }

  public var readableBytesSpan: RawSpan {
    @_lifetime(borrow self)
    borrowing get { storage.span.bytes.extracting(readerIndex..<storage.count) }
  }

  @discardableResult
  public mutating func writeBytes(_ bytes: some Sequence<UInt8>) -> Int {
    let before = storage.count
    storage.append(contentsOf: bytes)
    return storage.count - before
  }
}
