// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From "this node, an integer expected" to path, place and text.
//
// Most errors are never read. An error about a `Document` retains the document. Of a borrowed native document up to
// 64 KB the text is copied, which costs a fraction of having indexed it; a larger text is copied if it has so many
// errors that their texts would cost more, and never above a megabyte. When an error is read, the copy is indexed,
// once for all its errors, and the requested parts are computed. The index is a function of the bytes, so every node is
// valid again.
//
// Errors of other documents are resolved while the document exists; the result is a `Resolution`. One node of another
// engine can occur in several places, as `null` can; then the path consists of the components that the error
// gathered while it passed the frames that looked the value up.

internal import CDecantIndex

extension DecodeError {
  /// The known facts about an error's place. Immutable once an error has it.
  final class Resolution {
    /// The parts that can be requested.
    struct Parts: OptionSet {
      let rawValue: UInt8
      /// The whole path.
      static let path = Parts(rawValue: 1)
      /// The beginning of the path, as much of it as texts show.
      static let shownPath = Parts(rawValue: 2)
      static let place = Parts(rawValue: 4)
      static let excerpt = Parts(rawValue: 8)
      static let text = Parts(rawValue: 16)
      static let all: Parts = [.path, .place, .excerpt, .text]
      static let description: Parts = [.shownPath, .place, .excerpt, .text]
    }

    /// The path, or its requested beginning; then the rest of it, component by component.
    fileprivate var pathText: String
    fileprivate var steps: ErrorPath?
    fileprivate var tail: [JSONPointer.Token] = []
    var location: Location?
    var otherLocation: Location?
    var found: String?
    /// The message and the expectation, if they need the document's bytes.
    var message: String?
    var accepted: String?
    /// The source line with its mark: two lines.
    var excerpt: String?
    /// The key that the error is about.
    var key: String?
    /// The nearest key, in quotes: of the object that lacks a key, or of the model that does not have one.
    var nearKey: String?
    /// The keys of the object that lacks one.
    var note: String?
    let sourceName: String?
    let redacts: Bool
    /// Whether the document is an element of a stream.
    let isElement: Bool
    /// The document, unless the error is about none.
    let home: Home?

    init(
      _ sourceName: String? = nil, _ redacts: Bool = false, above: String = "", _ home: Home? = nil
    ) {
      self.home = home
      self.sourceName = sourceName
      self.redacts = redacts
      pathText = above
      isElement = !above.utf8.isEmpty
    }

    /// The path as an RFC 6901 pointer.
    var path: String { written { writePath(to: &$0) } }

    func writePath(to sink: inout ErrorSink) {
      sink.add(pathText)
      steps?.write(to: &sink)
      for step in tail { sink.add(step) }
    }
  }

  /// The requested facts about the error's place, computed if that was deferred.
  func resolution(_ parts: Resolution.Parts) -> Resolution {
    let storage = storage
    if let resolution = storage.resolution { return resolution }
    guard let origin = storage.readingOrigin else {
      let resolution = Resolution()
      if let inner = storage.inner { resolution.describe(inner.error) }
      if let alternatives = storage.alternatives {
        resolution.message = alternatives.message(below: "") { _ in Resolution() }
      }
      return resolution
    }
    let resolution = origin.blank
    if storage.isAboutDocument {
      unsafe origin.withText {
        unsafe resolution.resolve(storage, in: Bytes($0), from: origin.start, origin.rules, parts)
      }
    } else {
      origin.withRoot { root in
        var resolver = Resolver(
          root, of: root.node, LineCounter(root.reference, isKept: true), keepsPaths: false)
        resolver.resolve(storage, parts, into: resolution)
      }
    }
    return resolution
  }

  /// The same error with what it is read from.
  consuming func read(from origin: Origin) -> DecodeError {
    if isResolved { return self }
    let own: Storage
    switch (consume self).form {
    case .list(let list): return DecodeError(List(list.parts, omitted: list.omitted, from: origin))
    case .simple(let simple): own = Storage(simple)
    // Other holders of the error must not see it change.
    case .stored(var storage):
      own = isKnownUniquelyReferenced(&storage) ? storage : storage.copy()
    }
    own.origin = origin
    return DecodeError(own)
  }
}

extension DecodeError.Storage {
  /// The source of the error: its own document if that is kept, otherwise the one that it left.
  fileprivate var readingOrigin: DecodeError.Origin? {
    guard let document, origin?.owns(document) != true else { return origin }
    return .init(document)
  }
}

// MARK: - For models that keep errors

extension DecodeError {
  /// An error that was caught during decoding, resolved: with its path, place and text, so that it can be printed,
  /// stored or sent.
  ///
  ///     do { name = try json.get("name") } catch { log(error.resolved(in: json)) }
  ///
  /// Errors that a decoding call throws or returns are resolved already.
  public func resolved(in json: JSON) -> DecodeError {
    let limit = json.reference.errorLimit
    return KeptError(json.located(self, at: json.node).limited(to: limit), in: json.reference).error
  }
}

// MARK: - At the boundary

extension DecodeError {
  /// An error of the document itself: what the engine said and where.
  @usableFromInline
  package init(reading context: ContextRef, code: Int32, _ sourceName: String?) {
    let storage = Storage(Code(status: code))
    form = .stored(storage)
    storage.isAboutDocument = true
    let offset = context.errorOffset
    storage.node = UInt64(offset)
    storage.base = UInt64(context.otherErrorOffset)
    let facts = DocumentFacts(context, storage.code, reason: nil)
    if storage.code == .tooLarge || storage.code == .tooDeep {
      storage.message = written { facts.write(.message, to: &$0) }
    }
    let isPlaced = facts.offset != nil
    if facts.has(.accepted), !isPlaced || storage.code.category != .syntax {
      storage.expectation = written { facts.write(.accepted, to: &$0) }
    }
    if isPlaced, Origin.keeps(context, forErrors: 1), !context.isOwned {
      storage.origin = Origin(context, sourceName, keepsText: true)
      return
    }
    let resolution = Resolution(
      sourceName, context.redacts, above: context.elementPath, Home(context, isPrinted: true))
    if isPlaced {
      resolution.resolve(storage, in: context.source, from: context.start, context.rules, .all)
    }
    if !context.isNative, let reason = reason(of: context) { storage.message = reason }
    storage.resolution = resolution
  }

  /// The error in flight as one that can leave its document; itself if it is that already. Of several errors as many as the
  /// options say, and the number of the others.
  @usableFromInline @inline(never)
  package consuming func resolved(in context: ContextRef, _ sourceName: String?) -> DecodeError {
    if isResolved, !context.root.isOfInner(self) { return self }
    if context.has(Int(DECANT_FACT_UNREAD)) { return self }
    let limit = context.errorLimit
    // In a stream, an error without a place is about its document, and gets the document's line.
    // An error that left another document becomes an error of this one.
    let error =
      context.isInStream || context.root.hasInner(self)
      ? context.root.located(self, at: context.root.node).limited(to: limit)
      : (consume self).limited(to: limit)
    let count = error.list?.parts.count ?? 1
    let origin = Origin(
      context, sourceName, keepsText: Origin.keeps(context, forErrors: count), isPrinted: true)
    return origin.isKept
      ? (consume error).read(from: origin)
      : error.resolvedNow(in: context, from: context.root, origin)
  }

  /// The same for a caller that reads the error while the document exists. Paths begin at the context's root.
  package func resolvedNow(in context: ContextRef, _ sourceName: String?) -> DecodeError {
    if isResolved { return self }
    let isWhole = unsafe context.pointer.pointee.original == nil
    let origin = isWhole ? Origin.shared(by: context) : Origin(context, nil, keepsText: false)
    return limited(to: context.errorLimit)
      .resolvedNow(in: context, from: context.root, origin, sourceName)
  }

  /// Computes the facts about the errors.
  func resolvedNow(
    in context: ContextRef, from root: JSON, _ origin: Origin, _ sourceName: String? = nil
  ) -> DecodeError {
    if isResolved { return self }
    var lines = LineCounter(context, isKept: true)
    func resolved(_ error: DecodeError) -> DecodeError {
      let name = sourceName ?? origin.sourceName
      let blank = Resolution(name, origin.redacts, above: origin.above, origin.home)
      return origin.resolve(error, in: root, of: context.root.node, &lines, blank)
    }
    guard let list else { return resolved(self) }
    // In document order, so that lines are counted once.
    var parts = list.parts
    for place in orderedPlaces(parts.count, by: { parts[$0].storage.node < parts[$1].storage.node })
    {
      parts[place] = resolved(parts[place])
    }
    return DecodeError(List(parts, omitted: list.omitted, isResolved: true))
  }

  /// The first errors, and the number of the others; of a limit of 1 the first error alone.
  consuming func limited(to limit: Int) -> DecodeError {
    guard let list, !list.isResolved else { return self }
    if limit == 1 { return list.parts[0] }
    let rest = list.parts.count - limit
    if rest <= 0 { return self }
    return DecodeError(List(Array(list.parts[..<limit]), omitted: list.omitted + rest))
  }
}

extension DecodeError.Origin {
  /// The error with the facts that are known while its document is read.
  fileprivate func resolve(
    _ error: DecodeError, in root: JSON, of tree: UInt64, _ lines: inout LineCounter,
    _ blank: DecodeError.Resolution
  ) -> DecodeError {
    if error.isResolved { return error }
    let own = error.storage.copy()
    if let document = own.document, document !== Document.owner(of: root.reference) {
      own.resolution = error.resolution(.all)
      return DecodeError(own)
    }
    var resolver = Resolver(root, of: tree, lines, keepsPaths: true)
    swap(&resolver.paths, &paths)
    resolver.resolve(own, .all, into: blank)
    swap(&resolver.paths, &paths)
    lines = resolver.lines
    own.resolution = blank
    return DecodeError(own)
  }
}

// MARK: - Errors of values

/// Computes requested facts about errors of a document's values.
private struct Resolver: ~Escapable {
  let root: JSON
  /// The root that another engine's errors name, which shows that they belong to its tree.
  let tree: UInt64
  var lines: LineCounter
  /// Whether the path outlives the document.
  let keepsPaths: Bool
  var paths = ErrorPaths()

  @_lifetime(copy root)
  init(_ root: JSON, of tree: UInt64, _ lines: LineCounter, keepsPaths: Bool) {
    self.root = root
    self.tree = tree
    self.lines = lines
    self.keepsPaths = keepsPaths
  }

  mutating func resolve(
    _ error: DecodeError.Storage, _ parts: DecodeError.Resolution.Parts,
    into resolution: DecodeError.Resolution
  ) {
    let storage = atField(error)
    let above = resolution.pathText
    var trail = storage.trail
    // An error can be kept and handed on inside another document, where its node means nothing.
    if storage.node != DECANT_NODE_NONE, let isWhole = findPath(to: storage, parts, resolution) {
      let json = JSON(storage.node, within: root)
      if isWhole { trail = [] }
      if json.isNative, !parts.isDisjoint(with: [.place, .excerpt]) {
        place(json, storage, parts, into: resolution)
      }
      if parts.contains(.text) {
        describe(json, storage, into: resolution)
        if storage.isAboutKey { describeKey(of: json, trail.first, storage, into: resolution) }
      }
    }
    resolution.tail.append(backwards: trail, from: trail.count)
    if let step = storage.step { resolution.tail.append(step) }
    guard parts.contains(.text) else { return }
    if let inner = storage.inner { resolution.describe(inner.error) }
    if let alternatives = storage.alternatives {
      resolution.message = message(alternatives, of: storage, above, resolution.redacts)
    }
  }

  /// The error, or the same at the field that has the inner document.
  private func atField(_ storage: DecodeError.Storage) -> DecodeError.Storage {
    guard storage.inner != nil, storage.node != DECANT_NODE_NONE else { return storage }
    let isThere =
      root.isNative
      ? storage.node < root.reference.slotCount && root.leads(to: storage.node)
      : storage.tree == tree && root.hasForeignValue(storage.node)
    guard isThere else { return storage }
    let field = root.fieldOfInner(storage)
    if field == storage.node { return storage }
    let moved = storage.copy()
    moved.node = field
    return moved
  }

  /// The error of each alternative of a union, with the path below the union's value.
  private func message(
    _ alternatives: DecodeError.Alternatives, of union: DecodeError.Storage, _ above: String,
    _ redacts: Bool
  ) -> String {
    func resolved(_ storage: DecodeError.Storage) -> DecodeError.Resolution {
      let part = DecodeError.Resolution(nil, redacts, above: above)
      var resolver = Resolver(
        root, of: tree, LineCounter(root.reference, isKept: false), keepsPaths: false)
      resolver.resolve(storage, [.path, .text], into: part)
      return part
    }
    let bare = union.copy()
    bare.alternatives = nil
    let path = resolved(bare).path
    return alternatives.message(below: path) { resolved($0) }
  }

  /// Describes the key of a member.
  /// - Parameter step: the last component of the path, if the error has it.
  private func describeKey(
    of json: JSON, _ step: JSONPointer.Token?, _ storage: DecodeError.Storage,
    into resolution: DecodeError.Resolution
  ) {
    func describe(_ key: some ErrorPhrase) {
      resolution.key = written { $0.add(quoted: key) }
      guard let known = storage.known else { return }
      resolution.nearKey = nearestName(to: { key.write(to: &$0) }, among: known.names).map(quoted)
    }
    if case .key(let key)? = step { return describe(key) }
    if json.isNative {
      if json.node > 0 { describe(JSON(json.node - 1, within: root).scalars) }
      return
    }
    var parent = decant_parent()
    // SAFETY: the view's context outlives it, and the engine keeps the key's bytes as long.
    if unsafe decant_parent_of(root.context, json.node, &parent), let key = unsafe parent.key {
      describe(unsafe Bytes(key, parent.key_length).scalars())
    }
  }

  /// Finds the path to an error's node, or to where the steps begin that the error gathered on its way, and tells whether
  /// it is the whole; nil if it is no value of this document. Nothing is read at a node before this is known: a native
  /// node must be where the walk from the root arrives, another engine's must come from this tree.
  private mutating func findPath(
    to storage: DecodeError.Storage, _ parts: DecodeError.Resolution.Parts,
    _ resolution: DecodeError.Resolution
  ) -> Bool? {
    if root.isNative {
      guard storage.node < root.reference.slotCount else { return nil }
      return findPath(to: storage.node, parts, resolution) ? true : nil
    }
    guard storage.tree == tree else { return nil }
    if !JSON(storage.node, within: root).exists { return false }
    // A node with one place tells more than the collected path, to which a loop may have added nothing.
    if findPath(to: storage.node, parts, resolution) { return true }
    // A tree can be where another one was, which the node is of, or have lost the value since.
    if !root.hasForeignValue(storage.node) { return nil }
    if storage.base != DECANT_NODE_NONE { _ = findPath(to: storage.base, parts, resolution) }
    return false
  }

  private mutating func findPath(
    to node: UInt64, _ parts: DecodeError.Resolution.Parts, _ resolution: DecodeError.Resolution
  ) -> Bool {
    if keepsPaths {
      let (isFound, path) = paths.path(from: root, to: node)
      if isFound { resolution.steps = path }
      return isFound
    }
    if parts.isDisjoint(with: [.path, .shownPath]) { return root.leads(to: node) }
    var isFound = false
    let text = written { text in
      func write(_ text: inout ErrorSink) {
        text.add(resolution.pathText)
        isFound = root.writePath(downTo: node, to: &text)
      }
      if parts.contains(.path) { write(&text) } else { text.add(beginningOfPath: write) }
    }
    if isFound { resolution.pathText = text }
    return isFound
  }

  /// Describes the value at the node, or the keys of the object that lacks one.
  private func describe(
    _ json: JSON, _ storage: DecodeError.Storage, into resolution: DecodeError.Resolution
  ) {
    guard let step = storage.step else {
      if json.exists {
        resolution.found = written { json.writeFound(to: &$0, redacts: resolution.redacts) }
      }
      return
    }
    if storage.code != .missingKey || resolution.redacts { return }
    if case .key(let name) = step, let near = json.nearestKey(to: { $0.add(name) }) {
      resolution.nearKey = written { $0.add(quoted: near) }
    }
    let note = written { json.writeKeys(to: &$0) }
    if !note.utf8.isEmpty { resolution.note = note }
  }

  private mutating func place(
    _ json: JSON, _ storage: DecodeError.Storage, _ parts: DecodeError.Resolution.Parts,
    into resolution: DecodeError.Resolution
  ) {
    let isAboutKey = storage.isAboutKey && storage.node > 0
    let mark = isAboutKey ? JSON(storage.node - 1, within: root).token : json.token
    resolution.location = lines.location(of: mark.lowerBound)
    if resolution.redacts || !parts.contains(.excerpt) { return }
    let excerpt = SourceExcerpt(
      root.source, offset: mark.lowerBound, length: mark.count, lineStart: lines.lineStart)
    resolution.excerpt = written { excerpt.write(to: &$0) }
  }
}

// MARK: - Errors of documents

extension DecodeError.Resolution {
  /// Resolves an error of the document itself.
  func resolve(
    _ storage: DecodeError.Storage, in text: Bytes, from start: DecodeError.Location,
    _ rules: decant_rules, _ parts: Parts
  ) {
    let offset = min(Int(storage.node), text.count)
    let above = pathText
    pathText = ""
    if storage.code == .duplicateKey {
      resolveDuplicate(storage, below: above, in: text, from: start, rules, parts)
    }
    if !parts.isDisjoint(with: [.place, .excerpt]) {
      var lines = LineCounter(text, from: start)
      location = lines.location(of: offset)
      let length = DocumentFacts.markedLength(storage.code, at: offset, in: text)
      let excerpt = SourceExcerpt(text, offset: offset, length: length, lineStart: lines.lineStart)
      if parts.contains(.excerpt), !redacts, !excerpt.isBlank {
        self.excerpt = written { excerpt.write(to: &$0) }
      }
    }
    guard parts.contains(.text) else { return }
    if !redacts, offset < text.count { found = written { $0.add(foundAt: offset, in: text) } }
    guard storage.code.category == .syntax else { return }
    setTexts(
      of: SyntaxMessage(
        code: storage.code, offset: offset, text: text, start: start, rules: rules,
        isElement: isElement))
  }

  /// Sets the message and the expectation of a syntax error.
  func setTexts(of syntax: SyntaxMessage) {
    let syntax = syntax.prepared()
    message = written { syntax.write(to: &$0) }
    accepted = written { syntax.writeAccepted(to: &$0) }
  }

  private func resolveDuplicate(
    _ storage: DecodeError.Storage, below above: String, in text: Bytes,
    from start: DecodeError.Location, _ rules: decant_rules, _ parts: Parts
  ) {
    if parts.contains(.text) {
      var lines = LineCounter(text, from: start)
      otherLocation = lines.location(of: Int(storage.base))
    }
    if parts.isDisjoint(with: [.path, .shownPath, .text]) { return }
    _ = withDuplicateKey(at: Int(storage.node), in: text, rules) { root, node in
      pathText = written {
        $0.add(above)
        root.writePath(downTo: node + 1, to: &$0)
      }
      if !redacts { key = written { $0.add(quoted: JSON(node, within: root).scalars) } }
    }
  }
}

/// The reason of another engine for refusing a document, if it has left one. Takes it from the engine.
private func reason(of context: ContextRef) -> String? {
  guard let reason = unsafe context.pointer.pointee.engine_state else { return nil }
  // SAFETY: on failure the engine leaves a C string of its own allocation there (decant_engine.h), which
  // is taken here and nowhere else.
  defer { unsafe decant_reason_free(reason) }
  let bytes = unsafe Bytes(reason.assumingMemoryBound(to: UInt8.self), strlen(reason))
  return written { $0.add(reason: bytes.scalars(), redacts: context.redacts) }
}
