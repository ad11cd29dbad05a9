// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One input: a shape, a document for it, the options of both decoders, and which way the document comes.
// `JSONDecoder` and `DecantDecoder` must tell the same.

import DecantCodable
import DecantCore
import DecantFoundation
import Foundation

/// Nil if both decoders tell the same of an input; else the shape, the document and what each told.
///
/// The input chooses among a thousand shapes, each made by chance from its number: libFuzzer looks for documents and
/// options. Making a shape takes as long as decoding hundreds of documents, and would be most of what it does.
public func codableDifference(_ bytes: UnsafeRawBufferPointer) -> String? {
  var choices = Choices(bytes)
  let number = choices.next(4) * 256 + choices.next(256)
  return numberedShape(number).difference(&choices)
}

nonisolated(unsafe) private var numberedShapes: [Int: ChosenShape] = [:]

private func numberedShape(_ number: Int) -> ChosenShape {
  if let shape = numberedShapes[number] { return shape }
  var random = Random(state: UInt64(number))
  var input = [UInt8](repeating: 0, count: 16)
  random.fill(&input)
  let shape = input.withUnsafeBytes { ChosenShape($0) }
  numberedShapes[number] = shape
  return shape
}

/// A shape, for any number of documents: the first decode of a type costs several times as much as the others,
/// because the Swift runtime makes the type and looks its conformances up.
public struct ChosenShape {
  private let type: AnyShape

  init(_ choices: inout Choices) { type = shape(&choices, depth: 3) }

  public init(_ bytes: UnsafeRawBufferPointer) {
    var choices = Choices(bytes)
    self.init(&choices)
  }

  /// Nil if both decoders tell the same of a document for the shape, with options, all of which the bytes choose.
  public func difference(_ bytes: UnsafeRawBufferPointer) -> String? {
    var choices = Choices(bytes)
    return difference(&choices)
  }

  func difference(_ choices: inout Choices) -> String? {
    let type = type
    let options = Options(&choices)
    let way = choices.next(4)
    let json = type.document(&choices)
    let expected = tellFoundation(type, json, options)
    let found = tellDecant(type, json, options, way)
    if expected == found || isListed(expected, found) { return nil }
    return """
      \(type) \(options) way \(way)
      \(json)
      JSONDecoder: \(expected)
      DecantDecoder: \(found)
      """
  }
}

/// Several wrong members in a dictionary: `JSONDecoder` tells of one at random, Decant of the first one. The
/// two texts then are equal but for the errors in them.
private func isListed(_ expected: String, _ found: String) -> Bool {
  let parts = [expected, found].map { text in
    text.split(separator: "«", omittingEmptySubsequences: false).enumerated().map { place, part in
      place == 0 ? part : part.drop { $0 != "»" }
    }
  }
  return parts[0] == parts[1] && parts[0].count > 1 && countsOfDictionaries(expected, found)
}

/// Whether the errors of both are at paths that part below one object, at different keys.
private func countsOfDictionaries(_ expected: String, _ found: String) -> Bool {
  let errors = [expected, found].map { text in
    text.split(separator: "«").dropFirst().map { $0.prefix { $0 != "»" } }
  }
  return zip(errors[0], errors[1]).allSatisfy { one, other in
    if one == other { return true }
    let paths = [one, other].map { $0.drop { $0 != "/" }.split(separator: "/") }
    guard let (left, right) = zip(paths[0], paths[1]).first(where: { $0 != $1 }) else {
      // Corrupt data has no path.
      return one == "corrupted" || other == "corrupted"
    }
    return !left.hasPrefix("Index ") && !right.hasPrefix("Index ")
  }
}

// MARK: - Options

struct Options: CustomStringConvertible {
  let keys, dates, data, floats, isShared: Int

  init(_ choices: inout Choices) {
    keys = choices.next(6)
    dates = choices.next(5)
    data = choices.next(3)
    floats = choices.next(2)
    isShared = choices.next(2)
  }
  var description: String {
    "keys \(keys) dates \(dates) data \(data) floats \(floats) shared \(isShared)"
  }
  var number: Int { ((keys * 5 + dates) * 3 + data) * 2 + floats }
}

/// A key strategy that is neither the default nor in the libraries.
private func renamed(_ path: [any CodingKey]) -> any CodingKey {
  let key = path[path.count - 1]
  return key.stringValue == "other" ? Renamed(stringValue: "userName") : key
}

private struct Renamed: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private func makeFoundation(_ options: Options) -> JSONDecoder {
  let decoder = JSONDecoder()
  switch options.keys {
  case 4: decoder.keyDecodingStrategy = .convertFromSnakeCase
  case 5: decoder.keyDecodingStrategy = .custom { renamed($0) }
  default: break
  }
  switch options.dates {
  case 1: decoder.dateDecodingStrategy = .secondsSince1970
  case 2: decoder.dateDecodingStrategy = .millisecondsSince1970
  case 3: decoder.dateDecodingStrategy = .iso8601
  case 4:
    decoder.dateDecodingStrategy = .custom {
      Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) / 2)
    }
  default: break
  }
  switch options.data {
  case 1: decoder.dataDecodingStrategy = .deferredToData
  case 2: decoder.dataDecodingStrategy = .custom { Data(try [UInt8](from: $0).reversed()) }
  default: break
  }
  if options.floats == 1 {
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }
  return decoder
}

private func makeDecant(_ options: Options) -> DecantDecoder {
  let decoder = DecantDecoder()
  switch options.keys {
  case 4: decoder.keyDecodingStrategy = .convertFromSnakeCase
  case 5: decoder.keyDecodingStrategy = .custom { renamed($0) }
  default: break
  }
  switch options.dates {
  case 1: decoder.dateDecodingStrategy = .secondsSince1970
  case 2: decoder.dateDecodingStrategy = .millisecondsSince1970
  case 3: decoder.dateDecodingStrategy = .iso8601
  case 4:
    decoder.dateDecodingStrategy = .custom {
      Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) / 2)
    }
  default: break
  }
  switch options.data {
  case 1: decoder.dataDecodingStrategy = .deferredToData
  case 2: decoder.dataDecodingStrategy = .custom { Data(try [UInt8](from: $0).reversed()) }
  default: break
  }
  if options.floats == 1 {
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }
  return decoder
}

// MARK: - Decoders

/// Decoders that decode many types one after another, by the number of their options.
nonisolated(unsafe) private var shared: [Int: DecantDecoder] = [:]

/// `JSONDecoder` remembers nothing from one decode to the next.
nonisolated(unsafe) private var foundation: [Int: JSONDecoder] = [:]

private func decoder(_ options: Options) -> DecantDecoder {
  guard options.isShared == 1 else { return makeDecant(options) }
  if let decoder = shared[options.number] { return decoder }
  let decoder = makeDecant(options)
  shared[options.number] = decoder
  return decoder
}

private func tellFoundation<Value: Shaped>(_ type: Value.Type, _ json: String, _ options: Options)
  -> String
{
  let decoder = foundation[options.number] ?? makeFoundation(options)
  foundation[options.number] = decoder
  return tell(Result { try decoder.decode(Value.self, from: Data(json.utf8)) })
}

/// A class decodes through the metatype of its superclass, as in `decode(type(of: animal), from: …)`.
private func tellDecant<Value: Shaped>(
  _ type: Value.Type, _ json: String, _ options: Options, _ way: Int
) -> String {
  let decoder = decoder(options)
  if way == 3, let type = type as? Animal.Type {
    return tell(Result { try decoder.decode(type, from: json) })
  }
  if way == 2 {
    return tell(Result { try decoder.decode(Value.self, from: JSONValue(parsing: json)) })
  }
  return tell(Result { try decoder.decode(Value.self, from: json) })
}
