// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A file of the user's own: its shape, and the users in it.

import Decant
import ExampleModels

struct OwnDocument {
  private let name: String
  private let size: Int
  private let options: DecodingOptions
  /// One, or the documents of a stream that has one a line.
  private let documents: [JSONValue]

  init(_ path: String, engine: DecodingOptions.Engine) throws(Failure) {
    name = Input.name(path)
    options = DecodingOptions(engine: engine, maximumErrors: 10, sourceName: name)
    let bytes = try Input.bytes(of: path)
    size = bytes.count
    switch JSONValue.parse(bytes, options: options) {
    case .success(let value): documents = [value]
    case .failure(let error):
      guard error.code == .trailingBytes, let lines = Self.lines(of: bytes, options) else {
        throw .document("\(error)")
      }
      documents = lines
    }
  }

  /// The documents of a stream, or nil if a line is not a document.
  private static func lines(of bytes: [UInt8], _ options: DecodingOptions) -> [JSONValue]? {
    var documents: [JSONValue] = []
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") }) where !line.isBlank {
      guard let document = JSONValue.parse(line, options: options).value else { return nil }
      documents.append(document)
    }
    return documents
  }

  func show() throws(Failure) {
    var shape = Shape()
    for document in documents { document.withView { shape.add($0) } }
    let stream = documents.count > 1 ? ", \(counted(documents.count, "document"))" : ""
    print("\n\(name), \(counted(size, "byte"))\(stream), \(options.engine.name)")
    print(indented(shape.outline))
    var search = UserSearch(keysOfRoot: documents.count == 1 ? 1 : 2)
    for document in documents { search.look(into: document) }
    search.show()
    if search.errorCount > 0 {
      throw .document("\(name): \(counted(search.errorCount, "error")) in what looks like users")
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isBlank: Bool {
    allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
  }
}
