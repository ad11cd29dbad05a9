// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A header's text: structs with a comment for each member, assertions on their layout, functions. C99 and later,
// C++11 and later; C99 has no assertions.

import DecantC

struct HeaderText {
  private(set) var text = ""
  private(set) var functions: [String] = []
  private let plan: HeaderPlan

  init(_ plan: HeaderPlan) {
    self.plan = plan
    addBeginning()
    for declaration in plan.declarations {
      switch declaration {
      case .constants(let type): addConstants(type)
      case .structure(let outline): addStructure(outline)
      }
    }
    addAssertions()
    for case .structure(let outline) in plan.declarations {
      for function in FunctionText.all(of: outline) {
        text += function.text + "\n"
        functions.append(function.name)
      }
    }
    text += "#ifdef __cplusplus\n}\n#endif\n\n"
    let behind = plan.includesBehind.filter { !plan.includes.contains($0) }
    if !behind.isEmpty { text += comment("Structs that are pointed to.") }
    for file in behind { text += "#include \"\(file)\"\n" }
    text += "\(behind.isEmpty ? "" : "\n")#endif\n"
  }

  private mutating func addBeginning() {
    text += comment(
      "\(plan.header.file): written by decant-header from Swift models; not to be edited.",
      plan.header.comment, "decant.h says what holds for all functions and strings.")
    let guardName = plan.guardName
    text += "#ifndef \(guardName)\n#define \(guardName)\n\n#include <decant.h>\n"
    for (place, file) in plan.includes.enumerated() {
      text += "\(place == 0 ? "\n" : "")#include \"\(file)\"\n"
    }
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
  }

  // MARK: - Types

  private mutating func addConstants(_ type: any CConstants.Type) {
    let constants = type.namedConstants
    // Constants of enums are ints before C23. The last flag does not fit.
    let numbers = constants.filter { $0.value <= Int64(Int32.max) }
    let lines = numbers.map { "  \($0.name) = \($0.value)" }
    if !lines.isEmpty { text += "enum {\n\(lines.joined(separator: ",\n"))\n};\n\n" }
    let others = constants.filter { $0.value > Int64(Int32.max) }
    for constant in others { text += "#define \(constant.name) UINT32_C(\(constant.value))\n" }
    if !others.isEmpty { text += "\n" }
  }

  private mutating func addStructure(_ outline: COutline) {
    let tags = outline.tagConstants.enumerated().map { "  \($1) = \($0)" }
    if !tags.isEmpty { text += "enum {\n\(tags.joined(separator: ",\n"))\n};\n\n" }
    text += comment(outline.comment)
    text += "\(outline.typeName) {\n"
    let lines = outline.members.map { ("  \($0.declaration);", $0.remark) }
    let column = lines.filter { !$0.1.isEmpty }.map(\.0.count).max() ?? 0
    for (declaration, remark) in lines {
      let fits = column + remark.count + 7 <= lineLength && !remark.contains("\n")
      if fits, !remark.isEmpty {
        let gap = String(repeating: " ", count: column - declaration.count + 1)
        text += "\(declaration)\(gap)/* \(remark) */\n"
      } else {
        text += comment(remark, indentation: "  ") + "\(declaration)\n"
      }
    }
    text += "};\n\n"
    if let array = outline.arrayTypeName {
      text += comment("Several, in the order of the document.")
      text += """
        \(array) {
          \(outline.typeName) *items; /* NULL when there are none */
          size_t count;
          void *storage; /* the memory of all of them */
        };


        """
    }
  }

  // MARK: - Assertions

  private mutating func addAssertions() {
    text += comment("The layout that the library writes.")
    text += """
      #if defined __cplusplus
      #define DECANT_ASSERT static_assert
      #elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
      #define DECANT_ASSERT _Static_assert
      #endif
      #ifdef DECANT_ASSERT

      """
    for case .structure(let outline) in plan.declarations {
      let type = outline.typeName
      addAssertion("sizeof(\(type)) == \(outline.extent.size)", type)
      for member in outline.members {
        addAssertion("offsetof(\(type), \(member.name)) == \(member.offset)", member.name)
      }
    }
    text += "#undef DECANT_ASSERT\n#endif\n\n"
  }

  private mutating func addAssertion(_ condition: String, _ message: String) {
    text += filled("DECANT_ASSERT(", [condition, "\"\(message)\""]) + "\n"
  }
}

/// A call or a declaration on one line, or else its parameters on lines of their own.
private func filled(_ start: String, _ parameters: [String]) -> String {
  let line = "\(start)\(parameters.joined(separator: ", ")));"
  if line.count <= lineLength { return line }
  var result = start
  var column = lineLength
  for (place, parameter) in parameters.enumerated() {
    let word = parameter + (place < parameters.count - 1 ? "," : ");")
    let fits = column + 1 + word.count <= lineLength
    result += fits ? " \(word)" : "\n    \(word)"
    column = fits ? column + 1 + word.count : 4 + word.count
  }
  return result
}

// MARK: - Functions

/// A function's declaration and its comment.
struct FunctionText {
  let name: String
  let text: String

  private init(_ name: String, _ remark: String, _ result: String, _ parameters: String...) {
    self.name = name
    let declaration = filled("\(result)\(name)(", parameters)
    text = comment(remark) + declaration + "\n"
  }

  static func all(of outline: COutline) -> [FunctionText] {
    var all: [FunctionText] = []
    if !outline.isPart { all += value(outline.name, outline.typeName) }
    if outline.isEncoded { all.append(encoding(outline.name, outline.typeName)) }
    if let plural = outline.plural, let type = outline.arrayTypeName {
      all += array(outline.name, plural, type)
      if outline.isEncoded { all.append(encodingArray(plural, type)) }
    }
    if outline.hasLines { all.append(lines(outline.name, outline.typeName)) }
    return all
  }

  private static func value(_ name: String, _ type: String) -> [FunctionText] {
    [
      FunctionText(
        "decode_\(name)",
        """
        Decodes a document. `out` is written on success only; give it back with \(name)_free(). `error` may \
        be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE.
        """,
        "decant_status ", "const char *json", "size_t length", "\(type) *out",
        "decant_error *error"),
      FunctionText(
        "\(name)_free",
        "Gives back what decode_\(name)() allocated. NULL, and a struct that was freed before, are fine.",
        "void ", "\(type) *value"),
    ]
  }

  private static func array(_ name: String, _ plural: String, _ type: String) -> [FunctionText] {
    [
      FunctionText(
        "decode_\(plural)",
        """
        Decodes a document that is an array: all of it, or nothing and the errors of every element that \
        fails. Give it back with \(plural)_free().
        """,
        "decant_status ", "const char *json", "size_t length", "\(type) *out",
        "decant_error *error"),
      FunctionText(
        "\(plural)_free",
        "Gives back what decode_\(plural)() allocated. NULL, and what was freed before, are fine.",
        "void ", "\(type) *values"),
    ]
  }

  private static func encoding(_ name: String, _ type: String) -> FunctionText {
    FunctionText(
      "encode_\(name)",
      """
      Writes a struct as JSON into a buffer of `capacity` bytes, as decant_encode() does: `length` is set to the \
      length of the text. Returns DECANT_OK; DECANT_BUFFER_TOO_SMALL if it does not fit; or what is wrong. \
      NULL and 0 for the buffer measure.
      """,
      "decant_status ", "const \(type) *value", "char *buffer", "size_t capacity",
      "size_t *length", "decant_error *error")
  }

  private static func encodingArray(_ plural: String, _ type: String) -> FunctionText {
    FunctionText(
      "encode_\(plural)", "The same for several: a JSON array.",
      "decant_status ", "const \(type) *values", "char *buffer", "size_t capacity",
      "size_t *length", "decant_error *error")
  }

  private static func lines(_ name: String, _ type: String) -> FunctionText {
    FunctionText(
      "decode_\(name)_lines",
      """
      Decodes a document a line. `function` is called for every line that is not blank, with a struct or with \
      NULL and the error; both live until it returns, and there is nothing to free. It returns 0 to go on. \
      `line` counts from 1, and places of errors from the beginning of the stream. Returns DECANT_OK, but for \
      arguments.
      """,
      "decant_status ", "const char *json", "size_t length",
      """
      int (*function)(
              void *context, int64_t line, const \(type) *value,
              const decant_error *error)
      """,
      "void *context", "decant_error *error")
  }
}

// MARK: - Members and comments

extension CMember {
  fileprivate var declaration: String {
    switch type {
    case .union(let cases, _):
      "union {\n"
        + cases.filter { $0.model != nil }
        .map { "    \($0.model!.description.typeName) \($0.name);\n" }.joined() + "  } \(name)"
    case .pointer(let target) where target.suffix.isEmpty: "\(target.spelling) *\(name)"
    case .pointer(let target): "\(target.spelling) (*\(name))\(target.suffix)"
    default: "\(type.spelling) \(name)\(type.suffix)"
    }
  }

  /// The comment, and what constants there are.
  fileprivate var remark: String {
    if case .special(let special) = type {
      let remark = "\(special.remark)"
      return comment.isEmpty
        ? remark : remark.isEmpty ? comment.plain : "\(comment.plain); \(remark)"
    }
    guard case .constants(let type) = type else { return comment.plain }
    let family = "\(type.cPrefix)_\(type.cName)_".constantCase + "…"
    let note = type.isFlag ? "\(family), or-ed" : family
    return comment.isEmpty ? note : "\(comment.plain): \(note)"
  }
}

extension CType {
  fileprivate var spelling: String {
    switch self {
    case .plain(let name, _): name
    case .text: "decant_text"
    case .raw: "const char *"
    case .special(let special): "\(special.spelling)"
    case .constants(let type): type.isFlag ? "uint32_t" : "int32_t"
    case .structure(let model): model.description.typeName
    case .union: "union"
    case .pointer(let target): "\(target.spelling) *"
    }
  }
}

extension CType {
  /// The text after the name of a member.
  fileprivate var suffix: String {
    if case .special(let special) = self { "\(special.suffix)" } else { "" }
  }
}

private let lineLength = 100

extension COutline {
  /// Several of them: `struct decant_users`.
  var arrayTypeName: String? { plural.map { "struct \(prefix)_\($0)" } }

  /// The constants of its union's tag, from 0: `DECANT_MESSAGE_ORDER`.
  var tagConstants: [String] { tags.map { "\(prefix)_\(name)_\($0)".constantCase } }
}

extension String {
  /// Without what would end a comment, or what compilers warn of there: the beginning of another one, `??/`, which was a
  /// backslash, and characters that change the direction of text or are no text.
  fileprivate var plain: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch (result.last, scalar) {
      case (_, "\r"): continue
      case ("*", "/"), ("/", "*"): result += [" ", scalar]
      case (_, "/") where result.suffix(2).elementsEqual("??".unicodeScalars):
        result += [" ", scalar]
      case (_, "\u{202A}"..."\u{202E}"), (_, "\u{2066}"..."\u{2069}"): continue
      case (_, "\n"): result.append(scalar)
      default: result.append(scalar.properties.generalCategory == .control ? " " : scalar)
      }
    }
    return String(result)
  }
}

/// A comment of C with its paragraphs, lines filled; empty if there is nothing to say.
private func comment(_ paragraphs: String..., indentation: String = "") -> String {
  let lines = paragraphs.flatMap { $0.plain.split(separator: "\n") }.filter { !$0.isEmpty }
  var filled: [String] = []
  for (place, line) in lines.enumerated() {
    if place > 0 { filled.append("") }
    var current = ""
    for word in line.split(separator: " ") {
      // " * " before, and " */" after the last.
      if !current.isEmpty, indentation.count + current.count + word.count + 7 > lineLength {
        filled.append(current)
        current = ""
      }
      current += current.isEmpty ? String(word) : " \(word)"
    }
    filled.append(current)
  }
  if filled.isEmpty { return "" }
  let text = filled.map { $0.isEmpty ? " *" : " * \($0)" }.joined(separator: "\n\(indentation)")
  let end = lines.count > 1 ? "\n\(indentation) */\n" : " */\n"
  return "\(indentation)/*\(text.dropFirst(2))\(end)"
}
