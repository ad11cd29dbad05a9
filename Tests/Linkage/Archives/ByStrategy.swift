// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable
import DecantFoundation
import Foundation

@main
struct ByStrategy {
  static func main() {
    let (decoder, encoder) = (DecantDecoder(), DecantEncoder())
    decoder.dateDecodingStrategy = .secondsSince1970
    encoder.dateEncodingStrategy = .iso8601
    show { show(text: try encoder.encode(decoder.decode(Model.self, from: text)) as [UInt8]) }
  }
}
