// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// JSON in a string, as logs have it:
//
//   {"time":1,"log":"{\"level\":\"info\",\"count\":3}"}

internal import CDecantIndex

extension JSONConversion where Value: JSONDecodable & SendableMetatype {
  /// A string whose text is a JSON document, as in many logs.
  ///
  ///     let entry = json.convert("log", using: JSONConversion<Entry>.embedded)
  ///     // 2:8: /log: in the inner document, 1:6: /a: expected an integer, found the string "x"
  ///
  /// The inner document is read with the engine and options of the outer one: its depth, size, duplicates and
  /// relaxations. Documents may be embedded in one another. Each level doubles the backslashes before a quotation mark, so
  /// a document of n bytes has at most log2(n) levels.
  ///
  /// - Complexity: linear in the text, which is unescaped into a string first.
  public static var embedded: JSONConversion { .embedded(.value) }
}

extension JSONConversion {
  /// A string whose text is a JSON document, which another conversion decodes.
  ///
  ///     json.convert("levels", using: .embedded(.array(of: .fromString)))
  public static func embedded(_ inner: JSONConversion) -> JSONConversion {
    JSONConversion { json in json.decodeEmbedded { inner.convert($0) } }
  }
}

extension JSON {
  /// Decodes the document that the string here spells.
  fileprivate func decodeEmbedded<Value>(_ body: (JSON) -> Decoded<Value>) -> Decoded<Value> {
    guard var text = seldomString else {
      return .failure(failure(.typeMismatch, expected: "a string of JSON"))
    }
    // SAFETY: the view's context outlives it; the text is in use during the call.
    let engine = unsafe DecodingOptions.Engine(table: context.pointee.engine)
    let rules = reference.rules
    let result = text.withUTF8 {
      unsafe reading(UnsafeRawBufferPointer($0), engine, rules, nil, body)
    }
    guard case .failure(let error) = result else { return result }
    return .failure(located(error, at: node))
  }
}

/// A model that is a string in its JSON: the string's text is the model's document.
///
///     struct Line: JSONDecodable, JSONWritable {
///       let log: JSONEmbedded<Entry>                 // {"log":"{\"level\":\"info\"}"}
///       …
///     }
///
/// It reads as ``JSONConversion/embedded`` does, and writes the same form.
public struct JSONEmbedded<Model> {
  /// The model.
  public var model: Model

  /// Wraps a model.
  public init(_ model: Model) { self.model = model }
}

extension JSONEmbedded: JSONDecodable where Model: JSONDecodable {
  /// The model of the document that a string spells.
  public static func decode(_ json: JSON) -> Decoded<JSONEmbedded> {
    json.decodeEmbedded { $0.decoded(Model.self) }.map { JSONEmbedded($0) }
  }
}

extension JSONEmbedded: JSONWritable where Model: JSONWritable {
  /// A string that spells the model's document, on one line. Values that JSON cannot express fail as they do outside.
  public func write(to json: inout JSONOutput) {
    do throws(JSONWritingError) {
      json.value(String(decoding: try model.checkedJSONBytes(), as: UTF8.self))
    } catch {
      json.value(model.jsonText())
      json.state.pointee.fail(error.code)
    }
  }
}

// MARK: - The way back

extension JSONInverse where Value: JSONWritable & SendableMetatype {
  /// A string that spells the value's document, as ``JSONEmbedded`` writes it.
  public static var embedded: JSONInverse { .embedded(.value) }
}

extension JSONInverse {
  /// A string that spells the document which another inverse writes.
  public static func embedded(_ inner: JSONInverse) -> JSONInverse {
    JSONInverse { JSONEmbedded(Inverted(value: $0, inverse: inner)).write(to: &$1) }
  }

  private struct Inverted: JSONWritable {
    let value: Value
    let inverse: JSONInverse

    func write(to json: inout JSONOutput) { inverse.write(value, to: &json) }
  }
}

extension JSONEmbedded: Equatable where Model: Equatable {}
extension JSONEmbedded: Hashable where Model: Hashable {}
extension JSONEmbedded: Sendable where Model: Sendable {}
