// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document in the forms in which contenders take their input, all made before any clock starts.

import Foundation

/// The bytes of one document.
public final class Document {
  public let bytes: [UInt8]
  public private(set) lazy var data = Data(bytes)

  /// The bytes again, at an address that lasts as long as this object. Behind them lie `padding`
  /// zero bytes.
  public var padded: UnsafeRawBufferPointer {
    let copy = paddedCopy ?? makePadded()
    paddedCopy = copy
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<bytes.count])
  }

  private let padding = 128
  private var paddedCopy: UnsafeMutableRawBufferPointer?

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  deinit {
    paddedCopy?.deallocate()
  }

  /// The document of `work`: from `folder` if it has one, else made by the generator.
  public convenience init(_ work: Work, folder: String?) throws {
    if let folder, let name = work.fileName {
      let url = URL(filePath: folder, directoryHint: .isDirectory).appending(path: name)
      self.init([UInt8](try Data(contentsOf: url)))
      return
    }
    let text =
      switch work {
      case .tiny: Generator.tiny
      case .twitter: Generator.twitter()
      case .citm: Generator.citm()
      case .canada: Generator.canada()
      case .users: Generator.users(count: 100_000)
      }
    self.init([UInt8](text.utf8))
  }

  /// Makes all the forms now rather than when they are first asked for.
  public func prepare() {
    _ = (data, padded)
  }

  /// Where the bytes of `work` come from, in words.
  public static func source(_ work: Work, folder: String?) -> String {
    guard let name = work.fileName else { return "made in code" }
    return folder == nil ? "generated in the shape of \(name)" : name
  }

  private func makePadded() -> UnsafeMutableRawBufferPointer {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + padding, alignment: 64)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    buffer.copyBytes(from: bytes)
    return buffer
  }
}
