// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The context of a decode: the document, the decoders of the types that occurred, and the chain of value decoders
// (ValueDecoder.swift). Decodes reuse a context, so that a small document allocates only its model.
//
// A model may retain its decoder or a container. Such decoders have escaped: they own the context, which is not reused. If
// any exist when the decode ends, and only then, the context copies text and index.

package import CDecantIndex
internal import DecantCore

@safe
package final class DecodeContext: CoderSession, @unchecked Sendable {
  // SAFETY: one call at a time uses a context, from `acquire` to `release` of its DecantDecoder.
  // SAFETY: allocated in init, deallocated in deinit. Its pointers are replaced by copies that this context owns
  // before the borrowed bytes go away.
  package let document: UnsafeMutablePointer<decant_context>
  package let settings: Settings
  private let engine: DecodingOptions.Engine
  private let rules: decant_rules
  private let assumesObject: Bool
  /// Not that of any coder once a document was kept for decoders that escaped: the context is not reused, even if they are
  /// gone by then, such as with an error that was reported.
  @exclusivity(unchecked) @safe package private(set) var version: Int
  /// Apart, because objects ask for it, and the settings are large.
  let keys: DecantDecoder.KeyDecodingStrategy
  let convertsKeys: Bool
  /// The looked-up keys, if other members are rejected.
  let askedKeys: AskedKeys?
  @exclusivity(unchecked) @safe package var userInfo: UserInfo
  package var ownUserInfo: UserInfo { settings.userInfo }
  package static let released = IdleSessions<DecodeContext>()

  /// The document, as long as the context.
  var reference: ContextRef { unsafe ContextRef(document) }

  /// How many escaped decoders exist. Atomic, because their models may be released on any thread.
  let escapedCount = SharedWord(0)
  @exclusivity(unchecked) @safe private var root: ValueDecoder? {
    didSet { rootReference = root.map { unsafe Reference($0) } }
  }
  // SAFETY: refers to `root`, for callers that need not retain it.
  private var rootReference: Reference<ValueDecoder>?
  @exclusivity(unchecked) @safe private var typeDecoders = TypeTable<AnyTypeDecoder>()
  @exclusivity(unchecked) @safe private var keyTables = TypeTable<KeyTable>()
  /// The buffer in which small models are made.
  private var buffer: UnsafeMutableRawPointer?
  /// Whether errors become a `DecodeError`, which has its place apart from its text and is as long as the caller's options
  /// say.
  @exclusivity(unchecked) @safe private(set) var makesDecodeErrors = false
  /// Whether a model of another document decodes this one.
  @exclusivity(unchecked) @safe private(set) var isInner = false
  /// Counts the lines of the document's text, after the first question about a place.
  private var lines: LineCounter?
  private var ownedDocument = OwnedDocument.none
  /// The place of a text that got braces around it.
  private var ownedStart: UnsafeMutablePointer<decant_start>?

  package init(_ settings: Settings, version: Int) {
    self.settings = settings
    self.version = version
    engine = settings.options.engine
    rules = settings.rules
    assumesObject = settings.assumesObject
    keys = settings.keys
    convertsKeys = !keys.isDefault
    askedKeys = settings.options.unknownMembers == .reject ? AskedKeys() : nil
    userInfo = settings.userInfo
    unsafe document = .allocate(capacity: 1)
    unsafe prepare(document, settings.options.engine, settings.rules)
  }

  deinit {
    drop()
    unsafe buffer?.deallocate()
    unsafe ownedStart?.deallocate()
    unsafe document.deallocate()
  }

  /// Whether a decoder or a container has escaped, and is not gone.
  var hasEscapedDecoders: Bool { escapedCount.value != 0 }
}

// MARK: - Reading

extension DecodeContext {
  /// Memory for a model. Passing the model through a closure's `Result` would look up the metadata of that type in a
  /// generic function; this does not.
  // SAFETY: `finish` has to follow, for the same type.
  @inline(__always)
  func buffer<Model>(for type: Model.Type) -> UnsafeMutableRawPointer {
    if DecodeContext.fits(type) { return unsafe buffer.take() ?? DecodeContext.allocateBuffer() }
    return .allocate(
      byteCount: MemoryLayout<Model>.size, alignment: MemoryLayout<Model>.alignment)
  }

  /// Moves the model out of its buffer, unless there is a failure.
  @inline(__always)
  func finish<Model>(
    _ type: Model.Type, in buffer: UnsafeMutableRawPointer, _ failure: (any Error)?
  ) throws -> Model {
    defer {
      if DecodeContext.fits(type) {
        unsafe self.buffer = buffer
      } else {
        unsafe buffer.deallocate()
      }
    }
    if let failure { throw failure }
    // SAFETY: where there is no failure, the model was written.
    return unsafe buffer.assumingMemoryBound(to: Model.self).move()
  }

  private static func fits<Model>(_ type: Model.Type) -> Bool {
    MemoryLayout<Model>.size <= bufferSize && MemoryLayout<Model>.alignment <= 16
  }

  private static var bufferSize: Int { 256 }

  private static func allocateBuffer() -> UnsafeMutableRawPointer {
    .allocate(byteCount: bufferSize, alignment: 16)
  }

  /// Reads a document and decodes its root into `buffer`.
  // SAFETY: the type decoder is that of the model that the buffer is for; nothing is written on failure.
  func read(
    _ bytes: UnsafeRawBufferPointer, by typeDecoder: Reference<AnyTypeDecoder>,
    into buffer: UnsafeMutableRawPointer
  ) -> (any Error)? {
    lines = nil
    var rules = rules
    let bytes = assumesObject ? unsafe braced(bytes, &rules) : unsafe bytes
    // SAFETY: bytes, scratch and the owned start are in use until `settle`.
    return unsafe withUnsafeTemporaryAllocation(of: decant_scratch.self, capacity: 1) { scratch in
      let code = unsafe open(
        document, bytes, engine, rules, scratch.baseAddress, from: UnsafePointer(ownedStart))
      if code != 0 { return failure(code) }
      let error = unsafe decode(document.pointee.root, by: typeDecoder, into: buffer)
      settle()
      return error
    }
  }

  @inline(never)
  private func failure(_ code: Int32) -> DecodingError {
    let error = DecodeError(reading: reference, code: code, settings.options.sourceName)
    drop()
    let isSyntax = error.code.category == .syntax || error.code == .emptyInput
    let summary = isSyntax ? "The given data was not valid JSON." : error.code.name
    return .dataCorrupted(context(error, [], summary))
  }

  /// The context of a `DecodingError` with an underlying error: the place and a summary, because both texts are printed in
  /// sequence.
  func context(
    _ error: DecodeError, _ path: [any CodingKey], _ summary: String
  ) -> DecodingError.Context {
    let text = written { text in
      text.addPlace(source: error.sourceName, location: error.location)
      text.add(summary)
    }
    return .init(codingPath: path, debugDescription: text, underlyingError: error)
  }

  /// Decodes a value of a document that the caller reads.
  @inline(never)
  func decode<Model>(
    _ type: Model.Type, from json: JSON, by typeDecoder: Reference<AnyTypeDecoder>
  ) throws -> Model {
    let buffer = unsafe buffer(for: type)
    return try unsafe finish(type, in: buffer, visit(json, by: typeDecoder, into: buffer))
  }

  /// Returns the result of `body` for a view, or throws its error at the value that it is about.
  /// - Parameter depth: how many keys of the error's path lead to the view.
  @inline(__always)
  func decoded<Model>(
    from json: JSON, below depth: @autoclosure () -> Int = 0, _ body: () throws -> Model
  ) -> Decoded<Model> {
    let outer = makesDecodeErrors
    makesDecodeErrors = true
    defer { makesDecodeErrors = outer }
    do { return .success(try body()) } catch {
      return .failure(DecodeError(error, in: json, settings, below: depth()))
    }
  }

  /// Decodes by a function of the value's decoder.
  func decode<Model>(
    from json: JSON, by body: @escaping (ValueDecoder) throws -> Model
  ) throws -> Model {
    let function = FunctionDecoder(body)
    // SAFETY: the function lives until the end of the call.
    defer { withExtendedLifetime(function) {} }
    return try decode(Model.self, from: json, by: unsafe Reference(function))
  }

  private func visit(
    _ json: JSON, by typeDecoder: Reference<AnyTypeDecoder>, into buffer: UnsafeMutableRawPointer
  ) -> (any Error)? {
    // SAFETY: the view's document outlives the call.
    unsafe document.pointee = decant_context_copy(json.context, json.context.pointee.misses)
    unsafe document.pointee.root = json.node
    if !settings.showsValues, !makesDecodeErrors { unsafe document.pointee.rules.redacts = 1 }
    lines = nil
    let error = unsafe decode(json.node, by: typeDecoder, into: buffer)
    json.reference.takeCounts(of: reference)
    settleVisit()
    return error
  }

  private func decode(
    _ node: UInt64, by typeDecoder: Reference<AnyTypeDecoder>, into buffer: UnsafeMutableRawPointer
  ) -> (any Error)? {
    isInner = decant_decoding_begin() > 0
    defer { decant_decoding_end() }
    // SAFETY: the context owns the root unless that escapes, and is used by one call at a time.
    let decoder = rootReference ?? makeRoot()
    return decoder.with { decoder in
      decoder.begin(node)
      defer {
        if !isKnownUniquelyReferenced(&root) || !decoder.areContainersUnused { rootEscapes() }
      }
      do {
        try typeDecoder.with {
          try unsafe $0.decode(into: buffer, decoder)
        }
        return nil
      } catch { return isInner && !makesDecodeErrors ? inner(error, of: decoder) : error }
    }
  }

  /// The error of a document that is decoded inside another one, so that its path and place are not taken for the other
  /// document's: it has a `DecodeError` of this document as its underlying error.
  @inline(never)
  private func inner(_ error: any Error, of root: ValueDecoder) -> any Error {
    guard let thrown = error as? DecodingError, let why = thrown.parts?.context,
      why.underlyingError == nil
    else { return error }
    let (json, name) = (root.json, settings.options.sourceName)
    let inFlight = DecodeError(thrown, in: json, settings) { node, text in
      let place = written { $0.addPlace(source: name, location: location(of: node)) }
      return text.hasPrefix(place) ? String(text.dropFirst(place.count)) : text
    }
    return thrown.with(underlying: inFlight.resolved(in: reference, name))
  }

  private func makeRoot() -> Reference<ValueDecoder> {
    let decoder = ValueDecoder(self)
    root = decoder
    return unsafe Reference(decoder)
  }

  @inline(never)
  private func rootEscapes() {
    root?.escape()
    root = nil
  }

  /// The text with braces around it, unless it has them. The first one has a line of its own, before the line that places
  /// count from, and none counts against the most bytes.
  private func braced(
    _ bytes: UnsafeRawBufferPointer, _ rules: inout decant_rules
  ) -> UnsafeRawBufferPointer {
    let relaxations = settings.options.relaxations
    let hasComments = relaxations.contains(.comments)
    let source = unsafe Bytes(bytes)
    let start = relaxations.contains(.byteOrderMark) && source.beginsWithMark ? 3 : 0
    unsafe ownedStart?.deallocate()
    unsafe ownedStart = nil
    if source.firstByte(from: start, hasComments: hasComments) == UInt8(ascii: "{")
      || UInt64(bytes.count) > rules.maximum_bytes
    {
      return unsafe bytes
    }
    let opening = ("{\n" as StaticString).bytes
    // The text may end in a comment, which the line feed ends.
    let closing = ((hasComments ? "\n}" : "}") as StaticString).bytes
    let parts = [source[0..<start], opening, source[start..<source.count], closing]
    let owned = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + opening.count + closing.count, alignment: 1)
    var end = 0
    for part in parts {
      unsafe UnsafeMutableRawBufferPointer(rebasing: owned[end...]).copyMemory(from: part.buffer)
      end += part.count
    }
    unsafe ownedDocument = .text(owned)
    unsafe ownedStart = .allocate(capacity: 1)
    unsafe ownedStart?.initialize(to: decant_start(offset: -opening.count, line: 0, column: 1))
    rules.maximum_bytes += UInt64(opening.count + closing.count)
    return UnsafeRawBufferPointer(owned)
  }
}

extension Bytes {
  /// The first byte that is not white space, and not in a comment if comments are allowed.
  fileprivate func firstByte(from start: Int, hasComments: Bool) -> UInt8? {
    var at = start
    while at < count {
      let next = at + 1 < count ? self[at + 1] : 0
      if decant_is_white(self[at]) {
        at += 1
      } else if hasComments, self[at] == UInt8(ascii: "/"),
        next == UInt8(ascii: "/") || next == UInt8(ascii: "*")
      {
        at = end(ofCommentAt: at, before: count)
      } else {
        return self[at]
      }
    }
    return nil
  }
}

// MARK: - After the decode

/// The parts of a document that a context owns.
// SAFETY: a buffer of `braced`, deallocated by `drop` alone.
@safe
private enum OwnedDocument {
  case none
  /// Only the text; the index belongs to the builder.
  case text(UnsafeMutableRawBufferPointer)
  /// Another engine's tree, which has to be closed. It needs no text.
  case tree
  case owner(Document)
}

// SAFETY: every buffer here is allocated once, owned by `ownedDocument`, and deallocated by `drop`; the document
// points to borrowed memory only during a decode.
extension DecodeContext {
  private static var noVersion: Int { -1 }

  /// Whether a document was kept for decoders that escaped.
  var hasKept: Bool { version == Self.noVersion }

  /// Closes the document, or copies it for the decoders that have escaped.
  private func settle() {
    if !hasEscapedDecoders {
      unsafe close(document)
      return drop()
    }
    version = Self.noVersion
    if keepDocument() { return }
    drop()
    ownedDocument = .tree
    // Nothing reads at the text, which goes away.
    unsafe document.pointee.length = 0
    unsafe document.pointee.misses = nil
    lines = nil
  }

  private func settleVisit() {
    if !hasEscapedDecoders { return }
    version = Self.noVersion
    if keepDocument() { return }
    // The host owns the tree, and only for the call: decoders that have escaped find nothing in it, nor a text.
    unsafe prepare(document, .native, rules)
    unsafe document.pointee.root = DECANT_NODE_MISSING
  }

  /// Reads on in a document that can be kept, whose nodes are those of the one that was read. False for another engine's
  /// tree.
  private func keepDocument() -> Bool {
    guard let owner = Document.keeping(reference, settings.options) else { return false }
    let root = unsafe document.pointee.root
    // Closes a document that was read here. A copy of a context owns nothing.
    if unsafe document.pointee.original == nil { unsafe close(document) }
    drop()
    unsafe document.pointee = owner.counting(nil)
    unsafe document.pointee.root = root
    ownedDocument = .owner(owner)
    lines = nil
    return true
  }

  private func drop() {
    switch ownedDocument {
    case .none, .owner: break
    case .text(let text): unsafe text.deallocate()
    case .tree: unsafe close(document)
    }
    ownedDocument = .none
  }
}

// MARK: - Types and places

extension DecodeContext {
  /// The decoder of a type. The context owns it.
  ///
  /// It is filed under the static type, for which it is made. A class metatype may name a subclass, whose instances
  /// this decoder does not make: see `ValueDecoder.decodeSubclass`.
  @inline(__always)
  func decoder<Model: Decodable>(of type: Model.Type) -> Reference<AnyTypeDecoder> {
    let key = TypeTable<AnyTypeDecoder>.key(type)
    return typeDecoders[key] ?? fileDecoder(of: type, key)
  }

  @inline(never)
  private func fileDecoder<Model: Decodable>(
    of type: Model.Type, _ key: UInt
  ) -> Reference<AnyTypeDecoder> {
    typeDecoders.insert(makeTypeDecoder(type, checksMembers: askedKeys != nil), for: key)
  }

  /// The names of a type's keys, or nil if they are read each time.
  func names<Key: CodingKey>(of type: Key.Type) -> KeyTable? {
    let key = TypeTable<KeyTable>.key(type)
    if let names = keyTables[key] { return names.object }
    return KeyTable(type) { ($0, Array($0.utf8)) }.map { keyTables.insert($0, for: key).object }
  }

  /// The place of a value, or nil if the engine does not know it.
  func location(of node: UInt64) -> DecodeError.Location? {
    let json = reference.view(node)
    guard json.isNative else { return nil }
    // Copying the text resets the counter. A document that is read by others, too, remembers places, for errors of one
    // decode after the other.
    let isShared = unsafe document.pointee.original != nil
    var counter = lines ?? LineCounter(reference, isKept: isShared)
    defer { lines = counter }
    return counter.location(of: json.offset)
  }
}

extension DecodingError {
  /// The same error with an underlying one.
  fileprivate func with(underlying error: DecodeError) -> DecodingError {
    func with(_ context: Context) -> Context {
      Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: error)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, with(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, with(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, with(context))
    case .dataCorrupted(let context): .dataCorrupted(with(context))
    @unknown default: self
    }
  }
}
