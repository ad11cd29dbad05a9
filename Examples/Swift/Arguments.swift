// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson

/// What the command line asks for.
struct Arguments {
  var engine = DecodingOptions.Engine.native
  var command = Command.tour(data: "Data", large: nil)

  enum Command {
    case help
    case generate(size: Int)
    case file(String)
    case tour(data: String, large: String?)
  }

  static let help = """
    usage: decant-examples [--engine native|jansson] [FILE|-]
           decant-examples [--engine native|jansson] [--data FOLDER] [--large FILE]
           decant-examples generate users BYTES > FILE

    With a FILE (or - for standard input): shows the shape of the document.
    Without: decodes the example documents in FOLDER (./Data), and the large users document too.
    generate: writes a users document of at least so many bytes, always the same.
    """

  init(_ words: ArraySlice<String>) throws(Failure) {
    var data = "Data"
    var large: String?
    var file: String?
    var words = words
    if words.first == "generate" {
      command = .generate(size: try Self.size(words.dropFirst()))
      return
    }
    while let word = words.popFirst() {
      switch word {
      case "-h", "--help":
        command = .help
        return
      case "--engine": engine = try Self.engine(try Self.value(of: word, &words))
      case "--data": data = try Self.value(of: word, &words)
      case "--large": large = try Self.value(of: word, &words)
      case "--":
        for word in words { try Self.keep(word, in: &file) }
        words = []
      case _ where word.hasPrefix("-") && word != "-":
        throw .usage("unknown option \(word); --help lists them")
      default: try Self.keep(word, in: &file)
      }
    }
    command = file.map { .file($0) } ?? .tour(data: data, large: large)
  }

  private static func keep(_ word: String, in file: inout String?) throws(Failure) {
    if let file { throw .usage("one file at a time, not \(file) and \(word)") }
    file = word
  }

  private static func value(
    of option: String, _ words: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = words.popFirst() else { throw .usage("\(option) needs a value") }
    return value
  }

  private static func engine(_ name: String) throws(Failure) -> DecodingOptions.Engine {
    switch name {
    case "native": return .native
    case "jansson": return .jansson
    default: throw .usage("unknown engine \(name): native or jansson")
    }
  }

  private static func size(_ words: ArraySlice<String>) throws(Failure) -> Int {
    guard words.count == 2, words.first == "users", let size = words.last.flatMap({ Int($0) }),
      size >= 0
    else { throw .usage("usage: decant-examples generate users BYTES") }
    return size
  }
}
