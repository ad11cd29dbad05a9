// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The replacement for Foundation's `JSONDecoder`. Each call uses a `DecodeContext`. A decoder keeps its idle contexts
// between calls, so that a service that decodes small documents allocates nothing but its models. One context is the
// decoder's own, and acquiring it costs one atomic exchange. Concurrent calls use spare contexts behind a lock.

public import DecantCore

/// Decodes `Decodable` models from JSON: `JSONDecoder`'s options and results, from any bytes, several
/// times faster, with errors that tell the line and the column.
///
///     let user = try DecantDecoder().decode(User.self, from: bytes)
///
/// Many tasks may use one decoder at once. Options apply to the calls that begin after they are set.
@safe
open class DecantDecoder: @unchecked Sendable {
  // SAFETY: the settings and the spare contexts are protected by mutexes; `own` belongs to the call that has set
  // `isOwnInUse`.
  private let current = Locked(Settings())
  /// How often the settings were changed. Contexts made before the last change are not used.
  private let version = SharedWord(0)
  private let isOwnInUse = SharedWord(0)
  @exclusivity(unchecked) @safe private var own: DecodeContext?
  private let spares = Locked<[DecodeContext]>([])
  private static var maximumSpares: Int { 16 }

  /// Contexts of released decoders whose options were never set, for the next such decoder: a decoder that is made
  /// for one document need not find out again how types are decoded.
  private static let released = Locked<[DecodeContext]>([])

  /// A decoder with the default options.
  public init() {}

  deinit {
    guard let own, own.version == 0, version.value == 0 else { return }
    DecantDecoder.released.add(own, DecantDecoder.maximumSpares)
  }

  /// Decodes a document.
  ///
  /// The bytes are borrowed for the call. The text is copied only if a model keeps its `Decoder` or one of its
  /// containers. What such a container needs is released some time after the container, by a later decode.
  ///
  /// - Throws: `DecodingError`, or whatever a model's `init(from:)` throws. Text that is not JSON is
  ///   `dataCorrupted` with a ``DecodeError`` as its underlying error.
  open func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from bytes: borrowing some JSONBytes & ~Escapable
  ) throws -> Model {
    if type != Model.self { return try decode(from: bytes) { try $0.decodeSubclass(type) } }
    let context = acquire()
    defer { release(context) }
    // SAFETY: the context exists until it is released; the bytes are used inside the closure only.
    let (typeDecoder, buffer) = unsafe context.with {
      unsafe ($0.decoder(of: type), $0.buffer(for: type))
    }
    let failure = unsafe bytes.withJSONBytes { bytes in
      context.with {
        unsafe $0.read(bytes, by: typeDecoder, into: buffer)
      }
    }
    return try context.with {
      try unsafe $0.finish(type, in: buffer, failure)
    }
  }

  /// Decodes the value of a view, in a document that is being read.
  public func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from json: JSON
  ) throws -> Model {
    let context = acquire()
    defer { release(context) }
    // SAFETY: as above.
    return try context.with { context in
      let subclass =
        type == Model.self ? nil : FunctionDecoder<Model> { try $0.decodeSubclass(type) }
      defer { withExtendedLifetime(subclass) {} }
      let typeDecoder =
        subclass.map { unsafe Reference($0) } ?? context.decoder(of: type)
      let buffer = unsafe context.buffer(for: type)
      return try unsafe context.finish(
        type, in: buffer, context.visit(json, by: typeDecoder, into: buffer))
    }
  }

  /// Decodes a value that owns its document.
  public func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from value: JSONValue
  ) throws -> Model {
    try value.withView { (json) throws(any Error) in try decode(type, from: json) }
  }
}

// MARK: - Other ways to decode

extension DecantDecoder {
  /// Decodes a document with a `userInfo` for this call: that of the decoder, and the values given here, which come
  /// first where both have a key.
  ///
  ///     try decoder.decode(User.self, from: body, userInfo: [.locale: locale])
  ///
  /// - Throws: As `decode(_:from:)`.
  public func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from bytes: borrowing some JSONBytes & ~Escapable,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> Model {
    try decode(from: bytes, userInfo: userInfo) { try $0.decode(type) }
  }

  /// Decodes a document by a function of its root's decoder.
  package func decode<Model>(
    from bytes: borrowing some JSONBytes & ~Escapable,
    userInfo: [CodingUserInfoKey: any Sendable] = [:],
    by body: @escaping (ValueDecoder) throws -> Model
  ) throws -> Model {
    let context = acquire()
    defer { release(context) }
    context.with { $0.add(userInfo) }
    defer { context.with { $0.restoreUserInfo() } }
    // SAFETY: as above, and the function lives until the end of the call.
    let function = FunctionDecoder(body)
    defer { withExtendedLifetime(function) {} }
    let typeDecoder = unsafe Reference<AnyTypeDecoder>(function)
    let buffer = unsafe context.with { unsafe $0.buffer(for: Model.self) }
    let failure = unsafe bytes.withJSONBytes { bytes in
      context.with {
        unsafe $0.read(bytes, by: typeDecoder, into: buffer)
      }
    }
    return try context.with {
      try unsafe $0.finish(Model.self, in: buffer, failure)
    }
  }
}

// MARK: - Contexts

extension DecantDecoder {
  /// A context for one call; `release` has to follow.
  // SAFETY: `own` owns its context until `release`, and any other is retained for that.
  @inline(__always)
  private func acquire() -> Reference<DecodeContext> {
    EscapedContainers.collect()
    if isOwnInUse.exchange(1) != 0 { return acquireSpare() }
    if let own, isCurrent(own) { return unsafe Reference(own) }
    return renewOwn()
  }

  @inline(__always)
  private func release(_ context: Reference<DecodeContext>) {
    // SAFETY: `acquire` returned the context.
    let (isOwn, hasEscapedDecoders) = context.with {
      ($0.isOwn, $0.hasEscapedDecoders)
    }
    if !isOwn { return unsafe releaseSpare(context.take()) }
    if hasEscapedDecoders { own = nil }
    isOwnInUse.value = 0
  }

  @inline(never)
  private func renewOwn() -> Reference<DecodeContext> {
    let isPlain = version.value == 0
    let context = (isPlain ? DecantDecoder.released.take() : nil) ?? makeContext(isOwn: true)
    own = context
    return unsafe Reference(context)
  }

  @inline(never)
  private func acquireSpare() -> Reference<DecodeContext> {
    if let context = spares.take(), isCurrent(context) {
      return unsafe Reference(retaining: context)
    }
    return unsafe Reference(retaining: makeContext(isOwn: false))
  }

  @inline(never)
  private func releaseSpare(_ context: DecodeContext) {
    if !context.hasEscapedDecoders { spares.add(context, DecantDecoder.maximumSpares) }
  }

  fileprivate func makeContext(isOwn: Bool) -> DecodeContext {
    current.withLock { DecodeContext($0, version: version.value, isOwn: isOwn) }
  }

  private func isCurrent(_ context: DecodeContext) -> Bool {
    context.version == version.value
  }
}

// MARK: - Sessions

/// Decodes one value after the other, as a decoder says when the session begins: for one thread at a time. Nothing is
/// acquired for each value.
package final class DecodingSession {
  private let decoder: DecantDecoder
  private var context: DecodeContext

  package init(_ decoder: DecantDecoder) {
    self.decoder = decoder
    context = decoder.makeContext(isOwn: false)
  }

  /// How a document is read.
  package var options: DecodingOptions { context.settings.options }

  /// Decodes the value of a view, in a document that is being read.
  package func decode<Model: Decodable>(
    _ type: Model.Type, from json: JSON
  ) -> Decoded<Model> {
    EscapedContainers.collect()
    defer { if context.hasEscapedDecoders { context = decoder.makeContext(isOwn: false) } }
    // SAFETY: the session owns the context, and `finish` takes the model out of the buffer.
    let buffer = unsafe context.buffer(for: type)
    let failure = unsafe context.visit(json, by: context.decoder(of: type), into: buffer)
    do { return .success(try unsafe context.finish(type, in: buffer, failure)) } catch {
      return .failure(DecodeError(error, in: json, context.settings))
    }
  }
}

// MARK: - Options

extension DecantDecoder {
  package func setting<Value>(_ body: (Settings) -> Value) -> Value {
    current.withLock { body($0) }
  }

  package func set(_ body: (inout Settings) -> Void) {
    current.withLock {
      body(&$0)
      version.add(1)
    }
  }

  /// How a document is read: engine, depth, size, and which of several equal keys counts.
  public var options: DecodingOptions {
    get { setting { $0.options } }
    set { set { $0.options = newValue } }
  }

  /// How JSON keys become the keys that models ask for.
  public var keyDecodingStrategy: KeyDecodingStrategy {
    get { setting { $0.keys } }
    set { set { $0.keys = newValue } }
  }

  /// Which strings are infinities and NaN.
  public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { setting { $0.floats } }
    set { set { $0.floats = newValue } }
  }

  /// The `userInfo` of the models' decoders.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { setting { $0.userInfo } }
    set { set { $0.userInfo = newValue } }
  }

  /// Whether documents may be JSON5, as far as ``DecodingOptions/relaxations`` reach: with comments, trailing
  /// commas, `NaN`, `Infinity` and a byte order mark.
  ///
  /// The rest of JSON5 is refused: single quotes, keys without quotes, hexadecimal numbers, numbers that begin with
  /// `+` or `.` or end with `.`, `-NaN`, `\x41` and line ends in strings, and white space that JSON does not have.
  public var allowsJSON5: Bool {
    get { options.relaxations.isSuperset(of: DecantDecoder.json5) }
    set {
      if newValue {
        options.relaxations.formUnion(DecantDecoder.json5)
      } else {
        options.relaxations.subtract(DecantDecoder.json5)
      }
    }
  }

  private static var json5: DecodingOptions.Relaxations {
    [.comments, .trailingCommas, .nonFiniteNumbers, .byteOrderMark]
  }

  /// Whether the document is the inside of an object, without its braces. A document with braces is read unchanged.
  public var assumesTopLevelDictionary: Bool {
    get { setting { $0.assumesObject } }
    set { set { $0.assumesObject = newValue } }
  }
}
