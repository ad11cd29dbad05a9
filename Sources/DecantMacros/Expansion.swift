// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From the compiler's request to the text of an expansion. The declaration is read (DeclarationReader.swift), a type
// for each kind of declaration writes the text, and diagnostics get their places in the program's file.

/// One request: which macro, in which role, on which declaration; and what it expands to.
struct Expansion {
  private let request: Request.Attached

  init(_ request: Request.Attached) { self.request = request }

  /// The text, and what the compiler is to show.
  var result: (text: String, diagnostics: [Response.Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    var text = ""
    do throws(Diagnostic) {
      switch request.macro.typeName {
      case "JSONModel": text = try jsonModel()
      case "CStruct": text = try cStruct(&diagnostics)
      default: break
      }
    } catch {
      diagnostics.append(error)
    }
    // The errors of a macro with several roles are reported once.
    return (text, request.macroRole == "extension" ? diagnostics.map(shown) : [])
  }

  private func shown(_ diagnostic: Diagnostic) -> Response.Diagnostic {
    let location = request.declSyntax.location
    let file = location?.fileName ?? ""
    let start = location?.offset ?? 0
    let fixIts = diagnostic.fix.map { fix in
      Response.FixIt(
        message: fix.message,
        changes: [
          .init(
            range: .init(
              fileName: file, startOffset: start + fix.range.lowerBound,
              endOffset: start + fix.range.upperBound),
            newText: fix.text)
        ])
    }
    return Response.Diagnostic(
      message: diagnostic.message, severity: diagnostic.isWarning ? "warning" : "error",
      position: .init(fileName: file, offset: start + diagnostic.offset),
      fixIts: fixIts.map { [$0] } ?? [])
  }

  private var place: Place? {
    request.declSyntax.location.map {
      Place(file: $0.fileName, line: $0.line, source: request.declSyntax.source)
    }
  }

  // MARK: - @JSONModel

  private func jsonModel() throws(Diagnostic) -> String {
    let model = try DeclarationReader.model(of: request.declSyntax.source)
    let attribute =
      DeclarationReader.attribute(request.attributeSyntax.source)
      ?? Attribute(name: "", range: 0..<0)
    let settings = try Settings(attribute)
    let name = request.extendedTypeSyntax?.source ?? model.name
    var text = Text(place)
    if model.kind == .enumeration {
      if request.macroRole == "extension" {
        try EnumExpansion(model, settings, name).write(&text) { conforms($0, settings) }
      }
      return text.text
    }
    let expansion = try StructExpansion(model, settings)
    if request.macroRole == "member" {
      // A class has its initializers in its body.
      if model.kind == .finalClass, settings.reads, !declaresReading(model) {
        try expansion.initializer(&text)
      }
      return text.text
    }
    if conforms("JSONInitializable", settings) {
      try text.block(
        "extension \(name): Decant.JSONDecodable, Decant.JSONInitializable\(constraint(model, "JSONDecodable"))"
      ) {
        text throws(Diagnostic) in
        if model.kind == .structure { try expansion.initializer(&text) }
      }
    }
    if conforms("JSONWritable", settings) {
      try text.block("extension \(name): Decant.JSONWritable\(constraint(model, "JSONWritable"))") {
        text throws(Diagnostic) in
        try expansion.writer(&text)
      }
    }
    return text.text
  }

  // MARK: - @CStruct

  private func cStruct(_ diagnostics: inout [Diagnostic]) throws(Diagnostic) -> String {
    var model: Model
    do throws(Diagnostic) {
      model = try DeclarationReader.model(of: request.declSyntax.source)
    } catch {
      // @JSONModel says it, too.
      if request.declSyntax.source.contains("@JSONModel") { return "" }
      throw error
    }
    let attribute =
      DeclarationReader.attribute(request.attributeSyntax.source)
      ?? Attribute(name: "", range: 0..<0)
    let around = request.lexicalContext ?? []
    let isNested = !around.isEmpty
    model.isPrivate = model.isPrivate || around.contains { Self.isPrivate($0.source) }
    let expansion = try CStructExpansion(model, attribute, isNested: isNested)
    diagnostics = expansion.diagnostics
    guard diagnostics.isEmpty else { return "" }
    var text = Text(place)
    if request.macroRole == "peer" {
      try expansion.functions(&text)
    } else {
      let name = request.extendedTypeSyntax?.source ?? model.name
      try expansion.conformance(&text, of: name, declares: conforms("CModel"))
    }
    return text.text
  }

  /// Whether a type around another is hidden, and so what it has.
  private static func isPrivate(_ source: String) -> Bool {
    Lexer.tokens(of: Array(source.utf8)).prefix { !$0.isMark("{") }
      .contains { $0.isWord("private") || $0.isWord("fileprivate") }
  }

  /// Whether the type lacks a conformance that the macro brings: what the program has written itself stays.
  private func conforms(_ name: String, _ settings: Settings? = nil) -> Bool {
    if let settings, !(name == "JSONWritable" ? settings.writes : settings.reads) { return false }
    guard let list = request.conformanceListSyntax?.source else { return true }
    return list.contains(name)
  }

  private func declaresReading(_ model: Model) -> Bool {
    model.inherited.contains { $0.hasSuffix("JSONInitializable") || $0.hasSuffix("JSONDecodable") }
  }
}

/// ` where Element: Decant.JSONDecodable`, for the parameters of a generic model.
func constraint(_ model: Model, _ conformance: String) -> String {
  guard !model.parameters.isEmpty else { return "" }
  return " where " + model.parameters.map { "\($0): Decant.\(conformance)" }.joined(separator: ", ")
}
