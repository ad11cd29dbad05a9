// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The words of descriptions, which decant.h explains: both reading and writing use them.

internal import CDecant
internal import DecantCore

/// The keys of a field's description.
enum SchemaKey: Int, CaseIterable {
  case key, pointer, kind, element, optional, byDefault, fromText, names, fields, capacity, counted
  case minimum, maximum, shortest, longest, column, nullElements
  case unit, epoch
  case closed, embedded
  case asText, zoneless, zone, nullTexts
  case otherKeys, anyCase, integral
  case precision, scale
  case leaveOut, rest

  private static let words: [StaticString] = [
    "key", "pointer", "kind", "element", "optional", "default", "from_text", "names", "fields",
    "capacity", "counted", "minimum", "maximum", "shortest", "longest", "column",
    "null_elements", "unit", "epoch", "closed", "embedded",
    "as_text", "zoneless", "zone", "null_texts", "other_keys", "any_case", "integral",
    "precision", "scale", "leave_out", "rest",
  ]

  var name: StaticString { Self.words[rawValue] }

  /// Whether the key says something about a field of a kind, whose elements are of the kind `content` if it is an array.
  func isKnown(to kind: FieldKind, of content: FieldKind) -> Bool {
    switch self {
    case .kind: true
    case .key, .pointer, .optional, .column, .embedded, .nullTexts, .otherKeys: kind != .key
    case .element, .nullElements: kind == .array || kind == .fixedArray
    case .byDefault: kind.canHaveDefault
    case .fromText: content.isNumber || content == .decimal
    case .minimum, .maximum: content.isNumber || content.hasUnits
    case .precision: kind == .decimal
    case .scale: content == .decimal
    case .unit, .epoch, .zoneless, .zone: content == .time
    case .asText: content.isString
    case .names: content == .name || content == .flags
    case .fields, .closed, .anyCase: content.isObject
    case .integral: content.isInteger || content == .time
    case .capacity: kind == .characters || kind == .fixedArray || kind == .fixedBase64
    case .counted: kind == .fixedArray
    case .leaveOut: kind.isCollection
    case .rest: kind == .raw || kind == .map
    case .shortest, .longest:
      kind == .string || kind == .text || kind == .characters || kind.isCollection
    }
  }
}

extension FieldKind {
  /// The word for a kind in descriptions.
  var word: StaticString { Self.words[Int(ordinal)] }

  private static let words: [StaticString] = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float",
    "double", "string", "text", "chars", "enum", "flags", "raw", "kind", "record",
    "record_pointer", "array", "fixed_array", "map", "key", "time", "date", "union",
    "decimal", "uuid", "base64", "fixed_base64", "converted",
  ]

  /// The error for another word.
  static var expectation: StaticString {
    """
    is not a kind of field; the kinds are bool, int8, int16, int32, int64, \
    uint8, uint16, uint32, uint64, float, double, string, text, chars, enum, flags, raw, kind, record, record_pointer, array, fixed_array, map, key, time, \
    date, decimal, uuid, base64 and fixed_base64
    """
  }

  /// The number of decant.h.
  static func number(of word: Bytes) -> UInt16? {
    for number in UInt16(DECANT_BOOL)...UInt16(DECANT_FIXED_BASE64) {
      // A union has no description.
      if let kind = FieldKind(number: number), kind != .union, kind.word.bytes == word {
        return number
      }
    }
    return nil
  }
}
