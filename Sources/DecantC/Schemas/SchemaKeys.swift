// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The words of descriptions, which decant.h explains: both reading and writing use them.

internal import CDecant
internal import DecantCore

/// The keys of a field's description.
enum SchemaKey: Int, CaseIterable {
  case key, pointer, kind, element, optional, byDefault, fromText, names, fields, capacity, counted
  case minimum, maximum, shortest, longest

  var name: StaticString {
    switch self {
    case .key: "key"
    case .pointer: "pointer"
    case .kind: "kind"
    case .element: "element"
    case .optional: "optional"
    case .byDefault: "default"
    case .fromText: "from_text"
    case .names: "names"
    case .fields: "fields"
    case .capacity: "capacity"
    case .counted: "counted"
    case .minimum: "minimum"
    case .maximum: "maximum"
    case .shortest: "shortest"
    case .longest: "longest"
    }
  }

  /// Whether the key says something about a field of a kind, whose elements are of the kind `content` if it is an array.
  func isKnown(to kind: FieldKind, of content: FieldKind) -> Bool {
    switch self {
    case .kind: true
    case .key, .pointer, .optional: kind != .key
    case .element: kind == .array || kind == .fixedArray
    case .byDefault: kind.canHaveDefault
    case .fromText, .minimum, .maximum: content.isNumber
    case .names: content == .name || content == .flags
    case .fields: content.isObject
    case .capacity: kind == .characters || kind == .fixedArray
    case .counted: kind == .fixedArray
    case .shortest, .longest:
      kind == .string || kind == .text || kind == .characters || kind.isCollection
    }
  }
}

extension FieldKind {
  /// What a description calls a kind.
  var word: StaticString {
    switch self {
    case .bool: "bool"
    case .int8: "int8"
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .uint8: "uint8"
    case .uint16: "uint16"
    case .uint32: "uint32"
    case .uint64: "uint64"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .text: "text"
    case .characters: "chars"
    case .name: "enum"
    case .flags: "flags"
    case .raw: "raw"
    case .kind: "kind"
    case .record: "record"
    case .recordPointer: "record_pointer"
    case .array: "array"
    case .fixedArray: "fixed_array"
    case .map: "map"
    case .key: "key"
    }
  }

  /// The number of decant.h.
  static func number(of word: Bytes) -> UInt16? {
    for number in UInt16(DECANT_BOOL)...UInt16(DECANT_KEY) {
      if let kind = FieldKind(number: number), kind.word.bytes == word { return number }
    }
    return nil
  }
}
