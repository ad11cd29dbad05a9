// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The other direction: the models of the five works, as text. What is written has the same length whoever writes it;
// the order of members is random in `JSONEncoder`.

import Corpora
import Decant
import Foundation

/// A model, and who writes it.
public struct WritingContest {
  public let work: Work
  public let jobs: [(name: String, job: Job)]

  /// Who writes, in the order of the tables.
  public static let names = ["decant.write", "decant.encoder", "foundation.JSONEncoder"]

  public init(_ work: Work, _ document: Document) throws {
    self.work = work
    typealias Codables = CodableModels
    typealias Writables = WritableModels
    jobs =
      switch work {
      case .tiny: try Self.jobs(document, Codables.User.self, Writables.User.self)
      case .twitter: try Self.jobs(document, Codables.Twitter.self, Writables.Twitter.self)
      case .citm: try Self.jobs(document, Codables.Citm.self, Writables.Citm.self)
      case .canada: try Self.jobs(document, Codables.Canada.self, Writables.Canada.self)
      case .users: try Self.jobs(document, [Codables.User].self, [Writables.User].self)
      }
  }

  private static func jobs<Model: Codable, Writable: Decodable & JSONWritable>(
    _ document: Document, _ model: Model.Type, _ writable: Writable.Type
  ) throws -> [(name: String, job: Job)] {
    let model = try DecantDecoder().decode(model, from: document.bytes)
    let writable = try DecantDecoder().decode(writable, from: document.bytes)
    let encoder = DecantEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let foundation = JSONEncoder()
    foundation.outputFormatting = .withoutEscapingSlashes
    let jobs = [
      Job { Written(bytes: writable.jsonBytes()) },
      Job { Written(bytes: try encoder.encode(model) as [UInt8]) },
      Job { Written(bytes: try foundation.encode(model)) },
    ]
    return Array(zip(names, jobs))
  }
}

/// Text that was written.
private struct Written<Bytes: Collection>: Checksummed {
  let bytes: Bytes

  func add(to sum: inout Checksum) { sum.add(bytes.count) }
}
