// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Both engines over one document: the same verdict and the same values, but for the closed list of
// differences (EngineDifferences in the documentation).

import DecantCodable
import DecantCore
import DecantJansson

func fuzzEngines(_ bytes: UnsafeRawBufferPointer) {
  let last = DecodingOptions(duplicateKeys: .last)
  var jansson = last
  jansson.engine = .jansson
  let native = JSONValue.parse(bytes, options: last)
  let second = JSONValue.parse(bytes, options: jansson)
  switch (native, second) {
  case (.success(let one), .success(let other)): compare(one, other)
  case (.failure(let error), .success): require(false, "only the native engine refuses: \(error)")
  case (.success(let value), .failure(let error)):
    require(isListed(error.code, value), "only libjansson refuses: \(error)")
  case (.failure(let one), .failure(let other)):
    let limits: [DecodeError.Code] = [.emptyInput, .tooDeep, .byteOrderMark]
    if limits.contains(one.code) || limits.contains(other.code) {
      let agree = one.code == other.code || one.code.category == .syntax
      require(agree, "\(one.code) and \(other.code)")
    }
  }
  fuzzRejection(bytes)
}

/// Under `reject`, both engines find duplicates in the same documents.
private func fuzzRejection(_ bytes: UnsafeRawBufferPointer) {
  let reject = DecodingOptions(duplicateKeys: .reject)
  var jansson = reject
  jansson.engine = .jansson
  let native = JSONValue.parse(bytes, options: reject).error
  let second = JSONValue.parse(bytes, options: jansson).error
  if native == nil, second?.code == .duplicateKey { fatalError("only libjansson finds one") }
  if native?.code == .duplicateKey, second == nil { fatalError("only the native engine finds one") }
}

/// Refusals that only libjansson makes: integers beyond Int64, reals beyond Double, NUL in a key.
private func isListed(_ code: DecodeError.Code, _ value: JSONValue) -> Bool {
  var isListed = false
  forEachValue(in: value) { part in
    if let text = part.numberText {
      let isReal = text.contains(where: { ".eE".contains($0) })
      isListed = isListed || (isReal ? part.double == nil : Int(text) == nil)
    }
    isListed = isListed || (part.members ?? []).contains { $0.key.utf8.contains(0) }
  }
  return isListed
}

private func compare(_ native: JSONValue, _ jansson: JSONValue) {
  var pairs = [(native, jansson)]
  while let (one, other) = pairs.popLast() {
    require(one.kind == other.kind, "\(one.kind) and \(other.kind)")
    switch one.kind {
    case .missing, .null: break
    case .bool: require(one.bool == other.bool, "bool")
    case .string:
      let (text, second) = (one.string ?? "", other.string ?? "")
      require(text.utf8.elementsEqual(second.utf8), "\(one.text()) and \(other.text())")
    case .number:
      // libjansson reads -0 as an integer, which has no sign.
      require(one.double == other.double, "\(one) and \(other)")
      if !(one.numberText ?? "").contains(where: { ".eE".contains($0) }) {
        require(one.int == other.int, "\(one) and \(other)")
      }
    case .array:
      require(one.count == other.count, "count")
      pairs += zip(one.array ?? [], other.array ?? [])
    case .object:
      let (ours, theirs) = (lastMembers(one), lastMembers(other))
      require(ours.count == theirs.count, "members")
      for (key, value) in ours {
        guard let second = theirs[key] else { fatalError("a key is missing") }
        pairs.append((value, second))
      }
    }
  }
}

private func lastMembers(_ value: JSONValue) -> [[UInt8]: JSONValue] {
  Dictionary((value.members ?? []).map { (Array($0.key.utf8), $0.value) }) { $1 }
}
