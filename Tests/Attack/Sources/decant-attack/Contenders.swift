// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Who answers. Every answer is a verdict and a number that depends on the work, so that none is left out.

import CJansson
import CUses
import Decant
import DecantJansson
import Foundation

struct Answer {
  var isAccepted: Bool
  var check = 0
}

/// Nil where the contender has nothing like the question.
typealias Contender = @Sendable (Question, [UInt8]) -> Answer?

let contenders: [(name: String, ask: Contender)] = [
  ("native", { askDecant($0, $1, .native) }),
  ("jansson", { askDecant($0, $1, .jansson) }),
  ("foundation", askFoundation),
  ("libjansson", askLibjansson),
  ("nobody", { _, bytes in Answer(isAccepted: false, check: bytes.count) }),
]

// MARK: - Decant

private struct Anything: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Anything> { .success(Anything()) }
}

/// Looks the wanted keys up.
private struct Wanted: JSONDecodable {
  let found: Int
  static func decode(_ json: JSON) -> Decoded<Wanted> {
    var found = 0
    for key in wantedKeys { found += json.contains(JSONKey(key)) ? 1 : 0 }
    return .success(Wanted(found: found))
  }
}

/// A model that `{}` is, and takes four kilobytes.
private struct Large: JSONDecodable {
  typealias Part = SIMD64<UInt64>
  var id: Int?
  var parts: (Part?, Part?, Part?, Part?, Part?, Part?, Part?)

  static func decode(_ json: JSON) -> Decoded<Large> {
    json.decodeIfPresent("id").map { Large(id: $0, parts: (nil, nil, nil, nil, nil, nil, nil)) }
  }
}

private func askDecant(_ question: Question, _ bytes: [UInt8], _ engine: DecodingOptions.Engine)
  -> Answer?
{
  var options = DecodingOptions(
    engine: engine, maximumDepth: .max, duplicateKeys: engine == .native ? .first : .last)
  switch question {
  case .read: return answer(Anything.decode(from: bytes, options: options)) { _ in 1 }
  case .readStrictly:
    options.maximumDepth = 512
    return answer(Anything.decode(from: bytes, options: options)) { _ in 1 }
  case .numbers: return answer([Double].decode(from: bytes, options: options)) { $0.count }
  case .string: return answer(String.decode(from: bytes, options: options)) { $0.utf8.count }
  case .lookUp, .lookUpEvery:
    return answer(Wanted.decode(from: bytes, options: options)) { $0.found }
  case .refuseDuplicates:
    options.duplicateKeys = .reject
    return answer(Anything.decode(from: bytes, options: options)) { _ in 1 }
  case .wrongModel:
    let result = [Int].decode(from: bytes, options: options)
    return Answer(isAccepted: result.value != nil, check: result.error?.description.count ?? 0)
  case .largeModel:
    return answer([Large].decode(from: bytes, options: options)) { $0.count }
  case .largeStruct:
    let found = bytes.withUnsafeBytes {
      use_in_c(
        CInt(USE_DECODE_ARRAY_LARGE), $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count,
        engine == .native ? 0 : 1)
    }
    return Answer(isAccepted: found == 0, check: found)
  case .keep:
    return answer(JSONValue.parse(bytes, options: options)) { value in
      let isEqual = value == (try? JSONValue(parsing: bytes, options: options))
      var hasher = Hasher()
      value.hash(into: &hasher)
      return (isEqual ? 1 : 0) + value.jsonBytes(JSONWritingOptions(maximumDepth: .max)).count
        + (hasher.finalize() == 0 ? 1 : 0)
    }
  }
}

private func answer<Model>(_ result: Decoded<Model>, _ check: (Model) -> Int) -> Answer {
  switch result {
  case .success(let model): Answer(isAccepted: true, check: check(model))
  case .failure: Answer(isAccepted: false)
  }
}

// MARK: - Foundation

private func askFoundation(_ question: Question, _ bytes: [UInt8]) -> Answer? {
  let data = Data(bytes)
  switch question {
  case .refuseDuplicates, .keep, .largeModel, .largeStruct: return nil
  case .numbers: return decode([Double].self, data) { $0.count }
  case .string: return decode(String.self, data) { $0.utf8.count }
  case .wrongModel: return decode([Int].self, data) { $0.count }
  case .lookUp, .lookUpEvery:
    return decode([String: Int].self, data) { members in
      wantedKeys.reduce(0) { $0 + (members[$1] ?? 0) }
    }
  case .read, .readStrictly:
    let tree = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    return Answer(isAccepted: tree != nil, check: 1)
  }
}

private func decode<Model: Decodable>(
  _ type: Model.Type, _ data: Data, _ check: (Model) -> Int
) -> Answer {
  guard let model = try? JSONDecoder().decode(type, from: data) else {
    return Answer(isAccepted: false)
  }
  return Answer(isAccepted: true, check: check(model))
}

// MARK: - libjansson

private func askLibjansson(_ question: Question, _ bytes: [UInt8]) -> Answer? {
  switch question {
  case .keep, .wrongModel, .largeModel, .largeStruct: return nil
  default: break
  }
  var flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
  if question == .refuseDuplicates { flags |= Int(JSON_REJECT_DUPLICATES) }
  let tree = bytes.withUnsafeBytes {
    json_loadb($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count, flags, nil)
  }
  guard let tree else { return Answer(isAccepted: false) }
  defer { json_decref(tree) }
  var check = 0
  if question == .lookUp || question == .lookUpEvery {
    for key in wantedKeys { check += json_object_get(tree, key) == nil ? 0 : 1 }
  }
  return Answer(isAccepted: true, check: check + json_array_size(tree))
}
