// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The public options for reading a document: the engine, the limits, the treatment of duplicate and unknown keys, the
// errors, and the relaxations of the grammar. They are stored as the C struct that the engines read, so that a call
// copies one struct.

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
  /// Reading a document takes constant stack, whatever its depth. A recursive model takes stack for every level. If the
  /// thread's stack is nearly used up first, decoding fails with the same code at that level.
  public var maximumDepth: Int {
    get { Int(rules.maximum_depth) }
    set { rules.maximum_depth = UInt32(clamping: newValue) }
  }

  /// How many bytes a document may have. The error is ``DecodeError/Code/tooLarge``. No engine reads more than 4 GiB.
  /// This bounds memory, too: the native engine takes at most eight bytes for each byte of a document.
  public var maximumBytes: Int {
    get { Int(clamping: rules.maximum_bytes) }
    set { rules.maximum_bytes = UInt64(clamping: newValue) }
  }

  /// How many bytes of memory a document may take: its index and the elements of the arrays, sets and dictionaries
  /// that are decoded from it, all together. The error is ``DecodeError/Code/tooLarge``, about the array or object
  /// that would exceed the limit. Nil, the default, means 64 bytes for each byte of the document, and at least 64
  /// MiB.
  ///
  /// This bounds the memory of small elements of large types: 900 KB of `[{},{},…]` would be 1.2 GB of structs of 4
  /// KB.
  ///
  ///     var options = DecodingOptions()
  ///     options.maximumMemory = 16 << 20
  ///
  /// Memory that a model allocates itself is not counted, such as objects and collections that it appends to;
  /// elements of more than 128 bytes from an `UnkeyedDecodingContainer` are counted, and members of more than 128 bytes
  /// from a `KeyedDecodingContainer` whose `allKeys` the model has read, unless its keys are the cases of an enum. By
  /// default, smaller elements are not counted, because they cannot exceed the limit. A value that is decoded twice
  /// counts twice. Each collection that is decoded from ``JSONValue/view`` counts for all that is inside it.
  public var maximumMemory: Int? {
    get { rules.maximum_memory == 0 ? nil : Int(clamping: rules.maximum_memory) }
    set { rules.maximum_memory = newValue.map { UInt64(max($0, 1)) } ?? 0 }
  }

  /// Which member counts if an object has several with the same key.
  public var duplicateKeys: DuplicateKeys {
    get { DuplicateKeys(rawValue: rules.duplicates) ?? .first }
    set { rules.duplicates = newValue.rawValue }
  }

  /// How many errors of a document are reported one by one, at most 65,535; the rest are counted. The limit applies
  /// to the errors that a decode throws, and to all lists of skipped values (``LossyArray/skipped``) together; the
  /// first ones in document order are kept. 1 means fail-fast: only the first error is reported, no others are
  /// counted, and arrays and dictionaries stop at it.
  ///
  /// This bounds the memory of a document's errors. An error takes some hundred bytes. The errors of a small document
  /// share a copy of its text; their own texts are made on demand.
  public var maximumErrors: Int {
    get { Int(rules.maximum_errors) }
    set { rules.maximum_errors = UInt16(clamping: max(newValue, 1)) }
  }

  /// Extensions of RFC 8259 that are accepted; none by default. Only ``DecodingOptions/Engine/native`` supports them;
  /// other engines fail with ``DecodeError/Code/unsupported``.
  public var relaxations: Relaxations {
    get { Relaxations(rawValue: rules.relaxations) }
    set { rules.relaxations = newValue.rawValue }
  }

  /// The name of the document in errors, such as a file's name. Errors that a model keeps do not have it: neither
  /// those of ``LossyArray/skipped`` nor those of a ``JSONValue`` inside the model.
  public var sourceName: String?

  /// Leaves the document's values out of errors: `expected an integer, found a string`, without the source line and
  /// the keys of its objects. Codes, places, paths and a model's own messages remain.
  public var redactsInput: Bool {
    get { rules.redacts != 0 }
    set { rules.redacts = newValue ? 1 : 0 }
  }

  /// Whether members that no field names are ignored or rejected. `@JSONModel` models follow it, and so do `Codable`
  /// models if their decoder has the option; models by hand call ``JSON/checkMembers(known:closed:)-(KnownKeys,_)``.
  public var unknownMembers: UnknownMembers {
    get { rules.rejects_unknown != 0 ? .reject : .ignore }
    set { rules.rejects_unknown = newValue == .reject ? 1 : 0 }
  }

  /// The treatment of members that no field names.
  public enum UnknownMembers: Sendable {
    /// They are skipped.
    case ignore
    /// They are errors, ``DecodeError/Code/unknownKey``, with the nearest key that the model has.
    case reject
  }

  /// Which member counts if an object has several with the same key. Keys are compared after unescaping.
  public enum DuplicateKeys: UInt8, Sendable {
    /// The first one, as in Foundation's `JSONDecoder`.
    case first = 0
    /// The last one, as in most languages' dictionaries.
    case last = 1
    /// None: the document is an error, ``DecodeError/Code/duplicateKey``.
    case reject = 2
  }

  /// Extensions of the grammar, each independent of the others. They make reading slower. Only ``JSONValue/text()``
  /// writes such text back unchanged.
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
    /// `NaN`, `Infinity` and `-Infinity`, for `Double` and `Float`. Writing makes them `null`, or an error with
    /// ``JSONWritable/checkedJSONBytes(_:)``.
    public static var nonFiniteNumbers: Relaxations { Relaxations(DECANT_ALLOW_NON_FINITE) }
    /// The bytes EF BB BF before the document.
    public static var byteOrderMark: Relaxations { Relaxations(DECANT_ALLOW_BYTE_ORDER_MARK) }
    /// `"\ud800"`, an unpaired surrogate, as U+FFFD.
    public static var loneSurrogates: Relaxations { Relaxations(DECANT_ALLOW_LONE_SURROGATES) }
    /// What Foundation's `JSONDecoder` reads beyond RFC 8259: trailing commas and a byte order mark. Convert text in
    /// UTF-16 and UTF-32, which `JSONDecoder` also reads, to UTF-8 first.
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
  /// The tokenizer behind the values. All engines give the same results; the documentation lists the few exceptions.
  ///
  /// The core has one engine, ``native``. A module with another engine extends this type, as DecantJansson does with
  /// `jansson`.
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

    /// Whether both are the same engine.
    public static func == (left: Engine, right: Engine) -> Bool {
      unsafe left.table == right.table
    }
  }
}
