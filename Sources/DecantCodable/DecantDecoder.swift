// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The replacement for Foundation's `JSONDecoder`. Each call uses a `DecodeContext`; CoderState.swift tells how they are
// kept between calls.

public import DecantCore

/// Decodes `Decodable` models from JSON, with the options and results of `JSONDecoder`, from any bytes, several times
/// faster, and with lines and columns in errors.
///
///     let user = try DecantDecoder().decode(User.self, from: bytes)
///
/// Many tasks may use one decoder at once. Options apply to the calls that begin after they are set.
@safe
open class DecantDecoder: @unchecked Sendable {
  package let state = CoderState<DecodeContext>(Settings())

  /// A decoder with the default options.
  public init() {}

  // MARK: - Options

  /// How a document is read: engine, depth, size, duplicate keys, and so on.
  open var options: DecodingOptions {
    get { state.setting { $0.options } }
    set { state.set { $0.options = newValue } }
  }

  /// How JSON keys become the keys that models ask for.
  open var keyDecodingStrategy: KeyDecodingStrategy {
    get { state.setting { $0.keys } }
    set { state.set { $0.keys = newValue } }
  }

  /// The strings that represent infinities and NaN.
  open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { state.setting { $0.floats } }
    set { state.set { $0.floats = newValue } }
  }

  /// The `userInfo` of the models' decoders.
  ///
  /// A subclass may override this property: what it returns when a call begins counts.
  @preconcurrency open var userInfo: [CodingUserInfoKey: any Sendable] {
    get { state.setting { $0.userInfo } }
    set { state.set { $0.userInfo = newValue } }
  }

  /// Whether errors quote the document's values: `expected an integer, found the string "5"` instead of `expected an
  /// integer, found a string`, and the source line of text that is not JSON. By default they do not, like those of
  /// `JSONDecoder`: they have kind, path and place only. ``DecodingOptions/redactsInput`` hides values in any case.
  ///
  /// Errors of ``JSONDecodable`` models follow this property inside a `Decodable` model. Errors that a model's
  /// `init(from:)` makes itself are unchanged.
  open var showsValuesInErrors: Bool {
    get { state.setting { $0.showsValues } }
    set { state.set { $0.showsValues = newValue } }
  }

  /// Whether members that a model does not look up are ignored or rejected; a part of ``options``.
  ///
  ///     decoder.unknownMembers = .reject
  ///     // dataCorrupted at `retires`, 1:2: unknown key; did you mean "retries"?
  ///
  /// When a model's `init(from:)` returns, its containers must have looked up every member of their objects, one by one
  /// or by `allKeys`. Initializers that get the same decoder, such as `super.init(from: decoder)`, share their keys with
  /// the model. A value in a single value container is a model by itself. Dictionaries accept all members, and objects
  /// without a container are not checked. All unknown members of a model are one error, `dataCorrupted` with the
  /// ``DecodeError`` as its underlying error.
  ///
  /// With `.reject`, decoding takes two to four times as long.
  open var unknownMembers: DecodingOptions.UnknownMembers {
    get { options.unknownMembers }
    set { options.unknownMembers = newValue }
  }

  /// Whether documents may be JSON5, as far as ``DecodingOptions/relaxations`` reach: with comments, trailing
  /// commas, `NaN`, `Infinity` and a byte order mark.
  ///
  /// The rest of JSON5 is an error: single quotes, keys without quotes, hexadecimal numbers, numbers that begin with
  /// `+` or `.` or end with `.`, `-NaN`, `\x41` and line ends in strings, and white space that JSON does not have.
  open var allowsJSON5: Bool {
    get { options.relaxations.isSuperset(of: DecantDecoder.json5) }
    set {
      if newValue {
        options.relaxations.formUnion(DecantDecoder.json5)
      } else {
        options.relaxations.subtract(DecantDecoder.json5)
      }
    }
  }

  /// Whether the document is the inside of an object, without its braces. A document with braces is read unchanged.
  open var assumesTopLevelDictionary: Bool {
    get { state.setting { $0.assumesObject } }
    set { state.set { $0.assumesObject = newValue } }
  }

  // MARK: - Decoding

  /// Decodes a document.
  ///
  /// The bytes are borrowed for the call. The text is copied only if a model keeps its `Decoder` or one of its
  /// containers. The memory of such a container is released by a later decode.
  ///
  /// - Throws: `DecodingError`, or whatever a model's `init(from:)` throws. Text that is not JSON is
  ///   `dataCorrupted` with a ``DecodeError`` as its underlying error.
  open func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from bytes: borrowing some JSONBytes & ~Escapable
  ) throws -> Model {
    if type != Model.self { return try decode(from: bytes) { try $0.decodeSubclass(type) } }
    let call = acquire()
    defer { state.release(call) }
    return try read(type, from: bytes, by: call.session.with { $0.decoder(of: type) }, call.session)
  }

  /// Decodes the value of a view during the decoding of its document.
  ///
  /// This function decodes even a ``JSONDecodable`` type by its `init(from:)`, so that a `decode(_:)` can call it.
  /// All other functions prefer `decode(_:)`.
  public final func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from json: JSON
  ) throws -> Model {
    let call = acquire()
    defer { state.release(call) }
    return try call.session.with { try $0.decodeModel(type, from: json) }
  }

  /// The same with an error of the view's document.
  final func decoded<Model: Decodable>(_ type: Model.Type, from json: JSON) -> Decoded<Model> {
    let call = acquire()
    defer { state.release(call) }
    return call.session.with { context in
      context.decoded(from: json) { try context.decodeModel(type, from: json) }
    }
  }

  /// Decodes a value that owns its document.
  public final func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from value: JSONValue
  ) throws -> Model {
    try value.withView { (json) throws(any Error) in
      let call = acquire()
      defer { state.release(call) }
      return try call.session.with { context in
        if type != Model.self {
          return try context.decode(from: json) { try $0.decodeSubclass(type) }
        }
        return try context.decode(type, from: json, by: context.decoder(of: type))
      }
    }
  }
}

extension DecantDecoder {
  /// All options as they are now.
  package var settings: Settings { state.setting { $0 } }

  private static var json5: DecodingOptions.Relaxations {
    [.comments, .trailingCommas, .nonFiniteNumbers, .byteOrderMark]
  }

  /// A session for one call, with more `userInfo`; `state.release` has to follow.
  @inline(__always)
  private func acquire(adding userInfo: UserInfo? = nil) -> CoderState<DecodeContext>.Lease {
    if type(of: self) == DecantDecoder.self { return state.acquire(adding: userInfo) }
    return state.acquire(adding: self.userInfo.adding(userInfo ?? [:]))
  }
}

extension DecodeContext {
  fileprivate func decodeModel<Model: Decodable>(
    _ type: Model.Type, from json: JSON
  ) throws -> Model {
    if type == Model.self {
      let typeDecoder = decoder(of: type)
      if !typeDecoder.with({ $0.isByView }) {
        return try decode(type, from: json, by: typeDecoder)
      }
    }
    return try decode(from: json) { try $0.checkedModel(type) }
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
  @preconcurrency public func decode<Model: Decodable>(
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
    let call = acquire(adding: userInfo.isEmpty ? nil : userInfo)
    defer { state.release(call) }
    let function = FunctionDecoder(body)
    // SAFETY: the function lives until the end of the call.
    defer { withExtendedLifetime(function) {} }
    return try read(Model.self, from: bytes, by: unsafe Reference(function), call.session)
  }

  /// Reads a document, and decodes its root by a type decoder.
  // SAFETY: the context exists until it is released; the bytes are used inside the closure only.
  @inline(__always)
  private func read<Model>(
    _ type: Model.Type, from bytes: borrowing some JSONBytes & ~Escapable,
    by typeDecoder: Reference<AnyTypeDecoder>, _ context: Reference<DecodeContext>
  ) throws -> Model {
    let buffer = unsafe context.with { unsafe $0.buffer(for: type) }
    let failure = unsafe bytes.withJSONBytes { bytes in
      context.with { unsafe $0.read(bytes, by: typeDecoder, into: buffer) }
    }
    return try context.with { try unsafe $0.finish(type, in: buffer, failure) }
  }
}

// MARK: - Sessions

/// Decodes one value after the other, as a decoder said once: for one thread at a time. Nothing is acquired for each value.
package final class DecodingSession {
  private var context: DecodeContext

  package init(_ settings: Settings) { context = DecodeContext(settings, version: 0) }

  /// How a document is read.
  package var options: DecodingOptions { context.settings.options }

  /// Decodes the value of a view during the decoding of its document.
  package func decode<Model: Decodable>(
    _ type: Model.Type, from json: JSON
  ) -> Decoded<Model> {
    EscapedContainers.collect()
    let context = context
    defer {
      if context.hasKept {
        self.context = DecodeContext(context.settings, version: 0)
      }
    }
    return context.decoded(from: json) {
      try context.decode(type, from: json, by: context.decoder(of: type))
    }
  }
}
