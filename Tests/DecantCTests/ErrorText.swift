// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import CDecant

// The texts of an error, which are arrays in C. In Swift these are tuples of up to 2,048 elements, whose use as a value
// costs the compiler seconds; so they are read as bytes of the struct.

func pathText(of error: decant_error) -> String {
  text(of: error, at: MemoryLayout<decant_error>.offset(of: \.path)!)
}

func messageText(of error: decant_error) -> String {
  text(of: error, at: MemoryLayout<decant_error>.offset(of: \.message)!)
}

private func text(of error: decant_error, at offset: Int) -> String {
  withUnsafeBytes(of: error) { bytes in
    String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
