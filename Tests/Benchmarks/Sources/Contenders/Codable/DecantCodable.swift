// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.codable: one decoder for all decodes.

import Corpora
import Decant

struct DecantCodable: Contender {
  let name = "decant.codable"

  func job(_ work: Work, _ document: Document) -> Job? {
    let bytes = document.bytes
    let decoder = DecantDecoder()
    return switch work {
    case .tiny: Job { try decoder.decode(CodableModels.User.self, from: bytes) }
    case .twitter: Job { try decoder.decode(CodableModels.Twitter.self, from: bytes) }
    case .citm: Job { try decoder.decode(CodableModels.Citm.self, from: bytes) }
    case .canada: Job { try decoder.decode(CodableModels.Canada.self, from: bytes) }
    case .users: Job { try decoder.decode([CodableModels.User].self, from: bytes) }
    }
  }
}
