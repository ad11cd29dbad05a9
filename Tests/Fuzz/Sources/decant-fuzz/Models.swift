// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The pipeline with generated models: the first bytes of the input, up to a NUL, are a recipe of which
// verbs a model asks with for what; the rest is the document. What counts is that nothing traps, that
// an error has a place and a text, and that the scoped form and the owned form say the same.

import DecantCodable
import DecantCore

func fuzzModels(_ bytes: UnsafeRawBufferPointer) {
  let recipe = Array(bytes.prefix(24).prefix { $0 != 0 })
  let document = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(recipe.count + 1))
  GeneratedModel.recipe = recipe
  let scoped = describe(GeneratedModel.decode(from: document), document.count)
  let owned = describe(
    JSONValue.parse(document).flatMap { $0.decoded(GeneratedModel.self) }, document.count)
  require(scoped == owned, "scoped: \(scoped)\nowned: \(owned)")
}

private func describe(_ result: Decoded<GeneratedModel>, _ length: Int) -> String {
  switch result {
  case .success(let model): return model.text
  case .failure(let error):
    checkError(error, length)
    for single in error.underlying { checkError(single, length) }
    return error.description
  }
}

private enum Letter: String, JSONDecodable { case a, b, ab, empty = "" }

/// A model whose fields are its recipe.
private struct GeneratedModel: JSONDecodable {
  nonisolated(unsafe) static var recipe: [UInt8] = []
  var text: String

  static func decode(_ json: JSON) -> Decoded<GeneratedModel> { fields(json, 0) }

  private static let keys: [JSONKey] = [
    "a", "b", "id", "", "k0", ["a", "b"], ["a", 0], [0, "a"], "name", "\u{e9}",
    JSONKey(0), JSONKey(2),
  ]

  private static func fields(_ json: JSON, _ level: Int) -> Decoded<GeneratedModel> {
    var result = Decoded<GeneratedModel>.success(GeneratedModel(text: ""))
    for step in recipe {
      let key = keys[Int(step >> 4) % keys.count]
      let field = field(json, Int(step & 15), key, level)
      result = build({ GeneratedModel(text: $0.text + "," + $1) }, result, field)
    }
    return result
  }

  private static func field(_ json: JSON, _ verb: Int, _ key: JSONKey, _ level: Int)
    -> Decoded<String>
  {
    switch verb {
    case 0: json.decode(key, as: Int.self).map { "\($0)" }
    case 1: json.decode(key, as: String.self).map { "\($0)" }
    case 2: json.decodeIfPresent(key, as: Double.self).map { "\(String(describing: $0))" }
    case 3: json.decode(key, as: [Int].self).map { "\($0)" }
    case 4: json.decode(key, as: [[Double]].self).map { "\($0)" }
    case 5: json.decode(key, as: [String: String].self).map { "\($0.count)" }
    case 6: json.decode(key, as: Letter.self).map { "\($0)" }
    case 7: json.decode(key, as: JSONValue.self).map { "\($0.jsonText())" }
    case 8: json.decode(key, default: false).map { "\($0)" }
    case 9: json.decode(pointer: "/a/0/b", as: UInt8.self).map { "\($0)" }
    case 10: json.decode(key, as: [Int8?].self).map { "\($0)" }
    case 11: json.decode(key, as: Set<String>.self).map { "\($0.count)" }
    case 12: .success("\(json[key]["x"][1].string ?? "none") \(json[key].kind) \(json.keys.count)")
    case 13: json.decode(key, as: Float.self).map { "\($0)" }
    case 14 where level < 3:
      // In the scoped form the kept value is a document of its own: places differ, verdicts do not.
      json.decode(key, as: JSONValue.self).map { value in
        (try? value.outcome { fields($0, level + 1) }.get().text) ?? "failed"
      }
    default: json.decode(key, as: Int128.self).map { "\($0)" }
    }
  }
}
