// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Containers that skip elements which do not decode, and report them. A value that is not an array or object is still an error.

internal import CDecantIndex

/// The elements of an array that decode, and a report of those that do not.
///
///     let page: LossyArray<Restaurant> = try json.get("results")
///     page.elements        // the good ones, in order
///     page.skipped         // [Skipped]: where, and why
public struct LossyArray<Element> {
  /// The elements that decode, in order.
  public let elements: [Element]
  /// The skipped ones, in order. All lossy containers of a document together report the first
  /// ``DecodingOptions/maximumErrors`` of them.
  public let skipped: [Skipped]
  /// How many were skipped, reported or not.
  public let skippedCount: Int

  /// An element that was skipped.
  public struct Skipped: Sendable {
    /// The place in the array, from 0.
    public let index: Int
    let kept: KeptError

    /// Why, with path and place in the document.
    public var error: DecodeError { kept.error }
  }
}

extension LossyArray: Sendable where Element: Sendable {}

/// The members of an object that decode, and a report of those that do not.
public struct LossyDictionary<Key: Hashable, Value> {
  /// The members that decode.
  public let elements: [Key: Value]
  /// The skipped ones, in order. All lossy containers of a document together report the first
  /// ``DecodingOptions/maximumErrors`` of them.
  public let skipped: [Skipped]
  /// How many were skipped, reported or not.
  public let skippedCount: Int

  /// A member that was skipped.
  public struct Skipped: Sendable {
    /// The member's key.
    public let key: String
    let kept: KeptError

    /// Why, with path and place in the document.
    public var error: DecodeError { kept.error }
  }
}

extension LossyDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension LossyArray: JSONDecodable where Element: JSONDecodable {
  /// An array; elements that fail are reported in ``skipped``.
  public static func decode(_ json: JSON) -> Decoded<LossyArray> {
    decode(json, by: Element.decode)
  }
}

extension LossyArray {
  /// The elements that `body` makes something of, in order, with a report of the others.
  package static func decode(
    _ json: JSON, by body: (JSON) -> Decoded<Element>
  ) -> Decoded<LossyArray> {
    guard json.kind == .array else {
      return .failure(json.failure(.typeMismatch, .array))
    }
    if !JSON.mayDescend(into: Element.self) { return .failure(json.stackIsFull()) }
    if !json.mayHold(json.count, of: Element.self) {
      return json.refusing { decode($0, by: body) }
    }
    var skipped: [Skipped] = []
    var report = SkipReport(in: json)
    let elements = json.convertElements(body) { index, child, error, before in
      if let error = report.add(error, at: child, step: .index(index), before) {
        skipped.append(Skipped(index: index, kept: error))
      }
    }
    return .success(
      LossyArray(elements: elements, skipped: skipped, skippedCount: report.count))
  }
}

extension LossyDictionary: JSONDecodable where Key: JSONObjectKey, Value: JSONDecodable {
  /// An object; members that fail are reported in ``skipped``. ``DecodingOptions/duplicateKeys``
  /// chooses among members with the same key before they are decoded.
  public static func decode(_ json: JSON) -> Decoded<LossyDictionary> {
    decode(json) { _, child in Value.decode(child) }
  }
}

extension LossyDictionary where Key: JSONObjectKey {
  /// The members that `body` makes something of, with a report of the others.
  package static func decode(
    _ json: JSON, by body: (_ name: String, _ child: JSON) -> Decoded<Value>
  ) -> Decoded<LossyDictionary> {
    guard json.kind == .object else {
      return .failure(json.failure(.typeMismatch, .object))
    }
    if !JSON.mayDescend(into: Value.self) { return .failure(json.stackIsFull()) }
    if !json.mayHold(json.count, of: (Key, Value).self) {
      return json.refusing { decode($0, by: body) }
    }
    var elements = [Key: Value]()
    var skipped: [Skipped] = []
    var report = SkipReport(in: json)
    elements.decodeMembers(of: json, from: ChildCursor(seldom: json), nil, by: body) {
      name, child, error, before in
      // If a bad key occurs twice, the member that counts is reported.
      if error.storage.isAboutKey, json.member(name) != child.node { return true }
      if let error = report.add(error, at: child, step: .key(name), before) {
        skipped.append(Skipped(key: name, kept: error))
      }
      return true
    }
    return .success(
      LossyDictionary(elements: elements, skipped: skipped, skippedCount: report.count))
  }
}

// MARK: - From other decoders

extension LossyArray {
  /// The result of another decoder: elements, and the errors of those that failed.
  package init(_ elements: [Element], _ failures: [(index: Int, error: DecodeError)]) {
    self.elements = elements
    skipped = failures.prefix(DecodingOptions().maximumErrors).map {
      Skipped(index: $0.index, kept: KeptError(settled: $0.error))
    }
    skippedCount = failures.count
  }
}

extension LossyDictionary {
  /// The result of another decoder: members, and the errors of those that failed.
  package init(_ elements: [Key: Value], _ failures: [(key: String, error: DecodeError)]) {
    self.elements = elements
    skipped = failures.prefix(DecodingOptions().maximumErrors).map {
      Skipped(key: $0.key, kept: KeptError(settled: $0.error))
    }
    skippedCount = failures.count
  }
}

extension JSONConversion {
  /// An array; elements that cannot be converted are skipped and reported.
  public static func lossyArray<Element>(of element: JSONConversion<Element>) -> JSONConversion
  where Value == LossyArray<Element> {
    JSONConversion { LossyArray.decode($0, by: element.convert) }
  }
}

/// Errors that stay in a model. The document counts them.
private struct SkipReport: ~Escapable {
  let container: JSON
  var count = 0

  @_lifetime(copy container)
  init(in container: JSON) { self.container = container }

  /// The error as the report has it; nil if the document has as many as it takes.
  /// - Parameter before: how many there were before the child was decoded: what its parts have kept went with it.
  mutating func add(
    _ error: DecodeError, at child: JSON, step: JSONPointer.Token, _ before: Int
  ) -> KeptError? {
    count += 1
    container.noteChild(step, at: child, .skipped)
    let context = container.reference
    let space = context.errorLimit - before
    guard space > 0 else {
      context.setKeptErrors(before)
      return nil
    }
    let placed = container.placed(error, ofElement: child.node, step).limited(to: space)
    context.setKeptErrors(before + placed.parts.count)
    return KeptError(placed, in: context)
  }
}
