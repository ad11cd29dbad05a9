#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Writes random declarations of models, in every spelling that Swift has for a stored property, and a program that
compares what the macro read of each with what the compiler says: the labels of Mirror, in order.

  corpus.py COUNT SEED > main.swift
"""
import random, sys

count, seed = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

TYPES = [("Int", "1"), ("String", '"t"'), ("Double", "1.5"), ("Bool", "true"), ("[Int]", "[1, 2]"),
         ("[String: Double]", '["k": 2.5]'), ("Int?", "nil"), ("Optional<String>", 'Optional("x")'), ("[[Int]]", "[[1]]"),
         ("Swift.Int", "7"), ("[String: [Int?]]", '["a": [nil, 1]]'), ("Set<Int>", "[3]"), ("Array<String>", '["a"]'),
         ("Dictionary<String, Int>", "[:]"), ("(Int)", "(2)")]
STRINGS = ['"}"', '"{"', r'"a\"}b"', '"\\("x" + "}")"', '#"raw " } \\ "#', '##"two "# } "##', '"""\n    many } lines\n    " { \\("in" + "}")\n    """',
           '"// no comment"', '"/* none */"', r'"\\"', '"\\(["k": "}"]["k"] ?? "{")"']
COMMENTS = ["// } a line {", "/* { */", "/* nested /* } */ { */", "/// docs: let no: Int", "// let x: Int = 5",
            "/** \" */"]
OTHERS = ["static let shared{n} = 0", "static var table{n}: [String: Int] = [\"}}\": 1]", "var computed{n}: Int {{ 5 }}",
          "var computed{n}: String {{ get {{ \"}}\" }} }}", "func f{n}(_ x: Int = 1) -> Int {{ let y = x; return y }}",
          "func g{n}() {{ struct Local {{ let z: Int = 1 }}; _ = Local() }}", "typealias T{n} = Int",
          "struct Nested{n} {{ let inner: Int; var other: String }}", "enum Cases{n} {{ case a, b(Int) }}",
          "subscript(x{n} index: Int) -> Int {{ index }}", "lazy var lazy{n}: Int = 5",
          "static func h{n}<A: Equatable>(_ a: A) -> Bool where A: Hashable {{ a == a }}",
          "private func p{n}() -> [String: (Int) -> Int] {{ [:] }}", "@inlinable func i{n}() {{}}",
          "static subscript(s{n} index: Int) -> Int {{ index }}",
          "var c{n}: Int {{\n    if true {{ return 1 }}\n    let let_ = 5; return let_\n  }}"]
ACCESS = ["", "public ", "internal ", "private ", "fileprivate ", "private(set) public ", "package "]
NAMES = ["a", "value", "isOpen", "`default`", "`class`", "`let`", "url", "x1", "_under", "наименование", "optional", "prefix",
         "open", "final_", "actor", "get", "set", "json", "read", "errors", "object", "self_", "some_", "any_", "name", "write"]


def comment(): return rng.choice(COMMENTS) + "\n  " if rng.random() < 0.15 else ""


def property_(names, types):
    kind, value = rng.choice(types)
    form = rng.random()
    name = names.pop()
    access = rng.choice(ACCESS)
    if form < 0.3:
        if access == "private(set) public ": access = ""
        return [name], f"{access}let {name}: {kind}", {name.strip('`')}
    if form < 0.45: return [name], f"{access}var {name}: {kind}", {name.strip('`')}
    if form < 0.6: return [name], f"{access}var {name}: {kind} = {value}", {name.strip('`')}
    if form < 0.68: return [name], f"{access}var {name}: {kind} = {value} {{ didSet {{ _ = oldValue }} }}", {name.strip('`')}
    if form < 0.72: return [name], f"{access}var {name}: {kind} = {value}\n  {{\n    willSet {{ _ = newValue }}\n  }}", {name.strip('`')}
    if form < 0.8:
        text = rng.choice(STRINGS)
        return [name], f"var {name} = {text}", {name.strip('`')}
    if form < 0.85:
        return [name], f"var {name} = {{ () -> Int in let x = 5; return x }}()", {name.strip('`')}
    if form < 0.9 and names:
        other = names.pop()
        return [name, other], f"let {name}, {other}: {kind}", {name.strip('`'), other.strip('`')}
    if form < 0.94 and names:
        other = names.pop()
        return [name, other], f"var {name}: {kind} = {value}, {other} = 5 +\n    6 * (1 - 2)", {name.strip('`'), other.strip('`')}
    if form < 0.97:
        return [name], f"var {name} = [1, 2, 3]\n    .map {{ $0 + 1 }}\n    .filter {{ $0 > 1 && $0 < 9 }}", {name.strip('`')}
    return [name], f"var {name} = 3 < 4 ? \"{{\" : \"}}\"", {name.strip('`')}


print("import Decant\n\nfunc keys(_ text: String) -> [String] { (try! JSONValue(parsing: text)).members!.map { $0.key } }")
print("nonisolated(unsafe) var failures = 0\nfunc check<Model: JSONDecodable & JSONWritable>(_ type: Model.Type, _ text: String, _ name: String) {")
print("""  switch Model.decode(from: text) {
  case .failure(let error): print(name, error); failures += 1
  case .success(let model):
    let labels = Mirror(reflecting: model).children.map { $0.label! }.filter { !$0.hasPrefix("$") }
    let stored = labels.filter { !$0.hasPrefix("$__lazy") && $0 != "ignored" }
    let written = keys(model.jsonText())
    let missing = stored.filter { label in !written.contains(label) && !Mirror(reflecting: model).children.contains { $0.label == label && "\\($0.value)" == "nil" } }
    if !missing.isEmpty || !Set(written).isSubset(of: stored) || written != stored.filter(written.contains) {
      print(name, "stored:", stored, "written:", written); failures += 1
    }
    let again = try? Model(decoding: model.jsonText())
    if again?.jsonText(.init(sortsKeys: true)) != model.jsonText(.init(sortsKeys: true)) { print(name, "does not come back"); failures += 1 }
  }
}""")
models = []
for number in range(count):
    names = [n for n in NAMES]
    rng.shuffle(names)
    lines, required = [], {}
    for index in range(rng.randrange(1, 7)):
        if rng.random() < 0.35: lines.append(comment() + rng.choice(OTHERS).format(n=index))
        _, line, made = property_(names, TYPES)
        if rng.random() < 0.1: line = "@available(*, deprecated) " + line if "var" in line and "=" in line and False else line
        if rng.random() < 0.08:
            line = f"#if DEBUG || !DEBUG\n  {line}\n  #else\n  let wrong{index}: Never\n  #endif"
        end = ";" if rng.random() < 0.05 and "\n" not in line else ""
        lines.append(comment() + line + end + ("  " + rng.choice(COMMENTS[:2]) if rng.random() < 0.1 and "#endif" not in line else ""))
    if rng.random() < 0.2: lines.append("@JSONIgnored var ignored: [Int] = [] // }")
    body = "\n  ".join(lines)
    if "lazy var" in body: body = body.replace("lazy var", "static var")
    head = rng.choice(["struct", "public struct", "internal  struct", "fileprivate struct", "/* { */ struct"])
    conform = rng.choice(["", ": Sendable", " : Equatable", ": Sendable, Equatable"])
    if "private(set) public" in body or head != "public struct": body = body.replace("private(set) public ", "")
    models.append((f"M{number}", f"@JSONModel {head} M{number}{conform} {{\n  {body}\n}}", body))
values = {k: v for k, v in []}
for name, text, _ in models: print(text)
# Required members by Mirror are unknown here: every property has its key in the document, of every type that it may have.
import re
DOC = {"Int": "1", "String": '"t"', "Double": "1.5", "Bool": "true", "[Int]": "[1,2]", "[String: Double]": '{"k":2.5}', "[[Int]]": "[[1]]",
       "Swift.Int": "7", "[String: [Int?]]": '{"a":[null,1]}', "Set<Int>": "[3]", "Array<String>": '["a"]', "Dictionary<String, Int>": "{}", "(Int)": "2"}
for name, text, body in models:
    members = []
    for match in re.finditer(r"(?:let|var) ([\w`]+)(?:, ([\w`]+))?: ([^={\n;/#]+?)\s*(?:;|$|=|\{|//|/\*|\n)", body):
        first, second, kind = match.groups()
        kind = kind.strip().split(", ")[0] if not kind.strip().startswith(("[", "Dict")) else kind.strip()
        if kind in DOC:
            for key in filter(None, (first, second)): members.append(f'"{key.strip("`")}":{DOC[kind]}')
    document = "{" + ",".join(dict((m.split(":")[0], m) for m in members).values()) + "}"
    print(f'check({name}.self, #"{document}"#, "{name}")')
print(f'print("{count} declarations, \\(failures) wrong")\nif failures > 0 {{ fatalError() }}')
