// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

/// By `build`, through itself.
private indirect enum Chain: JSONDecodable {
  case end, link(Chain?)
  static func decode(_ json: JSON) -> Decoded<Chain> {
    build(Chain.link, json.decodeIfPresent("next"))
  }
}

/// By an initialiser that throws, with siblings that recursion has to get past.
private final class Node: JSONInitializable {
  let name: String?
  let next: Node?
  init(json: JSON) throws(DecodeError) {
    name = try json.getIfPresent("name")
    next = try json.getIfPresent("next")
  }
}

/// By operators, through arrays.
private struct Group: JSONDecodable {
  let groups: [Group]
  static func decode(_ json: JSON) -> Decoded<Group> { curry(Group.init) <^> json <|| "groups" }
}

/// Through dictionaries.
private struct Folder: JSONDecodable {
  let folders: [String: Folder]
  static func decode(_ json: JSON) -> Decoded<Folder> {
    build(Folder.init, json.decode("folders"))
  }
}

/// Through elements that are decoded one by one.
private final class Element: JSONDecodable {
  let elements: [Element]
  init(_ elements: [Element]) { self.elements = elements }
  static func decode(_ json: JSON) -> Decoded<Element> {
    var elements: [Element] = []
    var children = json.elements
    while let child = children.next() {
      switch child.decoded(Element.self) {
      case .success(let element): elements.append(element)
      case .failure(let error): return .failure(error)
      }
    }
    return .success(Element(elements))
  }
}

/// By conversions, which are closures.
private indirect enum Branch: JSONDecodable {
  case end, link(Branch?)
  static let conversion: JSONConversion<Branch> = JSONConversion { json in
    json.convertIfPresent("next", using: conversion).map(Branch.link)
  }
  static func decode(_ json: JSON) -> Decoded<Branch> { conversion.convert(json) }
}

/// By conversions of elements.
private struct Bough: JSONDecodable {
  let boughs: [Bough]
  static let conversion: JSONConversion<Bough> = JSONConversion { json in
    JSONConversion<[Bough]>.array(of: conversion).convert(json).map { Bough(boughs: $0) }
  }
  static func decode(_ json: JSON) -> Decoded<Bough> { json.converted(using: conversion) }
}

/// A number, which is the sum of its parts.
private struct Depth: JSONDecodable {
  let depth: Int
  static func decode(_ json: JSON) -> Decoded<Depth> {
    json.decodeIfPresent("next", as: Depth.self).map { Depth(depth: ($0?.depth ?? 0) + 1) }
  }
}

/// Through elements that may be skipped, and through members.
private struct Twig: JSONDecodable {
  let twigs: LossyArray<Twig>
  static func decode(_ json: JSON) -> Decoded<Twig> { LossyArray.decode(json).map(Twig.init) }
}
private struct Drawer: JSONDecodable {
  let drawers: LossyDictionary<String, Drawer>
  static func decode(_ json: JSON) -> Decoded<Drawer> {
    LossyDictionary.decode(json).map(Drawer.init)
  }
}

/// A recursive model and a document of so many levels.
private struct Recursion: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let open: String
  let leaf: String
  let close: String
  let levels: Int
  let decode: @Sendable (String, DecodingOptions) -> DecodeError?

  init<Model: JSONDecodable & SendableMetatype>(
    _ type: Model.Type, _ open: String, _ leaf: String, _ close: String, levels: Int = 1
  ) {
    testDescription = "\(type)"
    (self.open, self.leaf, self.close, self.levels) = (open, leaf, close, levels)
    decode = { text, options in
      switch Model.decode(from: text, options: options) {
      case .success: nil
      case .failure(let error): error
      }
    }
  }

  func document(_ depth: Int) -> String {
    String(repeating: open, count: depth) + leaf + String(repeating: close, count: depth)
  }
}

private let recursions = [
  Recursion(Chain.self, #"{"next":"#, "{}", "}"),
  Recursion(Node.self, #"{"name":"n","next":"#, "{}", "}"),
  Recursion(Group.self, #"{"groups":["#, #"{"groups":[]}"#, "]}", levels: 2),
  Recursion(Folder.self, #"{"folders":{"f":"#, #"{"folders":{}}"#, "}}", levels: 2),
  Recursion(Element.self, "[", "[]", "]"),
  Recursion(Branch.self, #"{"next":"#, "{}", "}"),
  Recursion(Bough.self, "[", "[]", "]"),
  Recursion(Depth.self, #"{"next":"#, "{}", "}"),
]

@Suite("Recursive models")
struct RecursiveModels {
  /// Deep enough for any of these stacks.
  private let deep = 20_000

  @Test("fail with an error where the stack ends", arguments: recursions, [192, 256, 1024])
  private func deep(recursion: Recursion, kilobytes: Int) {
    let text = recursion.document(deep)
    let options = DecodingOptions(maximumDepth: 3 * deep)
    let error = onStack(of: kilobytes << 10) { recursion.decode(text, options) }
    #expect(error?.code == .tooDeep)
    #expect(error?.description.contains("for the stack of this thread") == true)
    // The place is one of the document's levels.
    let level = error?.path.description.split(separator: "/").count ?? 0
    #expect(level > 10 && level < recursion.levels * deep)
  }

  @Test("are decoded as deep as the stack reaches", arguments: recursions, engines)
  private func shallow(recursion: Recursion, engine: Engine) {
    let text = recursion.document(100)
    #expect(onStack(of: 1 << 20) { recursion.decode(text, .on(engine)) } == nil)
    // The stack counts, not what was used of it before. Half the stack is for half the levels: a level of Group takes
    // 5.6 KB of it under AddressSanitizer.
    let options = DecodingOptions(maximumDepth: 3 * deep)
    let long = recursion.document(deep)
    let short = recursion.document(50)
    let errors = onStack(of: 512 << 10) {
      [recursion.decode(long, options), recursion.decode(short, .on(engine))].map { $0 == nil }
    }
    #expect(errors == [false, true])
  }

  @Test("of libjansson's depth fail alike", arguments: recursions)
  private func foreign(recursion: Recursion) {
    let text = recursion.document(1_000 / recursion.levels)
    for engine in engines {
      var options = DecodingOptions.on(engine)
      options.maximumDepth = 2_048
      let given = options
      let error = onStack(of: 320 << 10) { recursion.decode(text, given) }
      #expect(error == nil || error?.code == .tooDeep)
    }
  }

  @Test("skip what lies deeper than the stack reaches, where they skip what fails")
  func lossy() {
    let options = DecodingOptions(maximumDepth: 2 * deep)
    let arrays = String(repeating: "[", count: deep) + String(repeating: "]", count: deep)
    let objects =
      String(repeating: #"{"d":"#, count: deep) + "{}" + String(repeating: "}", count: deep)
    let codes = onStack(of: 256 << 10) { () -> [DecodeError.Code?] in
      var twig = Twig.decode(from: arrays, options: options).value
      while let next = twig?.twigs.elements.first { twig = next }
      var drawer = Drawer.decode(from: objects, options: options).value
      while let next = drawer?.drawers.elements["d"] { drawer = next }
      return [twig?.twigs.skipped.first?.error.code, drawer?.drawers.skipped.first?.error.code]
    }
    #expect(codes == [.tooDeep, .tooDeep])
  }
}
