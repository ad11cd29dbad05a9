// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error for programs: a JSON document for logs and for responses of services (HTTP 422).
//
//   {"code":201,"name":"type mismatch","category":"data","path":"/id","location":{"offset":6,"line":1,
//    "column":7},"message":"expected an integer, found the string \"5\""}
//
// Several errors are one object with the code 299 and an array `errors`; `omitted` counts the rest.

extension DecodeError {
  /// The error as a JSON document on one line. Unknown members are left out. With ``DecodingOptions/redactsInput``,
  /// only paths are from the document. A path of more than 200 characters is cut after 200, with `…`, as in
  /// ``description``.
  public var jsonText: String { written { writeJSON(to: &$0) } }

  package func writeJSON(to sink: inout ErrorSink) {
    guard let list else { return writeSingleJSON(to: &sink) }
    sink.openErrors(code, count: count)
    for (place, part) in underlying.enumerated() {
      if place > 0 { sink.add(",") }
      part.writeSingleJSON(to: &sink)
    }
    sink.closeErrors(omitted: list.omitted)
  }

  @inline(never)
  private func writeSingleJSON(to sink: inout ErrorSink) {
    let resolution = resolution([.shownPath, .place, .text])
    KeptFacts(storage: storage, resolution: resolution).writeJSON(
      to: &sink, source: resolution.sourceName, location: resolution.location
    ) { resolution.writePath(to: &$0) }
  }

  /// Adds the facts of each error to a buffer, up to the first that does not fit.
  package func pack(into sink: inout ErrorSink) {
    for part in list == nil ? [self] : underlying {
      let resolution = part.resolution([.shownPath, .place, .text])
      let facts = KeptFacts(storage: part.storage, resolution: resolution)
      let packed = facts.pack(
        into: &sink, source: resolution.sourceName, location: resolution.location
      ) { resolution.writePath(to: &$0) }
      if packed == nil { return }
    }
  }
}

extension ErrorFacts {
  /// The object of a single error.
  @_alwaysEmitIntoClient
  package func writeJSON(
    to sink: inout ErrorSink, source: (some ErrorPhrase)?, location: DecodeError.Location?,
    path: (inout ErrorSink) -> Void
  ) {
    sink.open(code)
    if let source { sink.add(string: #","source":""#) { source.write(to: &$0) } }
    sink.add(string: #","path":""#) { $0.addBeginning(ofPath: path) }
    if let location { sink.add(member: #","location":{"offset":"#, location) }
    if let otherLocation { sink.add(member: #","otherLocation":{"offset":"#, otherLocation) }
    let expected = has(.expected) ? ErrorPart.expected : .accepted
    if has(expected) { sink.add(string: #","expected":""#) { write(expected, to: &$0) } }
    if has(.found) { sink.add(string: #","found":""#) { write(.found, to: &$0) } }
    sink.add(string: #","message":""#) { writeMessage(to: &$0) }
    sink.add("}")
  }
}

// MARK: - To a sink

extension ErrorSink {
  /// The beginning of an error's object.
  @usableFromInline @inline(never)
  package mutating func open(_ code: DecodeError.Code) {
    add(#"{"code":"#)
    add(Int(code.rawValue))
    add(#","name":""#)
    add(code.words)
    add(#"","category":""#)
    add(code.category.name)
    add("\"")
  }

  /// The text before several errors.
  @usableFromInline
  package mutating func openErrors(_ code: DecodeError.Code, count: Int) {
    open(code)
    add(#","message":""#)
    add(count)
    add(#" errors","errors":["#)
  }

  /// The text after several errors.
  @usableFromInline
  package mutating func closeErrors(omitted: Int) {
    add("]")
    if omitted > 0 { add(member: #","omitted":"#, omitted) }
    add("}")
  }

  /// Writes the text before a string, with the first quotation mark, and the string.
  @usableFromInline
  package mutating func add(string opening: StaticString, _ body: (inout ErrorSink) -> Void) {
    add(opening)
    addString(body)
    add("\"")
  }

  @usableFromInline
  package mutating func add(member opening: StaticString, _ number: Int) {
    add(opening)
    add(number)
  }

  @usableFromInline
  package mutating func add(member opening: StaticString, _ location: DecodeError.Location) {
    add(opening)
    add(location.offset)
    add(#","line":"#)
    add(location.line)
    add(#","column":"#)
    add(location.column)
    add("}")
  }
}
