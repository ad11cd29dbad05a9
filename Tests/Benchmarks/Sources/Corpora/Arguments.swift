// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Command lines of the form `command --name value value`.

/// What a command was called with.
public struct Arguments {
  public private(set) var positional: [String] = []
  private var options: [String: String] = [:]

  /// Reads a command line; a word that begins with `--` names an option and takes the next word.
  public init(_ words: some Sequence<String>) {
    var words = words.makeIterator()
    while let word = words.next() {
      guard word.hasPrefix("--") else {
        positional.append(word)
        continue
      }
      options[String(word.dropFirst(2))] = words.next() ?? ""
    }
  }

  /// The value of `--name`; nil where it is missing or empty.
  public subscript(name: String) -> String? {
    options[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The words of `--name a,b,c`.
  public func list(_ name: String) -> [String]? {
    self[name]?.split(separator: ",").map(String.init)
  }
}
