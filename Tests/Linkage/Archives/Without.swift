// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A program without DecantFoundation: what that would code is an error, and never coded otherwise in silence.

import DecantCodable
import Foundation

@main
struct Without {
  static func main() {
    func showEncoded(_ value: some Encodable) {
      show { show(text: try DecantEncoder().encode(["a": value]) as [UInt8]) }
    }
    func showDecoded<Value: Decodable>(_ type: Value.Type, _ text: String) {
      show { "\(try DecantDecoder().decode([Value].self, from: text))" }
    }
    showEncoded(URL(filePath: "/a"))
    showEncoded(Decimal(1))
    showEncoded(Data())
    showEncoded(Date(timeIntervalSinceReferenceDate: 1))
    showDecoded(URL.self, #"["/a"]"#)
    showDecoded(Decimal.self, "[1]")
    showDecoded(Data.self, #"["AQID"]"#)
    showDecoded(UUID.self, #"["F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"]"#)
  }
}
