// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error for programs: a JSON document for logs and for the answers of services (HTTP 422).
//
//   {"code":201,"name":"type mismatch","category":"data","path":"/id","location":{"offset":6,"line":1,
//    "column":7},"message":"expected an integer, found the string \"5\""}
//
// Several errors are one object with the code 299 and an array `errors`; `omitted` counts the rest.

extension DecodeError {
  /// The error as a JSON document on one line. Members that are not known are not there; with
  /// ``DecodingOptions/redactsInput`` nothing in it is from the document but paths.
  public var jsonText: String {
    var writer = ErrorWriter()
    writer.write(self)
    return String(decoding: writer.json.bytes, as: UTF8.self)
  }

  /// ``jsonText`` as a value, to be built into a larger one.
  public var jsonValue: JSONValue {
    switch JSONValue.parse(jsonText) {
    case .success(let value): value
    case .failure(let error): JSONValue(absence: error)
    }
  }
}

private struct ErrorWriter {
  var json = JSONWriter(isPretty: false)
  private var isFirst = true

  init() {}

  mutating func write(_ error: DecodeError) {
    open("{")
    member("code", Int(error.code.rawValue))
    member("name", error.code.name)
    member("category", error.category.name)
    let resolution = error.resolution
    if let name = resolution.sourceName { member("source", name) }
    if error.count == 1 || error.storage.underlying.isEmpty {
      member("path", resolution.path.text)
      if let location = resolution.location { member("location", location) }
      if let location = resolution.otherLocation { member("otherLocation", location) }
      if let expected = error.expected { member("expected", expected) }
      if let found = resolution.found { member("found", found) }
    }
    member("message", error.storage.underlying.isEmpty ? error.message : "\(error.count) errors")
    if !error.storage.underlying.isEmpty {
      key("errors")
      open("[")
      for part in error.underlying {
        separate()
        write(part)
      }
      close("]")
    }
    if error.omittedCount > 0 { member("omitted", error.omittedCount) }
    close("}")
  }

  private mutating func member(_ name: String, _ text: String) {
    key(name)
    json.write(text)
  }

  private mutating func member(_ name: String, _ number: Int) {
    key(name)
    json.bytes += Array("\(number)".utf8)
  }

  private mutating func member(_ name: String, _ location: DecodeError.Location) {
    key(name)
    open("{")
    member("offset", location.offset)
    member("line", location.line)
    member("column", location.column)
    close("}")
  }

  private mutating func key(_ name: String) {
    separate()
    json.write(name)
    json.bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if !isFirst { json.bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    json.bytes.append(UInt8(ascii: bracket))
    isFirst = true
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    json.bytes.append(UInt8(ascii: bracket))
    isFirst = false
  }
}
