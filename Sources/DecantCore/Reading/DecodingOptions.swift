// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import CDecantIndex

/// How a document is read. The default is RFC 8259 and nothing else.
public struct DecodingOptions: Sendable {
  /// The tokenizer.
  public var engine: Engine

  /// The limits as the engines read them.
  @usableFromInline
  package var rules: decant_rules

  /// How many arrays and objects may be inside one another; `[]` needs 1. The error is
  /// ``DecodeError/Code/tooDeep``.
  ///
  /// Reading a document takes no stack for its depth. A recursive model takes some for every level, and where the
  /// thread's stack ends first, decoding it fails with the same code, at the level that was reached.
  public var maximumDepth: Int {
    get { Int(rules.maximum_depth) }
    set { rules.maximum_depth = UInt32(clamping: newValue) }
  }

  /// How many bytes a document may have. The error is ``DecodeError/Code/tooLarge``. No engine reads
  /// more than 4 GiB. This bounds memory too: the native engine takes at most eight bytes for each, however
  /// many elements, members and strings they are.
  public var maximumBytes: Int {
    get { Int(clamping: rules.maximum_bytes) }
    set { rules.maximum_bytes = UInt64(clamping: newValue) }
  }

  /// How many bytes of memory a document may take: its index and the elements of the arrays, sets and dictionaries that
  /// are decoded from it, all together. The error is ``DecodeError/Code/tooLarge``, about the array or object that would
  /// have too many. Nil is the default: 64 bytes for each of the document's own, and 64 MiB at least.
  ///
  /// This bounds what small elements of large types take: 900 KB of `[{},{},…]` would be 1.2 GB of structs of 4 KB.
  ///
  ///     var options = DecodingOptions()
  ///     options.maximumMemory = 16 << 20
  ///
  /// What a model allocates itself is not counted: objects, and collections that it appends to; but elements of more than
  /// 128 bytes that it takes from an `UnkeyedDecodingContainer` are. By default smaller ones are not counted anywhere: they
  /// cannot take more. What is decoded twice from one reading of a document counts twice. Each collection that is decoded
  /// from ``JSONValue/view`` counts for all that is inside it.
  public var maximumMemory: Int? {
    get { rules.maximum_memory == 0 ? nil : Int(clamping: rules.maximum_memory) }
    set { rules.maximum_memory = newValue.map { UInt64(max($0, 1)) } ?? 0 }
  }

  /// Which member counts when an object has several of one key.
  public var duplicateKeys: DuplicateKeys {
    get { DuplicateKeys(rawValue: rules.duplicates) ?? .first }
    set { rules.duplicates = newValue.rawValue }
  }

  /// How many errors of a document are reported one by one, at most 65,535; the rest are counted. So many errors has what
  /// a decode throws, and so many have the lists of what its model skipped (``LossyArray/skipped``) together: the first
  /// ones in document order. 1 is fail-fast: the
  /// first error alone, nothing counted, and of arrays and dictionaries nothing decoded behind it.
  ///
  /// This bounds what a document's errors take, whatever containers they are in. An error is some hundred bytes and, of a
  /// small document, shares a copy of the text with the others; its texts are made when they are read.
  public var maximumErrors: Int {
    get { Int(rules.maximum_errors) }
    set { rules.maximum_errors = UInt16(clamping: max(newValue, 1)) }
  }

  /// What is read that RFC 8259 forbids: nothing, unless asked for. ``DecodingOptions/Engine/native`` alone can; other
  /// engines refuse with ``DecodeError/Code/unsupported``.
  public var relaxations: Relaxations {
    get { Relaxations(rawValue: rules.relaxations) }
    set { rules.relaxations = newValue.rawValue }
  }

  /// What errors call the document, such as a file's name. What a model keeps does not know it: neither the errors of
  /// ``LossyArray/skipped`` nor those of a ``JSONValue`` inside the model.
  public var sourceName: String?

  /// Leaves the document's values out of errors: `expected an integer, found a string`, without the source
  /// line and the keys of its objects. Codes, places and paths stay, and so do messages of a model's own.
  public var redactsInput: Bool {
    get { rules.redacts != 0 }
    set { rules.redacts = newValue ? 1 : 0 }
  }

  /// What becomes of members that a model's fields do not name. Models by `@JSONModel` follow it, and `Codable` models
  /// where it is an option of their decoder; models by hand do by ``JSON/checkMembers(known:closed:)-(KnownKeys,_)``.
  public var unknownMembers: UnknownMembers {
    get { rules.rejects_unknown != 0 ? .reject : .ignore }
    set { rules.rejects_unknown = newValue == .reject ? 1 : 0 }
  }

  /// What becomes of members that a model's fields do not name.
  public enum UnknownMembers: Sendable {
    /// They are skipped.
    case ignore
    /// They are errors, ``DecodeError/Code/unknownKey``, with the nearest key that the model has.
    case reject
  }

  /// Which member counts when an object has several of one key. Keys are compared with their escapes
  /// undone.
  public enum DuplicateKeys: UInt8, Sendable {
    /// The first one, as in Foundation's `JSONDecoder`.
    case first = 0
    /// The last one, as in most languages' dictionaries.
    case last = 1
    /// None: the document is an error, ``DecodeError/Code/duplicateKey``.
    case reject = 2
  }

  /// Extensions of the grammar, each of its own. Text that is read with one is slower to read, and is
  /// written back as it came by ``JSONValue/text()`` only.
  public struct Relaxations: OptionSet, Sendable {
    /// A bit for each relaxation.
    public let rawValue: UInt8

    /// The relaxations of a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    private init(_ bit: Int) { rawValue = UInt8(bit) }

    /// `[1, // one` to the end of the line, and `[1 /* one */]`.
    public static var comments: Relaxations { Relaxations(DECANT_ALLOW_COMMENTS) }
    /// `[1,]` and `{"a":1,}`.
    public static var trailingCommas: Relaxations { Relaxations(DECANT_ALLOW_TRAILING_COMMAS) }
    /// `NaN`, `Infinity` and `-Infinity`, for `Double` and `Float`. Written anew, they are `null`, or an error where
    /// errors are asked for, as by ``JSONWritable/checkedJSONBytes(_:)``.
    public static var nonFiniteNumbers: Relaxations { Relaxations(DECANT_ALLOW_NON_FINITE) }
    /// The bytes EF BB BF before the document.
    public static var byteOrderMark: Relaxations { Relaxations(DECANT_ALLOW_BYTE_ORDER_MARK) }
    /// `"\ud800"`, an unpaired surrogate, as U+FFFD.
    public static var loneSurrogates: Relaxations { Relaxations(DECANT_ALLOW_LONE_SURROGATES) }
    /// What Foundation's `JSONDecoder` reads beyond RFC 8259: trailing commas and a byte order mark. Text in UTF-16 and
    /// UTF-32, which it reads too, has to be converted first.
    public static var jsonDecoder: Relaxations { [.trailingCommas, .byteOrderMark] }
  }

  /// The standard options, except those that are given.
  public init(
    engine: Engine = .native,
    maximumDepth: Int = 512,
    maximumBytes: Int = Int(clamping: UInt32.max - 1),
    maximumMemory: Int? = nil,
    duplicateKeys: DuplicateKeys = .first,
    maximumErrors: Int = 64,
    sourceName: String? = nil,
    relaxations: Relaxations = [],
    redactsInput: Bool = false,
    unknownMembers: UnknownMembers = .ignore
  ) {
    self.engine = engine
    self.sourceName = sourceName
    rules = DecodingOptions.standardRules
    self.maximumDepth = maximumDepth
    self.maximumBytes = maximumBytes
    self.maximumMemory = maximumMemory
    self.duplicateKeys = duplicateKeys
    self.maximumErrors = maximumErrors
    self.relaxations = relaxations
    self.redactsInput = redactsInput
    self.unknownMembers = unknownMembers
  }

  /// The rules of `DecodingOptions()`, for entries without options: plain words, nothing to copy.
  @_alwaysEmitIntoClient
  package static var standardRules: decant_rules {
    decant_rules(
      maximum_bytes: 4_294_967_294, maximum_memory: 0, maximum_depth: 512, maximum_errors: 64,
      duplicates: UInt8(DECANT_DUPLICATES_FIRST), in_part: 0, rejects_unknown: 0, relaxations: 0,
      redacts: 0)
  }
}

// MARK: - Engines

extension DecodingOptions {
  /// The tokenizer behind the values. Every engine gives the same answers; the documentation lists the few
  /// differences that cannot be removed.
  ///
  /// The core knows one, ``native``. A module that brings another extends this type, as DecantJansson does
  /// with `jansson`.
  @frozen @safe
  public struct Engine: Sendable, Equatable {
    // SAFETY: a table that lives as long as the program and is never written after it was made.
    @usableFromInline
    nonisolated(unsafe) package let table: UnsafePointer<decant_engine>?

    /// Decant's own structural index: the default, and the fast one.
    @_alwaysEmitIntoClient
    public static var native: Engine { unsafe Engine(table: nil) }

    @_alwaysEmitIntoClient
    package var isNative: Bool { unsafe table == nil }

    @unsafe @_alwaysEmitIntoClient
    package init(table: UnsafePointer<decant_engine>?) { unsafe self.table = unsafe table }

    /// `native`, `jansson`, …
    public var name: String {
      unsafe table.map { unsafe String(cString: $0.pointee.name) } ?? "native"
    }

    /// Whether two engines are one.
    public static func == (left: Engine, right: Engine) -> Bool {
      unsafe left.table == right.table
    }
  }
}
