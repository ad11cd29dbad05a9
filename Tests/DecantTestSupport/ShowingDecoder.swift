// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import DecantCodable

/// A decoder whose errors quote the document.
public func showingDecoder() -> DecantDecoder {
  let decoder = DecantDecoder()
  decoder.showsValuesInErrors = true
  return decoder
}
