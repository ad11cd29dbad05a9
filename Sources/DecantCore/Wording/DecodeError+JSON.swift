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
  /// The error as a JSON document on one line. Members that are not known are not there; with
  /// ``DecodingOptions/redactsInput`` nothing in it is from the document but paths.
  public var jsonText: String { written { writeJSON(to: &$0) } }

  private func writeJSON(to sink: inout some ErrorSink) {
    if !storage.isList { return writeSingleJSON(to: &sink) }
    sink.openErrors(code, count: count)
    for (place, part) in underlying.enumerated() {
      if place > 0 { sink.add(",") }
      part.writeSingleJSON(to: &sink)
    }
    sink.closeErrors(omitted: omittedCount)
  }

  private func writeSingleJSON(to sink: inout some ErrorSink) {
    let resolution = resolution
    KeptFacts(storage, resolution).writeJSON(
      to: &sink, source: resolution.sourceName, location: resolution.location,
      path: resolution.path.text)
  }
}

extension ErrorFacts {
  /// The object of a single error.
  @inlinable
  package func writeJSON(
    to sink: inout some ErrorSink, source: (some ErrorPhrase)?, location: DecodeError.Location?,
    path: some ErrorPhrase
  ) {
    sink.open(code)
    if let source { sink.add(member: "source", source) }
    sink.add(member: "path", path)
    if let location { sink.add(member: "location", location) }
    if let otherLocation { sink.add(member: "otherLocation", otherLocation) }
    if has(.expected) { sink.add(member: "expected", FactPart(facts: self, part: .expected)) }
    if has(.found) { sink.add(member: "found", FactPart(facts: self, part: .found)) }
    sink.add(member: "message", FactPart(facts: self, part: nil))
    sink.add("}")
  }
}

/// A part of the facts, or the message.
@usableFromInline
struct FactPart<Facts: ErrorFacts>: ErrorPhrase {
  @usableFromInline let facts: Facts
  @usableFromInline let part: ErrorPart?

  @inlinable
  init(facts: Facts, part: ErrorPart?) {
    self.facts = facts
    self.part = part
  }

  @inlinable
  func write(to sink: inout some ErrorSink) {
    if let part { facts.write(part, to: &sink) } else { facts.writeMessage(to: &sink) }
  }
}

// MARK: - To a sink

extension ErrorSink {
  /// The beginning of an error's object.
  @inlinable
  package mutating func open(_ code: DecodeError.Code) {
    add("{\"code\":")
    add(Int(code.rawValue))
    add(member: "name", code.name)
    add(member: "category", code.category.name)
  }

  /// The text before several errors.
  @inlinable
  package mutating func openErrors(_ code: DecodeError.Code, count: Int) {
    open(code)
    add(",\"message\":\"")
    add(count)
    add(" errors\",\"errors\":[")
  }

  /// The text after several errors.
  @inlinable
  package mutating func closeErrors(omitted: Int) {
    add("]")
    if omitted > 0 { add(member: "omitted", omitted) }
    add("}")
  }

  @inlinable
  package mutating func add(member name: StaticString, _ text: some ErrorPhrase) {
    add(",\"")
    add(name)
    add("\":\"")
    // SAFETY: the pointer is used during the call only.
    unsafe withUnsafeMutablePointer(to: &self) { sink in
      var string = unsafe JSONString(sink: sink)
      text.write(to: &string)
    }
    add("\"")
  }

  @inlinable
  package mutating func add(member name: StaticString, _ number: Int) {
    add(",\"")
    add(name)
    add("\":")
    add(number)
  }

  @inlinable
  package mutating func add(member name: StaticString, _ location: DecodeError.Location) {
    add(",\"")
    add(name)
    add("\":{\"offset\":")
    add(location.offset)
    add(member: "line", location.line)
    add(member: "column", location.column)
    add("}")
  }
}

/// The inside of a JSON string: with the escapes that RFC 8259 §7 requires, and no others.
@safe @usableFromInline
struct JSONString<Sink: ErrorSink>: ErrorSink {
  // SAFETY: points to the sink of the function that makes the string, and outlives it.
  @usableFromInline let sink: UnsafeMutablePointer<Sink>

  @unsafe @inlinable
  init(sink: UnsafeMutablePointer<Sink>) { unsafe self.sink = unsafe sink }

  @inlinable
  mutating func add(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\", "\n", "\r", "\t": unsafe sink.pointee.add(escaping: scalar)
    case "\0"..<" ":
      unsafe sink.pointee.add("\\u")
      unsafe sink.pointee.add(hexadecimal: scalar.value, digits: 4)
    default: unsafe sink.pointee.add(scalar)
    }
  }
}
