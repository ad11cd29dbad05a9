// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The text of headers, byte for byte: Golden/*.h. DECANT_GOLDEN=update in the environment writes them as they
// are now; `git diff` shows what changed. Tests/C/run compiles them.

import DecantC
import DecantHeader
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

private let headers = [
  CHeader("everything.h", "Every kind.\nA second paragraph.", [Everything.self]),
  CHeader("reader.h", "", [Reader.self]),
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
        "decode_everything_lines()", "reader.h", "decode_reader_lines()",
      ])
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
  }
}
