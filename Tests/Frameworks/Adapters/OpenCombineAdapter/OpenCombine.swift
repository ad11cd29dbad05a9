// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable
import DecantFoundation
import Foundation
import OpenCombine

extension DecantDecoder: @retroactive TopLevelDecoder {
  public typealias Input = Data
}

extension DecantEncoder: @retroactive TopLevelEncoder {
  public typealias Output = Data
}
