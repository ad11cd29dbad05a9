// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents, looked at from every side: whatever one accessor says, the others must agree with.

import DecantCodable
import DecantCore
import Glibc

/// Every value of a document, iteratively.
func forEachValue(in root: JSONValue, _ body: (JSONValue) -> Void) {
  var open = [root]
  while let value = open.popLast() {
    body(value)
    open += value.array ?? []
    open += (value.members ?? []).map(\.value)
  }
}

func fuzzDocument(_ bytes: UnsafeRawBufferPointer) {
  switch JSONValue.parse(bytes) {
  case .failure(let error): checkError(error, bytes.count)
  case .success(let value): forEachValue(in: value, checkValue)
  }
}

/// An error has a place inside the input, and a bounded text.
func checkError(_ error: DecodeError, _ length: Int) {
  if let location = error.location {
    require(location.offset <= length, "offset \(location.offset) of \(length)")
    require(location.line >= 1 && location.column >= 1, "\(location)")
  }
  let count = max(1, error.underlying.count + 1)
  require(error.description.utf8.count < 4_000 * count, "a text of \(error.description.utf8.count)")
}

private func checkValue(_ value: JSONValue) {
  switch value.kind {
  case .missing: require(false, "a value is missing")
  case .null: require(value.isNull && value.string == nil && value.int == nil, "null")
  case .bool: require(value.bool != nil && value.int == nil && value.double == nil, "bool")
  case .number: checkNumber(value)
  case .string:
    let text = value.string ?? ""
    require(value.string != nil && value.double == nil, "string")
    require(JSONValue(text).string?.utf8.elementsEqual(text.utf8) == true, "string round trip")
  case .array:
    let elements = value.array ?? []
    require(elements.count == value.count, "count")
    if let last = elements.last { require(value[elements.count - 1] == last, "last element") }
    require(!value[elements.count].exists && !value[-1].exists, "beyond the end")
  case .object:
    let members = value.members ?? []
    require(members.count == value.count, "count")
    for (key, _) in members.prefix(20) {
      // The first member whose key has these bytes: Strings are equal under canonical equivalence.
      let first = members.first { $0.key.utf8.elementsEqual(key.utf8) }
      require(first.map { $0.value == value[key] } == true, "look-up of \(key)")
    }
  }
}

private func checkNumber(_ value: JSONValue) {
  let text = value.numberText ?? ""
  let double = strtod(text, nil)
  let expected = double.isFinite ? double : nil
  require(value.double?.bitPattern == expected?.bitPattern, "\(text) is \(value.double ?? .nan)")
  if let int = value.int, let exact = Int(text) { require(int == exact, "\(text) is \(int)") }
  if !text.contains(where: { ".eE".contains($0) }) {
    require(value.int == Int(text), "\(text) is \(value.int ?? -1)")
    require((try? value.decode(UInt64.self)) == UInt64(text) || text.hasPrefix("-"), "\(text)")
    require((try? value.decode(Int8.self)) == Int8(text), "\(text)")
  }
}
