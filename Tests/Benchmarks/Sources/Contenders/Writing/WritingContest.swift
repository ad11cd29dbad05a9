// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The other direction: the models of the five works, as text. What is written has the same length whoever writes it;
// the order of members is random in `JSONEncoder`. Decant reads the text back too, as the same models.

import Corpora
import Decant
import Foundation

/// A model, and who writes it.
public struct WritingContest {
  public let work: Work
  /// Who writes, in the order of the tables.
  public static let names = [
    "decant.model", "decant.write", "decant.encoder", "foundation.JSONEncoder",
  ]
  public let writers: [(name: String, job: Job)]
  /// The first writers' other direction: from the text that was written.
  public let readers: [Job]

  public init(_ work: Work, _ document: Document) throws {
    self.work = work
    typealias Codables = CodableModels
    typealias Writables = DecantTry
    let contest =
      switch work {
      case .tiny:
        try Self.contest(document, Codables.User.self, Writables.User.self, DecantModel.User.self)
      case .twitter:
        try Self.contest(
          document, Codables.Twitter.self, Writables.Twitter.self, DecantModel.Twitter.self)
      case .citm:
        try Self.contest(document, Codables.Citm.self, Writables.Citm.self, DecantModel.Citm.self)
      case .canada:
        try Self.contest(
          document, Codables.Canada.self, Writables.Canada.self, DecantModel.Canada.self)
      case .users:
        try Self.contest(
          document, [Codables.User].self, [Writables.User].self, [DecantModel.User].self)
      }
    (writers, readers) = contest
  }

  private typealias Contest = ([(name: String, job: Job)], [Job])

  private static func contest<
    Model: Codable & Checksummed, Writable: JSONDecodable & JSONWritable & Checksummed,
    Declared: JSONDecodable & JSONWritable & Checksummed
  >(
    _ document: Document, _ type: Model.Type, _ writableType: Writable.Type,
    _ declaredType: Declared.Type
  ) throws -> Contest {
    let decoder = DecantDecoder()
    let model = try decoder.decode(type, from: document.bytes)
    let writable = try Writable(decoding: document.bytes)
    let declared = try Declared(decoding: document.bytes)
    let encoder = DecantEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let foundation = JSONEncoder()
    foundation.outputFormatting = .withoutEscapingSlashes
    let text = writable.jsonBytes()
    guard try Writable(decoding: text).jsonBytes() == text else {
      throw ChangedOnTheWay(description: "\(type): what is written reads as something else")
    }
    guard declared.jsonBytes() == text else {
      throw ChangedOnTheWay(description: "\(type): models by declaration write something else")
    }
    let writers = [
      Job { Written(bytes: declared.jsonBytes()) },
      Job { Written(bytes: writable.jsonBytes()) },
      Job { Written(bytes: try encoder.encode(model) as [UInt8]) },
      Job { Written(bytes: try foundation.encode(model)) },
    ]
    let readers = [
      Job { try Declared(decoding: text) },
      Job { try Writable(decoding: text) },
      Job { try decoder.decode(type, from: text) },
    ]
    return (Array(zip(names, writers)), readers)
  }
}

/// A model that is not the same after text and back.
private struct ChangedOnTheWay: Error, CustomStringConvertible {
  let description: String
}

/// Text that was written.
private struct Written<Bytes: Collection>: Checksummed {
  let bytes: Bytes

  func add(to sum: inout Checksum) { sum.add(bytes.count) }
}
