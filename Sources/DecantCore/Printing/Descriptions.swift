// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Descriptions of values whose stored properties say little to a reader. Text of a document is escaped.

#if !hasFeature(Embedded)

  extension DecodeError.Location: CustomStringConvertible {
    /// Line and column, as errors have them: `3:17`.
    public var description: String { written { $0.add(self) } }
  }

  extension DecodingOptions: CustomStringConvertible {
    /// The options with their names.
    public var description: String {
      "engine: \(engine), maximumDepth: \(maximumDepth), maximumBytes: \(maximumBytes), "
        + "maximumMemory: \(maximumMemory?.description ?? "standard"), duplicateKeys: \(duplicateKeys), "
        + "maximumErrors: \(maximumErrors), sourceName: \(sourceName ?? "none"), "
        + "relaxations: [\(relaxations)], "
        + "redactsInput: \(redactsInput), unknownMembers: \(unknownMembers)"
    }
  }

  extension DecodingOptions.Engine: CustomStringConvertible {
    /// The name of the engine.
    public var description: String { name }
  }

  extension DecodingOptions.Relaxations: CustomStringConvertible {
    /// The names of those that are in the set: `comments, trailingCommas`.
    public var description: String {
      let names = [
        "comments", "trailingCommas", "nonFiniteNumbers", "byteOrderMark", "loneSurrogates",
      ]
      return names.indices.filter { rawValue & 1 << $0 != 0 }.map { names[$0] }
        .joined(separator: ", ")
    }
  }

  extension JSONKey: CustomStringConvertible {
    /// The key or the path as a pointer: `/users/0`.
    public var description: String { JSONPointer(steps).text }
  }

  extension JSONTimestamp: CustomStringConvertible {
    /// The instant by RFC 3339, or its seconds where that has no text.
    public var description: String { rfc3339 ?? "\(seconds) s" }
  }

  extension JSONExplanation.Field: CustomStringConvertible {
    /// Path, outcome and value.
    public var description: String {
      "\(quotedPath(path.text)) \(outcome.rawValue) \(detail)"
    }
  }

  extension OpenEnum: CustomStringConvertible {
    /// The case, or the raw value that has none.
    public var description: String {
      switch self {
      case .known(let known): String(describing: known)
      case .unknown(let raw): String(describing: raw)
      }
    }
  }

  extension LossyArray: CustomStringConvertible {
    /// The elements, and how many were skipped.
    public var description: String { "\(elements), skipped: \(skippedCount)" }
  }

  extension LossyDictionary: CustomStringConvertible {
    /// The members, and how many were skipped.
    public var description: String { "\(elements), skipped: \(skippedCount)" }
  }

#endif
