// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The owner: a reference to an immutable document and a node in it. There is one representation, whether
// the value was parsed, taken out of a model's input, or written as a literal (whose text is written and
// indexed). So nothing is nested, and freeing, copying and comparing never recurse.

package import CDecantIndex

/// A JSON value that can be kept: stored, sent, compared, hashed, iterated, written back.
///
///     let value = try JSONValue(parsing: bytes)
///     value["user"]["name"].string            // String?
///     value["ids"][0].int                     // Int?
///     for element in value["users"].array ?? [] { … }
///     try value["user"].decode(User.self)
///
/// A look-up that finds nothing gives a value of kind ``JSONKind/missing``. Its accessors are nil, and decoding it
/// fails with an error that names the missing value.
///
/// A value keeps its whole document alive, and so does an error about it. Such an error is resolved when it is read,
/// so failed look-ups and decodes cost no more than successful ones. Reading n errors one by one takes time linear in
/// n and in the document.
public struct JSONValue: Sendable {
  package let document: Document
  let node: UInt64

  init(_ document: Document, _ node: UInt64) {
    self.document = document
    self.node = node
  }

  /// Parses a document. The value keeps a copy of the bytes.
  ///
  /// - Complexity: linear in the bytes; one copy of them and an index of 8 bytes a value.
  public init(
    parsing bytes: borrowing some JSONBytes & ~Escapable,
    options: DecodingOptions = DecodingOptions()
  ) throws(DecodeError) {
    self = try JSONValue.parse(bytes, options: options).get()
  }

  /// ``init(parsing:options:)`` as a value.
  public static func parse(
    _ bytes: borrowing some JSONBytes & ~Escapable, options: DecodingOptions = DecodingOptions()
  ) -> Decoded<JSONValue> {
    unsafe bytes.withJSONBytes { unsafe parse($0, options, from: nil) }
  }

  /// Parses a document that begins at `start` of its stream.
  @inline(never)
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions,
    from start: UnsafePointer<decant_start>?
  ) -> Decoded<JSONValue> {
    var failure: DecodeError?
    let document = unsafe Document(bytes, options, from: start) { context, code in
      failure = DecodeError(reading: context, code: code, options.sourceName)
    }
    if let failure { return .failure(failure) }
    return .success(JSONValue(document, unsafe document.context.pointee.root))
  }

  /// The value of a tree that an engine already has.
  package init(adopting document: Document) {
    self.init(document, unsafe document.context.pointee.root)
  }

  /// A missing value: the result of a look-up that found nothing.
  init(absence: DecodeError) {
    self.init(MissingDocument(absence), DECANT_NODE_MISSING)
  }
}

/// The document of a value whose look-up found nothing: the error of the look-up.
private final class MissingDocument: Document, @unchecked Sendable {
  let error: DecodeError

  init(_ error: DecodeError) {
    self.error = error
    super.init()
  }
}

extension Document {
  /// Why the value is missing; nil for a document.
  fileprivate var absence: DecodeError? {
    // SAFETY: a context whose root is missing is a MissingDocument's.
    guard unsafe context.pointee.root == DECANT_NODE_MISSING else { return nil }
    return unsafe unsafeDowncast(self, to: MissingDocument.self).error
  }
}

// MARK: - Views

extension JSONValue {
  /// The view of this value, while the value is borrowed.
  ///
  /// Threads may share the value, so the view does not count errors and memory: each array or object that is decoded
  /// from it counts for itself (``DecodingOptions/maximumErrors``, ``DecodingOptions/maximumMemory``). If a model has
  /// several lists, ``decode(_:)-method`` and ``withView(_:)`` count for all of them.
  public var view: JSON {
    @_lifetime(borrow self)
    get { document.reference.view(node) }
  }

  /// Calls `body` with the view of this value; for values in class properties and containers.
  /// Missing views inside remember what was missing, which those of ``view`` cannot. A ``DecodeError`` that `body`
  /// throws arrives with its path, place and text.
  public func withView<Result, Failure>(
    _ body: (JSON) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A context of this call's own: the document's is shared, and records no misses.
    var misses = decant_misses()
    // SAFETY: document, context and misses outlive the call, and the view cannot.
    defer { withExtendedLifetime(document) {} }
    return try unsafe withUnsafeMutablePointer(to: &misses) { misses throws(Failure) in
      var context = unsafe document.counting(misses)
      return try unsafe withUnsafePointer(to: &context) { context throws(Failure) in
        let json = unsafe JSON(context: context, node: node)
        do throws(Failure) { return try body(json) } catch { throw leaving(error, json) }
      }
    }
  }

  /// An error of a body that looked into the value, as the caller gets it.
  private func leaving<Failure>(_ error: Failure, _ json: JSON) -> Failure {
    #if !hasFeature(Embedded)
      if let decodeError = error as? DecodeError, let left = resolved(decodeError, json) as? Failure
      {
        return left
      }
    #endif
    return error
  }

  /// `withView` for what asks one thing.
  func looking<Result>(_ body: (JSON) -> Result) -> Result {
    // SAFETY: the document outlives the call.
    defer { withExtendedLifetime(document) {} }
    return body(document.reference.view(node))
  }
}

// MARK: - Looking into it

extension JSONValue {
  /// The value at a key, an index or a path; of kind `missing` if no value is there.
  ///
  /// - Complexity: as for ``JSON``: a loop over all keys or all indices, in any order, is linear in the container.
  public subscript(key: JSONKey) -> JSONValue {
    if document.absence != nil { return self }
    return looking { json in
      let node = json.node(at: key)
      if node != DECANT_NODE_NONE { return JSONValue(document, node) }
      return JSONValue(absence: resolved(json.absence(of: key), json))
    }
  }

  /// The value at a key known at run time.
  @_disfavoredOverload
  public subscript(name: String) -> JSONValue { self[JSONKey(name)] }

  /// The element at a place known at run time.
  @_disfavoredOverload
  public subscript(index: Int) -> JSONValue { self[JSONKey(index)] }

  /// The value at an RFC 6901 pointer; of kind `missing` if no value is there.
  public subscript(pointer pointer: JSONPointer) -> JSONValue {
    if document.absence != nil { return self }
    return looking { json in
      switch json.key(of: pointer) {
      case .success(let key): self[key]
      case .failure(let error): JSONValue(absence: resolved(error, json))
      }
    }
  }

  /// Whether there is a member, element or path of this name; `null` counts.
  public func contains(_ key: JSONKey) -> Bool { looking { $0.contains(key) } }

  /// The kind of this value.
  public var kind: JSONKind { looking { $0.kind } }

  /// False for the result of a look-up that found nothing.
  public var exists: Bool { kind != .missing }

  /// Why this value is missing; nil if it is not.
  public var error: DecodeError? { document.absence }

  /// True for `null`; false for every other value, and for a missing one.
  public var isNull: Bool { looking { $0.isNull } }

  /// The number of elements or members; 0 for other kinds.
  ///
  /// - Complexity: constant for arrays; linear in the members for native objects.
  public var count: Int { looking { $0.count } }

  /// The string, or nil for other kinds.
  public var string: String? { looking { $0.string } }

  /// The integer, exactly, or nil: for other kinds, fractions, and beyond Int's range.
  public var int: Int? { looking { $0.int } }

  /// The number, correctly rounded, or nil for other kinds.
  public var double: Double? { looking { $0.double } }

  /// The boolean, or nil for other kinds: a number is not a boolean.
  public var bool: Bool? { looking { $0.bool } }

  /// The number as the document spells it, or nil for other kinds.
  public var numberText: String? { kind == .number ? looking { $0.numberText } : nil }

  /// The elements, in order, or nil for other kinds.
  public var array: [JSONValue]? {
    guard kind == .array else { return nil }
    return looking { json in
      var values: [JSONValue] = []
      values.reserveCapacity(json.count)
      json.forEach { values.append(JSONValue(document, $0.node)) }
      return values
    }
  }

  /// The members in document order, duplicates included, or nil for other kinds.
  public var members: [(key: String, value: JSONValue)]? {
    guard kind == .object else { return nil }
    return looking { json in
      var members: [(key: String, value: JSONValue)] = []
      json.forEachMember { members.append(($0, JSONValue(document, $1.node))) }
      return members
    }
  }

  /// The members as a dictionary, one a key by the document's rule for duplicates, or nil for other
  /// kinds.
  @_alwaysEmitIntoClient
  public var object: [String: JSONValue]? {
    guard let members else { return nil }
    let keepsLast = keepsLastDuplicate
    var object = [String: JSONValue]()
    for (key, value) in members where keepsLast || object[key] == nil { object[key] = value }
    return object
  }

  @usableFromInline
  var keepsLastDuplicate: Bool { looking { $0.keepsLastDuplicate } }

  /// The value by its kind, to match on.
  ///
  ///     for case .string(let text) in value.array?.map(\.content) ?? [] { … }
  public var content: Content {
    switch kind {
    case .missing: .missing
    case .null: .null
    case .bool: .bool(looking { $0.isTrue })
    case .number: .number(looking { $0.numberText })
    case .string: .string(string ?? "")
    case .array: .array(array ?? [])
    case .object: .object(members ?? [])
    }
  }

  /// A value by its kind.
  public enum Content: Sendable {
    case missing
    case null
    case bool(Bool)
    /// As the document spells it, such as `1.50`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])
  }
}

// MARK: - Decoding

extension JSONValue {
  /// Decodes a model, or throws.
  @_alwaysEmitIntoClient
  public func decode<Model: JSONDecodable>(_ type: Model.Type = Model.self) throws(DecodeError)
    -> Model
  { try decoded(type).get() }

  /// Decodes the value at a key, an index or a path, or throws.
  @_alwaysEmitIntoClient
  public func decode<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model {
    try outcome { $0.decode(key) }.get()
  }

  /// Decodes the value at an RFC 6901 pointer, or throws.
  @_alwaysEmitIntoClient
  public func decode<Model: JSONDecodable>(
    pointer: JSONPointer, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model {
    try outcome { $0.decode(pointer: pointer) }.get()
  }

  /// Decodes the value at a key, or throws; absent or `null` is nil.
  @_alwaysEmitIntoClient
  public func decodeIfPresent<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model? {
    try outcome { $0.decodeIfPresent(key) }.get()
  }

  /// Decodes a model, as a value.
  @_alwaysEmitIntoClient
  public func decoded<Model: JSONDecodable>(_ type: Model.Type = Model.self) -> Decoded<Model> {
    outcome(Model.decode)
  }

  /// Returns the result of a function of this value's view. An error has its place in the document, and can outlive the view.
  @_alwaysEmitIntoClient
  public func outcome<Model>(_ body: (JSON) -> Decoded<Model>) -> Decoded<Model> {
    withView { json in
      let result = body(json)
      if case .failure(let error) = result { return .failure(resolved(error, json)) }
      return result
    }
  }

  @usableFromInline @inline(never)
  internal func resolved(_ error: DecodeError, _ json: JSON) -> DecodeError {
    if let absence = document.absence { return absence }
    let isRoot = unsafe node == document.context.pointee.root
    let located = isRoot ? error : json.located(error, at: node)
    return located.resolved(in: document.reference, document.options.sourceName)
  }
}

extension JSONValue: JSONDecodable {
  /// The value unchanged. Decoded from another ``JSONValue``, it shares that value's document; decoded from borrowed
  /// bytes, it copies its own part. If the copies of a document exceed four times its bytes, as in nested models that
  /// each keep their own JSON, further values share one copy of the whole document.
  public static func decode(_ json: JSON) -> Decoded<JSONValue> {
    guard json.exists else { return .failure(json.failure(.missingKey, expected: nil)) }
    // SAFETY: a context's document is alive while its views are.
    if let document = Document.owner(of: json.reference) {
      return .success(JSONValue(document, json.node))
    }
    return Result { () throws(DecodeError) in try JSONValue(copying: json) }
  }
}

// MARK: - Explaining

extension JSONValue {
  /// Lists, field by field, how a model decodes this value: decoded, defaulted, absent, ignored.
  ///
  ///     print(value.explain(User.self))
  ///
  /// For people and for tests; a few times slower than decoding.
  public func explain<Model: JSONDecodable>(_ type: Model.Type = Model.self) -> JSONExplanation {
    let error = decoded(type).error
    return withView { json in
      let recorder = Recorder(json)
      recorder.record { _ = Model.decode($0) }
      return recorder.explanation(error)
    }
  }
}
