// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where the engines do not give the same answer: the closed list. Whatever is not a row here is the same on
// both, and a test or a fuzzer that finds otherwise has found a bug. Every row is run on both engines, so a
// difference that goes away has to leave the list.
//
// One difference has no row: libjansson keeps no places, so its errors have a path and no line and column,
// and errors of syntax have neither. Depth, NUL bytes and byte order marks are found before libjansson
// sees the text and do have a place.

public import Decant
import DecantJansson

/// One difference between the engines, by an input that shows it.
public struct Difference: Sendable {
  public let what: String
  public let input: [UInt8]
  public let options: DecodingOptions
  /// What becomes of the input, as text: the model, or the error's code and message.
  public let outcome: @Sendable ([UInt8], DecodingOptions) -> String
  public let native: String
  public let jansson: String
  public let reason: String

  init<Model: JSONDecodable & Sendable>(
    _ what: String, _ input: String, as type: Model.Type, native: String, jansson: String,
    options: DecodingOptions = DecodingOptions(), because reason: String,
    show: @escaping @Sendable (Model) -> String = { "\($0)" }
  ) {
    self.init(
      what, bytes: Array(input.utf8), as: type, native: native, jansson: jansson, options: options,
      because: reason, show: show)
  }

  init<Model: JSONDecodable & Sendable>(
    _ what: String, bytes: [UInt8], as type: Model.Type, native: String, jansson: String,
    options: DecodingOptions = DecodingOptions(), because reason: String,
    show: @escaping @Sendable (Model) -> String = { "\($0)" }
  ) {
    self.what = what
    self.input = bytes
    self.options = options
    self.native = native
    self.jansson = jansson
    self.reason = reason
    self.outcome = { bytes, options in
      switch Model.decode(from: bytes, options: options) {
      case .success(let model): show(model)
      case .failure(let error): "\(error.code.rawValue) \(error.message)"
      }
    }
  }
}

extension Difference {
  private static let int64 = "libjansson's integers are Int64"
  private static let tooBig = "111 libjansson, line 1, whose integers are those of Int64: "
  private static let tree = "libjansson's tree keeps the value of a number, not its text"
  private static let codes = "libjansson's parser has one code for most offences"
  private static let last = DecodingOptions(duplicateKeys: .last)

  /// The closed list.
  public static let all: [Difference] = numbers + texts + objects + syntax

  private static let numbers: [Difference] = [
    Difference(
      "integers beyond Int64 fit wider types natively", "9223372036854775808", as: UInt64.self,
      native: "9223372036854775808", jansson: tooBig + "too big integer near '9223372036854775808'",
      because: int64),
    Difference(
      "integers beyond Int64 fit wider types natively", "-9223372036854775809", as: Int128.self,
      native: "-9223372036854775809",
      jansson: tooBig + "too big negative integer near '-9223372036854775809'",
      because: int64),
    Difference(
      "integers beyond Int64 are out of range for an Int natively", "9223372036854775808",
      as: Int.self, native: "203 out of range for Int: 9223372036854775808",
      jansson: tooBig + "too big integer near '9223372036854775808'", because: int64),
    Difference(
      "integers beyond Int64 are Doubles natively", "123456789012345678901234567890",
      as: Double.self, native: "1.2345678901234568e+29",
      jansson: tooBig + "too big integer", because: int64),
    Difference(
      "integers beyond Int64 are values natively", "[18446744073709551616]", as: JSONValue.self,
      native: "[18446744073709551616]",
      jansson: tooBig + "too big integer near '18446744073709551616'",
      because: int64),
    Difference(
      "numbers beyond a Double are values natively", #"{"id":1,"big":1e400}"#, as: JSONValue.self,
      native: #"{"id":1,"big":1e400}"#,
      jansson:
        "111 libjansson, line 1, whose reals are those of Double: real number overflow near '1e400'",
      because: "libjansson's reals are Doubles"),
    Difference(
      "numbers beyond a Double are out of range for one natively", "-1e400", as: Double.self,
      native: "203 out of range for Double: -1e400",
      jansson:
        "111 libjansson, line 1, whose reals are those of Double: real number overflow near '-1e400'",
      because: "libjansson's reals are Doubles"),
    Difference(
      "the integer -0 keeps its sign as a Double natively", "-0", as: Double.self, native: "-0.0",
      jansson: "0.0", because: int64),
    Difference(
      "Floats are rounded once natively", "16777217.000000001", as: Float.self,
      native: "1.6777218e+07", jansson: "16777216.0", because: "libjansson's reals are Doubles"),
    Difference(
      "numbers keep their spelling natively", "[1.50,1e2,-0]", as: JSONValue.self,
      native: "[1.50,1e2,-0]", jansson: "[1.5,100.0,0]", because: tree),
    Difference(
      "numbers keep their spelling in a JSONNumber natively", "1.50", as: JSONNumber.self,
      native: "1.50", jansson: "1.5", because: tree),
    Difference(
      "integers that are spelled as reals are exact natively", "9007199254740993.0",
      as: Integral.self, native: "9007199254740993", jansson: "9007199254740992", because: tree
    ) { "\($0.value)" },
    Difference(
      "numbers keep their spelling in errors natively", "1.50", as: Int.self,
      native: "204 not an integer: 1.50",
      jansson: "204 not an integer: 1.5", because: tree),
    Difference(
      "numbers beyond a Double's precision are distinct values natively",
      "[0.1,0.1000000000000000000001]", as: [JSONValue].self, native: "2 values",
      jansson: "1 values", because: tree
    ) { "\(Set($0).count) values" },
    Difference(
      "what underflows keeps its value in a JSONValue natively", "1e-400", as: JSONValue.self,
      native: "1e-400", jansson: "0.0", because: tree),
  ]

  private static let texts: [Difference] = [
    Difference(
      "values keep their white space and escapes natively", #"{ "a" : "\u0041" }"#,
      as: JSONValue.self, native: #"{ "a" : "\u0041" }"#, jansson: #"{"a":"A"}"#,
      because: "libjansson's tree keeps no text"),
    Difference(
      "keys may have a NUL character natively", #"{"a\u0000b":1}"#, as: [String: Int].self,
      native: #"["a\0b": 1]"#,
      jansson:
        #"101 libjansson, line 1: NUL byte in object key not supported near '"a\u0000b"'"#,
      because: "libjansson cannot have NUL in keys"),
    Difference(
      "more than 2048 levels need the native engine",
      String(repeating: "[", count: 2_100) + String(repeating: "]", count: 2_100),
      as: JSONValue.self, native: "array",
      jansson: "301 nested too deeply: the limit of libjansson is 2048 levels",
      options: DecodingOptions(maximumDepth: 3_000),
      because: "libjansson is compiled with a limit of 2048"
    ) { "\($0.kind)" },
  ]

  private static let objects: [Difference] = [
    Difference(
      "the first of equal keys counts natively", #"{"a":1,"a":2}"#, as: [String: Int].self,
      native: #"["a": 1]"#,
      jansson: #"""
        207 libjansson, line 1, which can keep the last of two members with one key but not the \#
        first: duplicate object key near '"a"'
        """#,
      because: "libjansson can keep the last or refuse; it refuses rather than answer otherwise"),
    Difference(
      "members that do not count are there to iterate over natively", #"{"a":1,"a":2}"#,
      as: JSONValue.self, native: #"["a", "a"]"#, jansson: #"["a"]"#, options: last,
      because: "libjansson's tree has one member a key"
    ) { "\($0.members?.map(\.key) ?? [])" },
    Difference(
      "a null that was reached by hand has its path natively", #"{"a":{"b":null},"c":null}"#,
      as: PathByHand.self, native: "/a/b", jansson: "",
      because: "libjansson's tree has one node for every null, and one for true and false each"
    ) { $0.path },
    Difference(
      "a null of a JSONDecodable member inside a CodableModel has its path natively",
      #"{"kind":null,"flags":null}"#, as: PathInCodable.self, native: "/kind", jansson: "",
      because: "libjansson's tree has one node for every null, and one for true and false each"
    ) { $0.path },
  ]

  /// The code that libjansson gives a text where the native engine gives `code`: what it calls invalid
  /// syntax is ``DecodeError/Code/unexpectedByte``, and the end of the input inside an escape is, too.
  public static func janssonCode(_ code: DecodeError.Code, _ text: String) -> DecodeError.Code {
    if code == .unexpectedEnd, text.contains("\\"), !text.contains("\\\"") {
      return .unexpectedByte
    }
    let merged: [DecodeError.Code] = [
      .invalidLiteral, .invalidNumber, .controlCharacter, .invalidEscape, .loneSurrogate,
    ]
    return merged.contains(code) ? .unexpectedByte : code
  }

  private static let syntax: [Difference] = [
    Difference(
      "a code of its own natively", "[nul]", as: JSONValue.self,
      native: "103 expected null, found ']'",
      jansson: "101 libjansson, line 1: invalid token near 'nul'",
      because: codes),
    Difference(
      "a code of its own natively", "[01]", as: JSONValue.self,
      native: "104 numbers have no leading zeros, found '1'",
      jansson: "101 libjansson, line 1: invalid token near '0'",
      because: codes),
    Difference(
      "a code of its own natively", "[\"\t\"]", as: JSONValue.self,
      native: #"105 byte 0x09 must be escaped in a string, as \t"#,
      jansson: #"101 libjansson, line 1: control character 0x9 near '"'"#,
      because: codes),
    Difference(
      "a code of its own natively", #"["\x"]"#, as: JSONValue.self,
      native: #"106 expected one of " \ / b f n r t u after '\', found 'x'"#,
      jansson: #"101 libjansson, line 1: invalid escape near '"\x'"#,
      because: codes),
    Difference(
      "a code of its own natively", #"["\ud800"]"#, as: JSONValue.self,
      native: #"107 unpaired surrogate \ud800: a high surrogate must be followed by \udc00-\udfff"#,
      jansson: #"101 libjansson, line 1: invalid Unicode '\uD800' near '"\ud800"'"#,
      because: codes),
    Difference(
      "the end of the input inside an escape has its code natively", #""\u12"#, as: JSONValue.self,
      native: "102 the input ends inside a string; the string begins at 1:1",
      jansson: #"101 libjansson, line 1: invalid escape near '"\u12'"#,
      because: codes),
    Difference(
      "a literal or number that goes on has its code natively", "1-", as: JSONValue.self,
      native: "104 expected the end of the number, found '-'",
      jansson: "109 libjansson, line 1: end of file expected near '-'",
      because: "libjansson's tokens end before what cannot belong to them"),
    Difference(
      "bytes that are no UTF-8 are as any others outside of strings natively", bytes: [0x5B, 0xFF],
      as: JSONValue.self, native: "101 expected a value or ']', found byte 0xff",
      jansson: "108 libjansson, line 1: unable to decode byte 0xff",
      because: "libjansson's parser reads characters, not bytes"),
    Difference(
      "the offending byte natively", "[1 2]", as: JSONValue.self,
      native: "101 expected ',' or ']', found '2'",
      jansson: "101 libjansson, line 1: ']' expected near '2'", because: codes),
  ]
}

/// The path of what is wrong with a value that no verb led to.
private struct PathByHand: JSONDecodable, Sendable {
  let path: String

  static func decode(_ json: JSON) -> Decoded<PathByHand> {
    guard case .failure(let error) = json["a"]["b"].decoded(Int.self) else {
      return .success(PathByHand(path: "no error"))
    }
    return .success(PathByHand(path: error.resolved(in: json).path.description))
  }
}

/// The path of an error of a `JSONDecodable` member of a `Decodable` model that a view decodes.
private struct PathInCodable: JSONDecodable, Sendable {
  private struct Kind: Decodable, JSONDecodable {
    let value: Int
    static func decode(_ json: JSON) -> Decoded<Kind> { json.decoded(Int.self).map(Kind.init) }
  }
  private struct Order: Decodable { let kind: Kind }

  let path: String

  static func decode(_ json: JSON) -> Decoded<PathInCodable> {
    guard case .failure(let error) = CodableModel<Order>.decode(json) else {
      return .success(PathInCodable(path: "no error"))
    }
    return .success(PathInCodable(path: error.resolved(in: json).path.description))
  }
}

/// An integer, however it is spelled.
private struct Integral: JSONDecodable, Sendable {
  let value: Int

  static func decode(_ json: JSON) -> Decoded<Integral> {
    json.converted(using: .integral).map { Integral(value: $0) }
  }
}
