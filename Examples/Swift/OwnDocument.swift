// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A file of the user's own: its shape, and the models that read it.

import Decant
import DecantLines

struct OwnDocument {
  private let path: String
  private let size: Int
  private var options: DecodingOptions
  /// One, or the documents of a stream that has one a line.
  private var documents: [JSONValue] = []
  private var isStream = false

  init(_ path: String, engine: DecodingOptions.Engine) throws(Failure) {
    self.path = path
    options = DecodingOptions(engine: engine, maximumErrors: 10, sourceName: Input.name(path))
    let bytes = try Input.bytes(of: path)
    size = bytes.count
    do throws(DecodeError) {
      try read(bytes)
    } catch {
      throw .document("\(error)")
    }
  }

  /// A stream has several documents, or is called one.
  private mutating func read(_ bytes: [UInt8]) throws(DecodeError) {
    let outcome = parse(bytes)
    let isNamedStream = path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson")
    if !isNamedStream, let document = outcome.value {
      documents = [document]
      return
    }
    for line in JSONLines<JSONValue>(bytes, options: options) {
      // What does not begin with a document on a line of its own is no stream.
      if documents.isEmpty, !isNamedStream, line.result.error != nil { _ = try outcome.get() }
      documents.append(try line.result.get())
    }
    if documents.isEmpty, !isNamedStream { _ = try outcome.get() }
    isStream = true
  }

  private mutating func parse(_ bytes: [UInt8]) -> Decoded<JSONValue> {
    let outcome = JSONValue.parse(bytes, options: options)
    guard outcome.error?.code == .tooDeep, options.engine == .native else { return outcome }
    options.maximumDepth = .max
    return JSONValue.parse(bytes, options: options)
  }

  func show() {
    let shape = Shape()
    for document in documents { document.withView { shape.add($0) } }
    let repeated = shape.allRepeatedKeys
    Declarations.findDictionaries(in: shape)
    let stream = isStream ? ", \(counted(documents.count, "document"))" : ""
    print("\n\(Input.name(path)), \(counted(size, "byte"))\(stream), \(options.engine.name)")
    print(indented(shape.outline))
    let models = Declarations(of: shape, name: modelName)
    print("\nimport Decant")
    if isStream { print("import DecantLines") }
    print("\n// \(reading(models.type))")
    if repeated > 0 {
      print(
        "// \(counted(repeated, "member")) repeats a key of its object: the first of each is read.")
    }
    if !models.text.isEmpty { print("\n" + models.text) }
  }

  /// How the document is read.
  private func reading(_ type: String) -> String {
    let options = options.maximumDepth > 512 ? ", options: DecodingOptions(maximumDepth: .max)" : ""
    if isStream { return "for line in JSONLines<\(type)>(bytes\(options)) { … line.result … }" }
    return "try \(type)(decoding: bytes\(options))"
  }

  /// The file's name without its ending.
  private var modelName: String {
    let file = path.split(separator: "/").last ?? "-"
    let name = file.split(separator: ".").first.map(String.init) ?? ""
    return file == "-" || name.isEmpty ? "document" : name
  }
}
