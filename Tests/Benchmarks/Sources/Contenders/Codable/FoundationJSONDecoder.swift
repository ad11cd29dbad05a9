// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender foundation.JSONDecoder: one decoder for all decodes.

import Corpora
import Foundation

struct FoundationJSONDecoder: Contender {
  let name = "foundation.JSONDecoder"

  func job(_ work: Work, _ document: Document) -> Job? {
    let data = document.data
    let decoder = JSONDecoder()
    return switch work {
    case .tiny: Job { try decoder.decode(CodableModels.User.self, from: data) }
    case .twitter: Job { try decoder.decode(CodableModels.Twitter.self, from: data) }
    case .citm: Job { try decoder.decode(CodableModels.Citm.self, from: data) }
    case .canada: Job { try decoder.decode(CodableModels.Canada.self, from: data) }
    case .users: Job { try decoder.decode([CodableModels.User].self, from: data) }
    }
  }
}
