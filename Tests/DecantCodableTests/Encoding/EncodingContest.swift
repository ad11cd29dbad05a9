// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One value through `JSONEncoder` and `DecantEncoder`, with sorted keys and every layout: the bytes are the same,
// or the error's value and path are.

import Decant
import DecantFoundation
import Foundation

/// Options that both encoders have.
struct EncodingOptions: Sendable {
  var snakes = false
  var names: (@Sendable ([any CodingKey]) -> any CodingKey)?
  var floats: [String]?
  var dates = 0
  var data = 0

  /// Every strategy, one after the other.
  static let all: [EncodingOptions] =
    plain + [EncodingOptions(dates: 5)] + (2...3).map { EncodingOptions(data: $0) }

  /// Without functions that ask for a container. In `JSONEncoder`, those stop the program when the value is in a
  /// single-value container.
  static let plain: [EncodingOptions] =
    [
      EncodingOptions(), EncodingOptions(snakes: true),
      EncodingOptions(names: { AnyKey("\($0.last?.stringValue ?? "")/") }),
      EncodingOptions(floats: ["+/", "-inf", "\"nan\""]), EncodingOptions(data: 1),
    ] + (1...4).map { EncodingOptions(dates: $0) }

  func foundation(_ format: UInt) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .init(rawValue: format)]
    if snakes { encoder.keyEncodingStrategy = .convertToSnakeCase }
    if let names { encoder.keyEncodingStrategy = .custom(names) }
    if let floats {
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: floats[0], negativeInfinity: floats[1], nan: floats[2])
    }
    encoder.dateEncodingStrategy =
      switch dates {
      case 1: .secondsSince1970
      case 2: .millisecondsSince1970
      case 3: .iso8601
      case 4: .formatted(formatter)
      case 5: .custom(encodeDate)
      default: .deferredToDate
      }
    encoder.dataEncodingStrategy =
      switch data {
      case 1: .deferredToData
      case 2: .custom(encodeData)
      case 3: .custom { _, _ in }
      default: .base64
      }
    return encoder
  }

  func decant(_ format: UInt) -> DecantEncoder {
    let encoder = DecantEncoder()
    encoder.outputFormatting = [.sortedKeys, .init(rawValue: format)]
    if snakes { encoder.keyEncodingStrategy = .convertToSnakeCase }
    if let names { encoder.keyEncodingStrategy = .custom(names) }
    if let floats {
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: floats[0], negativeInfinity: floats[1], nan: floats[2])
    }
    encoder.dateEncodingStrategy =
      switch dates {
      case 1: .secondsSince1970
      case 2: .millisecondsSince1970
      case 3: .iso8601
      case 4: .formatted(formatter)
      case 5: .custom(encodeDate)
      default: .deferredToDate
      }
    encoder.dataEncodingStrategy =
      switch data {
      case 1: .deferredToData
      case 2: .custom(encodeData)
      case 3: .custom { _, _ in }
      default: .base64
      }
    return encoder
  }

  private var formatter: DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy/MM/dd"
    return formatter
  }
}

@Sendable private func encodeDate(_ date: Date, _ encoder: any Encoder) throws {
  var container = encoder.container(keyedBy: AnyKey.self)
  try container.encode(date.timeIntervalSince1970, forKey: AnyKey("seconds"))
}

@Sendable private func encodeData(_ data: Data, _ encoder: any Encoder) throws {
  guard !data.isEmpty else { throw CocoaError(.coderInvalidValue) }
  var container = encoder.unkeyedContainer()
  try container.encode(data.count)
}

struct AnyKey: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// What became of a value.
private enum EncodingOutcome: Equatable {
  case text(String)
  case failure(kind: String, path: [String])

  init(_ body: () throws -> Data) {
    do {
      self = .text(String(decoding: try body(), as: UTF8.self))
    } catch EncodingError.invalidValue(let value, let context) {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      self = .failure(kind: "\(type(of: value))", path: path)
    } catch {
      self = .failure(kind: "\(type(of: error))", path: [])
    }
  }

  func agrees(with other: EncodingOutcome, _ comparison: ErrorComparison) -> Bool {
    guard case .failure(let kind, let path) = self,
      case .failure(let otherKind, let otherPath) = other
    else { return self == other }
    switch comparison {
    case .kindAndPath: return kind == otherKind && path == otherPath
    case .kindAndShorterPath:
      var rest = path[...]
      let isShorter = otherPath.allSatisfy { step in
        guard let place = rest.firstIndex(of: step) else { return false }
        rest = rest[(place + 1)...]
        return true
      }
      return kind == otherKind && isShorter
    case .none: return true
    }
  }
}

/// What of two errors has to be equal.
enum ErrorComparison {
  case kindAndPath
  /// In `JSONEncoder`, the steps into nested containers and super encoders may be missing.
  case kindAndShorterPath
  /// A value that may fail in several places.
  case none
}

/// Nil if both encoders agree about a value, and what they say otherwise.
func difference(
  _ value: some Encodable, _ options: EncodingOptions = EncodingOptions(),
  errors: ErrorComparison = .kindAndPath
) -> String? {
  for format in [0, 1, 8, 9] as [UInt] {
    let expected = EncodingOutcome { try options.foundation(format).encode(value) }
    let encoder = options.decant(format)
    // The second time, the encoder has what it kept.
    for _ in 0..<2 {
      let found = EncodingOutcome { try encoder.encode(value) }
      if !found.agrees(with: expected, errors) {
        return "JSONEncoder: \(expected)\nDecant: \(found)"
      }
    }
  }
  return nil
}
