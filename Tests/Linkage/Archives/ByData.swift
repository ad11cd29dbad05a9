// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable
import DecantCore
import DecantFoundation
import Foundation

@main
struct ByData {
  static func main() {
    show {
      let model = try DecantDecoder().decode(Model.self, from: Data(text.utf8))
      return show(text: try DecantEncoder().encode(model) as Data)
    }
    do {
      _ = try DecantDecoder().decode(Model.self, from: Data("[".utf8))
    } catch DecodingError.dataCorrupted(let context) {
      print(context.underlyingError?.localizedDescription ?? "")
    } catch {}
  }
}
