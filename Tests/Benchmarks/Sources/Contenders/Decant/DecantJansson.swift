// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.jansson: the models of decant.try, read by the second engine.

import Corpora
import Decant
import DecantJansson

struct DecantJansson: Contender {
  let name = "decant.jansson"

  func job(_ work: Work, _ document: Document) -> Job? {
    let bytes = document.bytes
    let options = DecodingOptions(engine: .jansson)
    return switch work {
    case .tiny: Job { try DecantTry.User(decoding: bytes, options: options) }
    case .twitter: Job { try DecantTry.Twitter(decoding: bytes, options: options) }
    case .citm: Job { try DecantTry.Citm(decoding: bytes, options: options) }
    case .canada: Job { try DecantTry.Canada(decoding: bytes, options: options) }
    case .users: Job { try [DecantTry.User](decoding: bytes, options: options) }
    }
  }
}
