// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The text of headers, byte for byte: Golden/*.h. DECANT_GOLDEN=update in the environment writes them as they
// are now; `git diff` shows what changed. Tests/C/run compiles them.

import DecantC
@testable import DecantHeader
import Foundation
import Testing

private struct Reader: CModel {
  static func layout(_ c: inout CLayout<Reader>) {
    c.structure(
      "reader", "Who has a part of another header.", prefix: "library", isPart: true, lines: true)
    c.field("part", { _ in Part(x: 0, y: 0) })
    c.field("state", { _ in State.open })
  }
}

/// Comments that would end early or that compilers warn of, and a flag that is no constant of an enum.
private struct Odd: CModel {
  static func layout(_ c: inout CLayout<Odd>) {
    c.structure(
      "odd", "Of a/*.json /*/ and **/ what??/\nis \\\r\nthat\u{0} \u{202E}all??/",
      prefix: "library", isPart: true)
    c.field("class_", { _ in 1 }, "of a/*.c */")
    c.field("two_lines", { _ in 1 }, "one\ntwo")
    c.field("days", { _ in Set(Day.allCases) })
    c.field("last", { _ in Set(Last.allCases) })
  }
}
private enum Day: CFlag {
  case first, second, last
  static var cName: String { "day" }
  var cConstant: Int64 { [1, 1 << 30, 1 << 31][Day.allCases.firstIndex(of: self) ?? 0] }
}
private enum Last: CFlag {
  case only
  static var cName: String { "last" }
  var cConstant: Int64 { 1 << 31 }
}

/// Two that refer to each other: one is inside the other, which it points to.
private struct Wheel: CModel {
  static func layout(_ c: inout CLayout<Wheel>) {
    c.structure("wheel", "", isPart: true)
    c.field("carts", { _ in [Cart]() })
    c.field("axle", { _ in Axle?.none })
  }
}
private struct Cart: CModel {
  static func layout(_ c: inout CLayout<Cart>) {
    c.structure("cart", "")
    c.field("wheel", { _ in Wheel() })
  }
}
private struct Axle: CModel {
  static func layout(_ c: inout CLayout<Axle>) {
    c.structure("axle", "", isPart: true)
    c.field("carts", { _ in Cart?.none })
    c.field("left", { _ in Wheel() })
  }
}

/// A part that points to what has it in another part.
private struct Engine: CModel {
  static func layout(_ c: inout CLayout<Engine>) {
    c.structure("engine", "", isPart: true)
    c.field("garages", { _ in [Garage]() })
  }
}
private struct Van: CModel {
  static func layout(_ c: inout CLayout<Van>) {
    c.structure("van", "", isPart: true)
    c.field("engine", { _ in Engine() })
  }
}
private struct Garage: CModel {
  static func layout(_ c: inout CLayout<Garage>) {
    c.structure("garage", "")
    c.field("van", { _ in Van() })
  }
}

/// A struct inside another, and constants and a part that both need.
private struct Trip: CModel {
  static func layout(_ c: inout CLayout<Trip>) {
    c.structure("trip", "", isPart: true)
    c.field("state", { _ in State.open })
    c.field("start", { _ in Part(x: 0, y: 0) })
    c.field("leg", { _ in Leg() })
  }
}
private struct Leg: CModel {
  static func layout(_ c: inout CLayout<Leg>) {
    c.structure("leg", "", isPart: true)
    c.field("state", { _ in State.open })
    c.field("start", { _ in Part(x: 0, y: 0) })
  }
}

private let headers = [
  CHeader("everything.h", "Every kind.\nA second paragraph.", [Everything.self]),
  CHeader("reader.h", "", [Reader.self]),
  CHeader("odd.h", "Comments of */*.h", [Odd.self]),
  CHeader("words.h", "", [Words.self]),
  CHeader("message.h", "", [Message.self]),
  CHeader("wheel.h", "", [Wheel.self]),
  CHeader("cart.h", "", [Cart.self]),
]

@Suite("Headers")
struct HeaderTexts {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")

  @Test("are what they were, byte for byte")
  func golden() throws {
    let texts = try CHeader.texts(headers)
    #expect(texts.map(\.file) == headers.map(\.file))
    for (file, text) in texts {
      let url = Self.folder.appending(path: file)
      if ProcessInfo.processInfo.environment["DECANT_GOLDEN"] == "update" {
        try Data(text.utf8).write(to: url)
      }
      let known = try String(contentsOf: url, encoding: .utf8)
      #expect(text == known, "\(file)")
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(file)")
    }
  }

  @Test("are the same of a model by declaration")
  func declared() throws {
    let byHand = try CHeader.texts([headers[0]])
    let declared = try CHeader.texts([
      CHeader("everything.h", "Every kind.\nA second paragraph.", [Declared.self])
    ])
    #expect(declared.map(\.text) == byHand.map(\.text))
  }

  /// What `decant-header` is handed.
  private final class Calls {
    var texts: [String] = []
  }

  @Test("are handed over with the functions that they declare")
  func sink() throws {
    let calls = Calls()
    let isFine = CHeader.write(
      headers,
      to: { context, name, text in
        guard let context, let name else { return }
        let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
        calls.texts.append(String(cString: name) + (text == nil ? "()" : ""))
      }, Unmanaged.passUnretained(calls).toOpaque())
    #expect(isFine)
    #expect(
      calls.texts == [
        "everything.h", "decode_everything()", "everything_free()", "encode_everything()",
        "decode_everythings()", "everythings_free()", "encode_everythings()",
        "decode_everything_lines()", "reader.h", "decode_reader_lines()", "odd.h", "words.h",
        "decode_words()", "words_free()", "encode_words()", "message.h", "decode_message()",
        "message_free()", "encode_message()", "decode_message_lines()", "wheel.h",
        "cart.h",
        "decode_cart()", "cart_free()",
      ])
  }

  /// The lines that a compiler reads of some headers when it reads one.
  private func read(
    _ file: String, of texts: [(file: String, text: String)], _ begun: inout [String]
  )
    -> [Substring]
  {
    guard !begun.contains(file), let text = texts.first(where: { $0.file == file }) else {
      return []
    }
    begun.append(file)
    return text.text.split(separator: "\n").flatMap { line in
      guard let other = line.wholeMatch(of: /#include "(.*)"/)?.1 else { return [line] }
      return read(String(other), of: texts, &begun)
    }
  }

  @Test("can be included in any order: a struct comes before what has it")
  func orders() throws {
    let texts = try CHeader.texts([
      CHeader("engine.h", "", [Engine.self]), CHeader("van.h", "", [Van.self]),
      CHeader("garage.h", "", [Garage.self]),
    ])
    for (file, _) in texts {
      var begun: [String] = []
      var structs: [Substring] = []
      for line in read(file, of: texts, &begun) {
        if let name = line.wholeMatch(of: /(struct \w+) {/)?.1 { structs.append(name) }
        guard let part = line.wholeMatch(of: /\s*(struct \w+) \w+;.*/)?.1 else { continue }
        #expect(structs.contains(part), "\(file): \(line)")
      }
      // What is pointed to is there, too.
      #expect(structs.count == 3, "\(file)")
    }
  }

  @Test("constants and parts that two headers need are declared with the inner struct")
  func shared() throws {
    for files in [["trip.h", "leg.h"], ["leg.h", "trip.h"]] {
      let texts = try CHeader.texts(
        files.map { CHeader($0, "", [$0 == "leg.h" ? Leg.self : Trip.self]) })
      #expect(texts.map(\.file) == files)
      var begun: [String] = []
      let lines = read("trip.h", of: texts, &begun)
      #expect(begun == ["trip.h", "leg.h"])
      #expect(
        lines.filter { $0.hasSuffix("{") && $0.hasPrefix("struct") || $0 == "enum {" }
          == ["enum {", "struct decant_part {", "struct decant_leg {", "struct decant_trip {"])
    }
  }

  // MARK: - What C would refuse

  private struct Named: CModel {
    static func layout(_ c: inout CLayout<Named>) {
      c.structure("named", "")
      c.field("class", { _ in 1 })
    }
  }
  private struct Spaced: CModel {
    static func layout(_ c: inout CLayout<Spaced>) {
      c.structure("spaced", "")
      c.field("a b", { _ in 1 })
    }
  }
  private struct Twice: CModel {
    static func layout(_ c: inout CLayout<Twice>) {
      c.structure("twice", "")
      c.field("a", { _ in "" })
      c.field("a_length", { _ in 1 })
    }
  }
  private struct Empty: CModel {
    static func layout(_ c: inout CLayout<Empty>) {
      c.structure("empty", "", isPart: true)
    }
  }
  private struct OtherPart: CModel {
    static func layout(_ c: inout CLayout<OtherPart>) {
      c.structure("part", "", isPart: true)
      c.field("x", { _ in 1 })
    }
  }
  private struct Clash: CModel {
    static func layout(_ c: inout CLayout<Clash>) {
      c.structure("clash", "", prefix: "other", isPart: true, array: "everythings")
      c.field("x", { _ in 1 })
    }
  }
  private enum Spelled: String, CEnum {
    case a = "x-y"
    case b = "x_y"
    static var cName: String { "spelled" }
  }
  private struct Constants: CModel {
    static func layout(_ c: inout CLayout<Constants>) {
      c.structure("constants", "")
      c.field("s", { _ in Spelled.a })
    }
  }
  private enum Wide: CFlag {
    case one
    static var cName: String { "wide" }
    var cConstant: Int64 { 1 << 32 }
  }
  private struct Bits: CModel {
    static func layout(_ c: inout CLayout<Bits>) {
      c.structure("bits", "")
      c.field("s", { _ in Set([Wide.one]) })
    }
  }

  private enum Kind: String, CEnum {
    case null
    static var cName: String { "value" }
  }
  private struct Kinds: CModel {
    static func layout(_ c: inout CLayout<Kinds>) {
      c.structure("kinds", "")
      c.field("kind", { _ in Kind.null })
    }
  }
  private enum Guard: String, CEnum {
    case h
    static var cName: String { "row" }
  }
  private struct Guards: CModel {
    static func layout(_ c: inout CLayout<Guards>) {
      c.structure("guards", "")
      c.field("guard", { _ in Guard.h })
    }
  }
  private struct Nothing: CEnum {
    static var allCases: [Nothing] { [] }
    static var cName: String { "nothing" }
  }
  private struct Hollow: CModel {
    static func layout(_ c: inout CLayout<Hollow>) {
      c.structure("hollow", "")
      c.field("nothing", { _ in Nothing() })
    }
  }
  private struct Parts: CModel {
    static func layout(_ c: inout CLayout<Parts>) {
      c.structure("parts", "", isPart: true, array: "part")
      c.field("part", { _ in Part(x: 0, y: 0) })
    }
  }

  private struct Inside: CModel {
    static func layout(_ c: inout CLayout<Inside>) {
      c.structure("inside", "", isPart: true)
      c.field("x", { _ in 1 })
    }
  }
  private struct Above: CModel {
    static func layout(_ c: inout CLayout<Above>) {
      c.structure("above", "", isPart: true)
      c.field("inside", { _ in Inside() })
    }
  }
  private struct Around: CModel {
    static func layout(_ c: inout CLayout<Around>) {
      c.structure("around", "", isPart: true)
      c.field("part", { _ in Part(x: 0, y: 0) })
    }
  }

  /// A model whose name, plural, prefix and member are what a test says.
  private struct Called: CModel {
    @TaskLocal static var names = ("", "", "", "")
    static func layout(_ c: inout CLayout<Called>) {
      c.structure(names.0, "", prefix: names.2, array: names.1)
      c.field(names.3, { _ in 1 })
    }
  }

  private func problem(
    _ name: String = "row", array: String = "rows", prefix: String = "my", member: String = "x",
    file: String = "row.h"
  ) -> String? {
    Called.$names.withValue((name, array, prefix, member)) {
      do throws(CHeader.Problem) {
        _ = try CHeader.texts([CHeader(file, "", [Called.self])])
        return nil
      } catch {
        return error.description
      }
    }
  }

  @Test("have no name of decant.h")
  func namesOfDecant() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    var names: Set<String> = []
    for file in [
      "decant.h", "decant_arrow.h", "decant_columns.h", "decant_documents.h", "decant_fields.h",
      "decant_writer.h",
    ] {
      let text = try String(contentsOf: root.appending(path: "Include/\(file)"), encoding: .utf8)
      let code = text.replacing(/\/\*[\s\S]*?\*\//, with: " ")
      names.formUnion(code.matches(of: /\b(?:decant|DECANT)_\w+/).map { String($0.output) })
    }
    // Those that macros of the header have for themselves.
    names = names.filter { !$0.hasPrefix("DECANT_FIELDS_") || $0 == "DECANT_FIELDS_H" }
    #expect(names.count > 100)
    #expect(names == DecantHeader.namesOfDecant)
    #expect(
      problem("value", prefix: "decant")
        == "struct decant_value: decant.h has struct decant_value, too; the model needs another prefix"
    )
    #expect(
      problem("row", array: "lines", prefix: "decant")
        == "struct decant_row: decant.h has struct decant_lines, too; the model needs another prefix"
    )
    #expect(
      problem("decant_document")
        == "struct my_decant_document: needs a function decant_document_free, which decant.h has")
    #expect(problem("value") == nil)
  }

  @Test(
    "have members that every compiler takes",
    arguments: [
      "linux", "unix", "errno", "NULL", "_Bool", "__x", "int64_t", "INT8_MAX", "UINT64_C",
      "SIZE_MAX", "SIG_ATOMIC_MIN", "WCHAR_MAX", "DECANT_ERROR_INIT",
    ])
  func members(name: String) {
    let owner =
      name.hasPrefix("DECANT")
      ? "that decant.h has for itself" : "that compilers have for themselves"
    #expect(problem(member: name) == "struct my_row: \(name) is a name \(owner)")
    // With a prefix all of them are names.
    #expect(problem("x" + name, prefix: name) == nil)
  }

  @Test("may have the name of a keyword")
  func keywords() { #expect(problem("class", array: "union", prefix: "double") == nil) }

  @Test(
    "have structs that are no keywords and no types of C's own, whose halves are a prefix and a name",
    arguments: ["co", "static", "uint_fast8", "size"])
  func standardTypes(prefix: String) {
    let name = ["co": "yield", "static": "cast"][prefix] ?? "t"
    let what = name == "t" ? "type of C's own" : "keyword of C or C++"
    let text = "\(prefix)_\(name) is a \(what); the model needs another prefix"
    #expect(problem(name, prefix: prefix) == "struct \(prefix)_\(name): \(text)")
    #expect(problem(array: name, prefix: prefix) == "struct \(prefix)_row: \(text)")
    #expect(problem(name + "s", array: "x" + name, prefix: prefix) == nil)
  }

  @Test("have names that can be included")
  func files() {
    for name in [
      "", "a\"b.h", "a\\b.h", "a\n.h", "decant.h", "decant_arrow.h", "decant_columns.h",
      "decant_documents.h", "decant_fields.h", "decant_writer.h",
    ] {
      #expect(problem(file: name) == "the header \(name): is not a name that it can have")
    }
    #expect(
      problem(prefix: "decant", file: "arrow.h")
        == "the header arrow.h: needs a macro DECANT_ARROW_H, which is there already")
    #expect(problem(file: "½ü.h") == nil)
  }

  @Test("are refused with a reason where a compiler would refuse them")
  func problems() {
    let rows: [([any CModel.Type], String)] = [
      ([Named.self], "struct decant_named: class is a keyword of C or C++"),
      ([Spaced.self], #"struct decant_spaced: "a b" is no name in C"#),
      ([Twice.self], "struct decant_twice: has two members a_length"),
      ([Empty.self], "struct decant_empty: has no members, which C forbids"),
      (
        [Part.self, OtherPart.self],
        "struct decant_part is declared twice, in row.h and in row.h"
      ),
      (
        [Everything.self, Clash.self],
        "struct other_clash: needs a function decode_everythings, which another struct has"
      ),
      (
        [Constants.self],
        "enum decant_spelled: has a constant DECANT_SPELLED_X_Y, which is there already"
      ),
      ([Bits.self], "enum decant_wide: DECANT_WIDE_ONE does not fit 32 bits"),
      (
        [Kinds.self],
        "enum decant_value: decant.h has DECANT_VALUE_NULL, too; the enum needs another prefix"
      ),
      ([Guards.self], "enum decant_row: has a constant DECANT_ROW_H, which is there already"),
      ([Hollow.self], "enum decant_nothing: has no constants, which C forbids"),
      ([Parts.self], "struct decant_parts: struct decant_part is declared twice"),
    ]
    for (models, text) in rows {
      let problem = #expect(throws: CHeader.Problem.self) {
        try CHeader.texts([CHeader("row.h", "", models)])
      }
      #expect(problem?.description == text)
    }
    let problem = #expect(throws: CHeader.Problem.self) {
      try CHeader.texts([
        CHeader("one.h", "", [Part.self]), CHeader("two.h", "", [OtherPart.self]),
      ])
    }
    #expect(problem?.description == "struct decant_part is declared twice, in one.h and in two.h")
    let pairs: [([CHeader], String)] = [
      (
        [CHeader("a.h", "", [Part.self]), CHeader("a.h", "", [Constants.self])],
        "the header a.h: is there twice"
      ),
      (
        [CHeader("a-b.h", "", [Part.self]), CHeader("a_b.h", "", [Twice.self])],
        "the header a_b.h: needs a macro DECANT_A_B_H, which is there already"
      ),
      (
        [
          CHeader("a.h", "", [Inside.self, Around.self]),
          CHeader("b.h", "", [Part.self, Above.self]),
        ],
        "a.h, b.h: structs of these are inside one another; declare them in one header"
      ),
    ]
    for (headers, text) in pairs {
      let problem = #expect(throws: CHeader.Problem.self) { try CHeader.texts(headers) }
      #expect(problem?.description == text)
    }
  }
}
