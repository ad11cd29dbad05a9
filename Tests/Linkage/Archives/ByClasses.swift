// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantFoundation
import Foundation

@main
struct ByClasses {
  static func main() {
    let (decoder, encoder): (JSONDecoder, JSONEncoder) = (DecantJSONDecoder(), DecantJSONEncoder())
    encoder.outputFormatting = .sortedKeys
    show {
      show(text: try encoder.encode(decoder.decode(Model.self, from: Data(text.utf8))))
    }
  }
}
