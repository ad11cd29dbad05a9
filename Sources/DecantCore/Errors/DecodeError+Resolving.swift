// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From "this node, an integer expected" to path, place and text.
//
// The path of a native node is found by walking down: a node is a slot, and slots are in document order. Nodes of other
// engines do not tell their place: the path is found by walking up a table of parents (Wording/JSON+Paths.swift). One
// such node can occur in several places, as `null` can; then the path consists of the components that the error
// gathered while it passed the frames that looked the value up.
//
// Most errors are never read. An error about a `Document` retains the document. Of a borrowed native document up to
// 64 KB the text is copied, which costs a fraction of having indexed it; a larger text is copied if it has so many
// errors that their texts would cost more, and never above a megabyte. When the error is read, the copy is indexed
// again and the error resolved. The index is a function of the bytes: every node is where it was.

internal import CDecantIndex

extension DecodeError {
  /// What an error needs of its document, for as long as nobody has asked for more. Shared by all errors of
  /// a document; immutable.
  final class Origin {
    // The document's own text; unless it has an owner, a copy.
    let document: Document?
    private let text: [UInt8]
    let rules: decant_rules
    let start: Location
    /// The path of the document, if it is an element of a stream.
    private let above: String
    private let sourceName: String?
    private let redacts: Bool

    init(_ context: ContextRef, _ sourceName: String?) {
      document = Document.owner(of: context)
      text = document == nil ? unsafe [UInt8](context.source.buffer) : []
      rules = context.rules
      start = context.start
      above = context.elementPath
      self.sourceName = sourceName
      redacts = context.redacts
    }

    /// Whether a document of `length` bytes is kept for so many errors: where copying it costs less than their
    /// texts. Larger ones are not kept, so that an error is never large.
    static func keeps(_ length: Int, forErrors count: Int) -> Bool {
      length <= min(65_536 + 16_384 &* (count &- 1), 1 << 20)
    }

    /// What is known of the document's errors.
    var blank: Resolution { Resolution(sourceName, redacts, above: above) }

    /// Calls `body` with the root of the document, unless there is no memory to index it again.
    func withRoot(_ body: (JSON) -> Void) {
      if let document = document {
        defer { withExtendedLifetime(document) {} }
        return body(document.reference.root)
      }
      unsafe withText { text in
        unsafe withUnsafePointer(to: decant_start(start)) { start in
          unsafe withReadingRoom { context, scratch in
            // SAFETY: as in `reading`: text, scratch and start outlive the view.
            guard unsafe open(context, text, .native, rules, scratch, from: start) == 0 else {
              return
            }
            defer { unsafe close(context) }
            unsafe body(ContextRef(context).root)
          }
        }
      }
    }

    func withText(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe text.withUnsafeBytes(body) }
  }

  /// What is known of an error's place. Immutable once it is an error's.
  final class Resolution {
    var path = JSONPointer("")
    var location: Location?
    var otherLocation: Location?
    var found: String?
    /// The message, where it needs the document's bytes.
    var message: String?
    /// The source line with its mark: two lines.
    var excerpt: String?
    /// The key that the document has twice.
    var key: String?
    /// Of the object that lacks a key, the nearest one, in quotes.
    var nearKey: String?
    /// The keys of the object that lacks one.
    var note: String?
    let sourceName: String?
    let redacts: Bool
    /// What the path begins with.
    let above: String

    init(_ sourceName: String? = nil, _ redacts: Bool = false, above: String = "") {
      self.sourceName = sourceName
      self.redacts = redacts
      self.above = above
    }
  }

  /// What is known of the place; worked out, if that was put off.
  @_optimize(none)
  var resolution: Resolution {
    if let resolution = storage.resolution { return resolution }
    guard let origin = storage.readingOrigin else { return Resolution() }
    let resolution = origin.blank
    if storage.isAboutDocument {
      unsafe origin.withText {
        unsafe resolution.resolve(
          storage, in: Bytes($0), from: origin.start, origin.rules)
      }
    } else {
      origin.withRoot { root in
        var resolver = Resolver(root, isKept: origin.document != nil)
        resolver.resolve(storage, into: resolution)
      }
    }
    return resolution
  }

  /// The single errors, resolved in one pass.
  @_optimize(none)
  func resolvedParts() -> [DecodeError] {
    let parts = storage.copies
    // The first error may be of another document than the list.
    if let origin = storage.origin ?? storage.readingOrigin {
      origin.withRoot {
        DecodeError.resolve(parts, in: $0, isKept: origin.document != nil, origin.blank)
      }
    }
    return parts
  }
}

extension DecodeError.Storage {
  /// What the error is read from: its own document if that is kept, else the one it left.
  fileprivate var readingOrigin: DecodeError.Origin? {
    guard let document, origin?.document !== document else { return origin }
    return .init(document.reference, document.options.sourceName)
  }

  /// The single errors, each by itself.
  fileprivate var copies: [DecodeError] {
    var copies: [DecodeError] = []
    forEach { copies.append(DecodeError($0.copy())) }
    return copies
  }

  /// A chain of single errors that need no document, of one that is resolved.
  func resolvedChain() -> DecodeError.Storage {
    let error = DecodeError(self)
    var head: DecodeError.Storage?
    var last: DecodeError.Storage?
    for part in isList ? error.underlying : [error] {
      let link = part.storage.copy()
      link.resolution = part.resolution
      if let last { last.follow(with: link) } else { head = link }
      last = link
    }
    head?.omitted = omitted
    return head ?? self
  }
}

// MARK: - For models that keep errors

extension DecodeError {
  /// An error that was caught while its document is read, with its path, place and text, so that it can be
  /// printed, stored or sent.
  ///
  ///     do { name = try json.get("name") } catch { log(error.resolved(in: json)) }
  ///
  /// Errors that a decoding call throws or returns are resolved already.
  public func resolved(in json: JSON) -> DecodeError {
    json.located(self, at: json.node).resolved(in: json.reference, nil, isOneOfMany: true)
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
    let length = context.length
    let offset = context.errorOffset
    let isNative = context.isNative
    storage.node = UInt64(offset)
    storage.base = UInt64(context.otherErrorOffset)
    let facts = DocumentFacts(context, storage.code, reason: nil)
    if storage.code == .tooLarge || storage.code == .tooDeep {
      storage.message = written { facts.write(.message, to: &$0) }
    }
    let isPlaced = facts.offset != nil
    if isNative, isPlaced, Origin.keeps(length, forErrors: 1), !context.isOwned {
      storage.origin = Origin(context, sourceName)
      return
    }
    let resolution = Resolution(sourceName, context.redacts, above: context.elementPath)
    if isPlaced {
      resolution.resolve(storage, in: context.source, from: context.start, context.rules)
    }
    if !isNative, let reason = reason(of: context) { storage.message = reason }
    storage.resolution = resolution
  }

  /// The error in flight as one that can leave its document; itself if it is that already.
  ///
  /// An error about a `Document` retains it and is resolved when it is read. Of a borrowed document a small text
  /// is copied, unless `isOneOfMany`: such errors are resolved at once, and the text is not copied for each.
  @usableFromInline @inline(never)
  package consuming func resolved(
    in context: ContextRef, _ sourceName: String?, isOneOfMany: Bool = false
  ) -> DecodeError {
    if isResolved { return self }
    if context.has(Int(DECANT_FACT_UNREAD)) { return self }
    // In a stream an error without a place of its own is about its document, whose line nobody else would tell.
    let error = context.isInStream ? context.root.located(self, at: context.root.node) : self
    // Other holders of the error must not see it change.
    let storage = error.chain()
    var count = 1
    if storage.isList {
      count = storage.truncate(to: context.errorLimit)
    }
    if Document.owner(of: context) != nil
      || context.isNative && !isOneOfMany && Origin.keeps(context.length, forErrors: count)
    {
      storage.origin = Origin(context, sourceName)
      return DecodeError(storage)
    }
    let parts = storage.copies
    let blank = Resolution(sourceName, context.redacts, above: context.elementPath)
    DecodeError.resolve(parts, in: context.root, isKept: isOneOfMany, blank)
    if !storage.isList { return parts[0] }
    let list = Storage(.multiple)
    list.resolution = parts[0].storage.resolution
    list.extras?.parts = parts
    list.omitted = storage.omitted
    return DecodeError(list)
  }

  /// Resolves single errors, in document order.
  /// - Parameter blank: what is known of the document.
  @inline(never)
  static func resolve(
    _ errors: [DecodeError], in root: JSON, isKept: Bool, _ blank: Resolution
  ) {
    var resolver = Resolver(root, isKept: isKept)
    let document = Document.owner(of: root.reference)
    let places = orderedPlaces(errors.count) { errors[$0].storage.node < errors[$1].storage.node }
    for place in places {
      let error = errors[place].storage
      if error.isSettled { continue }
      if let own = error.document, own !== document {
        error.resolution = DecodeError(error).resolution
        continue
      }
      let resolution = Resolution(blank.sourceName, blank.redacts, above: blank.above)
      resolver.resolve(error, into: resolution)
      error.resolution = resolution
    }
  }
}

extension DecodeError.Storage {
  /// Counts what is too much; of a limit of 1 the first error alone is left. Answers how many are left.
  fileprivate func truncate(to limit: Int) -> Int {
    let (last, count) = lastLink(within: limit)
    let rest = last.takeFollowing()
    omitted = limit == 1 ? 0 : omitted + (rest?.linkCount ?? 0)
    return count
  }
}

// MARK: - Errors of values

/// Resolves errors about the values of a document.
private struct Resolver: ~Escapable {
  let root: JSON
  var lines: LineCounter

  /// - Parameter isKept: other errors of the document may follow, in other resolvers: lines are counted from places
  ///   that the document remembers.
  @_lifetime(copy root)
  init(_ root: JSON, isKept: Bool) {
    self.root = root
    lines = LineCounter(root.reference, isKept: isKept)
  }

  mutating func resolve(
    _ storage: DecodeError.Storage, into resolution: DecodeError.Resolution
  ) {
    var path = resolution.above
    var trail = storage.trail
    // An error can be kept and handed on inside another document, where its node means nothing.
    if storage.node != DECANT_NODE_NONE, let (way, isWhole) = way(to: storage) {
      let json = JSON(storage.node, within: root)
      path += way
      if isWhole { trail = [] }
      if json.isNative { place(json, storage, into: resolution) }
      describe(json, storage, into: resolution)
    }
    var steps: [JSONPointer.Token] = []
    steps.append(backwards: trail, from: trail.count)
    if let step = storage.step { steps.append(step) }
    resolution.path = JSONPointer(path + JSONPointer(steps).text)
  }

  /// What was found at the node, or of the object that lacks a key, what it has.
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

  /// The path to an error's node, or to where the steps begin that the error gathered on its way; nil if it is no value
  /// of this document. Nothing is read at a node before this is known: a native node must be where the walk
  /// from the root arrives, another engine's must come from this tree.
  private func way(to storage: DecodeError.Storage) -> (path: String, isWhole: Bool)? {
    if root.isNative {
      guard storage.node < root.reference.slotCount else { return nil }
      return root.path(to: storage.node).map { ($0, true) }
    }
    guard storage.tree == root.node else { return nil }
    if !JSON(storage.node, within: root).exists { return ("", false) }
    // A node in one place tells more than the way, on which a loop may have told nothing.
    if let path = root.path(to: storage.node) { return (path, true) }
    // A tree can be where another one was, which the node is of, or have lost the value since.
    if !root.hasForeignValue(storage.node) { return nil }
    if storage.base == DECANT_NODE_NONE { return ("", false) }
    return (root.path(to: storage.base) ?? "", false)
  }

  private mutating func place(
    _ json: JSON, _ storage: DecodeError.Storage, into resolution: DecodeError.Resolution
  ) {
    let isAboutKey = storage.isAboutKey && storage.node > 0
    let mark = isAboutKey ? JSON(storage.node - 1, within: root).token : json.token
    let location = lines.location(of: mark.lowerBound)
    resolution.location = location
    if resolution.redacts { return }
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
    _ rules: decant_rules
  ) {
    let offset = min(Int(storage.node), text.count)
    if storage.code == .duplicateKey { resolveDuplicate(storage, in: text, from: start, rules) }
    var lines = LineCounter(text, from: start)
    location = lines.location(of: offset)
    if storage.code.category == .syntax {
      message = written {
        SyntaxMessage(
          code: storage.code, offset: offset, text: text, start: start, rules: rules,
          isElement: !above.isEmpty
        ).write(to: &$0)
      }
    }
    if redacts { return }
    if offset < text.count { found = written { $0.add(foundAt: offset, in: text) } }
    let length = DocumentFacts.markedLength(storage.code, at: offset, in: text)
    let excerpt = SourceExcerpt(text, offset: offset, length: length, lineStart: lines.lineStart)
    if !excerpt.isBlank { self.excerpt = written { excerpt.write(to: &$0) } }
  }

  private func resolveDuplicate(
    _ storage: DecodeError.Storage, in text: Bytes, from start: DecodeError.Location,
    _ rules: decant_rules
  ) {
    var lines = LineCounter(text, from: start)
    otherLocation = lines.location(of: Int(storage.base))
    _ = withDuplicateKey(at: Int(storage.node), in: text, rules) { root, node in
      path = JSONPointer(above + written { root.writePath(downTo: node + 1, to: &$0) })
      if !redacts { key = written { $0.add(quoted: JSON(node, within: root).scalars) } }
    }
  }
}

/// What another engine said of a document that it refused, if it said anything. Takes it from the engine.
private func reason(of context: ContextRef) -> String? {
  guard let reason = unsafe context.pointer.pointee.engine_state else { return nil }
  // SAFETY: on failure the engine leaves a C string of its own allocation there (decant_engine.h), which
  // is taken here and nowhere else.
  defer { unsafe decant_reason_free(reason) }
  let bytes = unsafe Bytes(reason.assumingMemoryBound(to: UInt8.self), strlen(reason))
  return written { $0.add(reason: bytes.scalars(), redacts: context.redacts) }
}
