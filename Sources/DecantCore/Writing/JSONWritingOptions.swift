// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The public options for writing a value, and the same as flags for C.

internal import CDecantIndex

/// How values are written as JSON.
public struct JSONWritingOptions: Sendable {
  /// Each member and element on its own line, indented by two spaces for each level; from the 64th level on, the
  /// indentation stays the same.
  public var isPretty: Bool
  /// Sorts members by the UTF-8 bytes of their keys, instead of the order in which they are written. If a model writes
  /// an object in another order, the object's text is copied, once for each enclosing object that is not in order.
  public var sortsKeys: Bool
  /// `/` as `\/`, for text that goes into an HTML script element.
  public var escapesSlashes: Bool
  /// How many arrays and objects may be inside one another.
  public var maximumDepth: Int
  /// Whether two members of one object with equal keys are a failure (``JSONWritingError/Code/duplicateKey``). The
  /// text is read once more. With ``sortsKeys``, only one of them is written; otherwise both are.
  public var rejectsDuplicateKeys: Bool
  /// Pretty like Foundation's `JSONEncoder`: a space before colons too, and a blank line in empty containers.
  package var isSpacious = false

  /// Options, by default compact text in the order of writing.
  public init(
    isPretty: Bool = false, sortsKeys: Bool = false, escapesSlashes: Bool = false,
    maximumDepth: Int = 512, rejectsDuplicateKeys: Bool = false
  ) {
    self.isPretty = isPretty
    self.sortsKeys = sortsKeys
    self.escapesSlashes = escapesSlashes
    self.maximumDepth = maximumDepth
    self.rejectsDuplicateKeys = rejectsDuplicateKeys
  }
}

extension JSONWritingOptions {
  /// The flags for C.
  var flags: UInt32 {
    @inline(never) get {
      let slashes = escapesSlashes ? UInt32(DECANT_ESCAPE_SLASHES) : 0
      let layout = isPretty || sortsKeys ? UInt32(DECANT_OUTPUT_LAID_OUT) : 0
      return slashes | layout
    }
  }
}
