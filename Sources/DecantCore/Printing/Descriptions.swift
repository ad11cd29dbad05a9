// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the library's values print as. Release builds have no metadata for reflection, which is a twentieth of a small
// program: without a description, Swift would print the name of the type there and nothing else.

#if !hasFeature(Embedded)

  // MARK: - Errors

  extension DecodeError.Code: CustomStringConvertible {
    /// The name of the case, such as `typeMismatch`.
    public var description: String {
      written { text in
        // The words without what is between them.
        var isBetween = false
        for byte in SeldomBytes(name) {
          let isLetter = byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-")
          let isCapital = isBetween && byte >= UInt8(ascii: "a")
          if isLetter { text.add(Unicode.Scalar(isCapital ? byte - 32 : byte)) }
          isBetween = !isLetter
        }
      }
    }
  }

  extension DecodeError.Category: CustomStringConvertible {
    /// The name of the case.
    public var description: String { name }
  }

  extension DecodeError.Location: CustomStringConvertible {
    /// Line and column, as errors have them: `3:17`.
    public var description: String { written { $0.add(self) } }
  }

  extension JSONWritingError.Code: CustomStringConvertible {
    /// The name of the case.
    public var description: String {
      switch self {
      case .nonFiniteNumber: "nonFiniteNumber"
      case .tooDeep: "tooDeep"
      case .duplicateKey: "duplicateKey"
      case .uncheckedKeys: "uncheckedKeys"
      case .notOneValue: "notOneValue"
      case .invalidValue: "invalidValue"
      }
    }
  }

  // MARK: - Options

  extension DecodingOptions: CustomStringConvertible {
    /// The options with their names.
    public var description: String {
      written {
        $0.add("engine: ", engine.name)
        $0.add(", maximumDepth: ", maximumDepth.description)
        $0.add(", maximumBytes: ", maximumBytes.description)
        $0.add(", maximumMemory: ", maximumMemory?.description ?? "standard")
        $0.add(", duplicateKeys: ", duplicateKeys.description)
        $0.add(", maximumErrors: ", maximumErrors.description)
        $0.add(", sourceName: ", sourceName ?? "none")
        $0.add(", relaxations: ", relaxations.description)
        $0.add(", redactsInput: ", redactsInput.description)
      }
    }
  }

  extension DecodingOptions.Engine: CustomStringConvertible {
    /// The name of the engine.
    public var description: String { name }
  }

  extension DecodingOptions.DuplicateKeys: CustomStringConvertible {
    /// The name of the case.
    public var description: String {
      switch self {
      case .first: "first"
      case .last: "last"
      case .reject: "reject"
      }
    }
  }

  extension DecodingOptions.Relaxations: CustomStringConvertible {
    /// The names of those that are in the set: `comments, trailingCommas`.
    public var description: String {
      let names: [StaticString] = [
        "comments", "trailingCommas", "nonFiniteNumbers", "byteOrderMark", "loneSurrogates",
      ]
      return written { text in
        for (bit, name) in names.enumerated() where rawValue & 1 << bit != 0 {
          if rawValue & (1 << bit - 1) != 0 { text.add(", ") }
          text.add(name)
        }
      }
    }
  }

  extension JSONWritingOptions: CustomStringConvertible {
    /// The options with their names.
    public var description: String {
      written {
        $0.add("isPretty: ", isPretty.description)
        $0.add(", sortsKeys: ", sortsKeys.description)
        $0.add(", escapesSlashes: ", escapesSlashes.description)
        $0.add(", maximumDepth: ", maximumDepth.description)
        $0.add(", rejectsDuplicateKeys: ", rejectsDuplicateKeys.description)
      }
    }
  }

  extension ErrorSink {
    @inline(never)
    fileprivate mutating func add(_ name: StaticString, _ value: String) {
      add(name)
      add(value)
    }
  }

  @inline(never)
  private func text(_ first: String, _ between: String, _ last: String = "") -> String {
    first + between + last
  }

  // MARK: - Values

  extension JSONKind: CustomStringConvertible {
    /// The name of the case.
    public var description: String {
      switch self {
      case .missing: "missing"
      case .null: "null"
      case .bool: "bool"
      case .number: "number"
      case .string: "string"
      case .array: "array"
      case .object: "object"
      }
    }
  }

  extension JSONKey: CustomStringConvertible {
    /// The key or the path as a pointer: `/users/0`.
    public var description: String { JSONPointer(steps).text }
  }

  extension JSONPointer.Token: CustomStringConvertible {
    /// The key, or the index.
    public var description: String {
      switch self {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
  }

  extension JSONValue.Content: CustomStringConvertible {
    /// What the value has.
    public var description: String {
      switch self {
      case .missing: "missing"
      case .null: "null"
      case .bool(let bool): bool.description
      case .number(let text): text
      case .string(let string): string.debugDescription
      case .array(let elements): elements.description
      case .object(let members): members.description
      }
    }
  }

  extension JSONTimestamp: CustomStringConvertible {
    /// The instant by RFC 3339, or its seconds where that has no text.
    public var description: String { rfc3339 ?? text(seconds.description, " s") }
  }

  extension JSONExplanation.Field: CustomStringConvertible {
    /// Path, outcome and value.
    public var description: String {
      text(quotedPath(path.text), " ", text(outcome.rawValue, " ", detail))
    }
  }

  extension JSONExplanation.Outcome: CustomStringConvertible {
    /// The name of the case.
    public var description: String { rawValue }
  }

  // MARK: - Values of a model's types

  extension JSONPresence: CustomStringConvertible {
    /// The value, `null` or `absent`.
    public var description: String {
      switch self {
      case .absent: "absent"
      case .null: "null"
      case .value(let value): String(describing: value)
      }
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
    public var description: String {
      text(elements.description, ", skipped: ", skippedCount.description)
    }
  }

  extension LossyArray.Skipped: CustomStringConvertible {
    /// The index, and what is wrong.
    public var description: String { text(index.description, ": ", error.description) }
  }

  extension LossyDictionary: CustomStringConvertible {
    /// The members, and how many were skipped.
    public var description: String {
      text(elements.description, ", skipped: ", skippedCount.description)
    }
  }

  extension LossyDictionary.Skipped: CustomStringConvertible {
    /// The key, and what is wrong.
    public var description: String { text(quoted(key), ": ", error.description) }
  }

#endif
