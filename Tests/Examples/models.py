#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""What `Examples/run FILE` prints for each of some files, as one program: the declarations of each document in an enum of
its own, and a check that they read the document and write it back.

  models.py PROGRAM FILE... > main.swift
"""
import re, subprocess, sys

program, files = sys.argv[1], sys.argv[2:]
print("""import Decant
import DecantLines
import Foundation

nonisolated(unsafe) var failures = 0
func fail(_ path: String, _ message: String) {
  print(path, message)
  failures += 1
}

/// Whether a document says the same: members that are null may be absent, and a number may be another text.
func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
  switch (left.kind, right.kind) {
  case (.number, .number): return left.double == right.double
  case (.array, .array):
    return left.count == right.count && zip(left.array!, right.array!).allSatisfy(areEqual)
  case (.object, .object):
    func members(_ value: JSONValue) -> [[UInt8]: JSONValue] {
      Dictionary(value.members!.lazy.filter { !$0.value.isNull }.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    let (left, right) = (members(left), members(right))
    return Set(left.keys) == Set(right.keys) && left.allSatisfy { areEqual($0.value, right[$0.key]!) }
  default: return left == right
  }
}
let deep = DecodingOptions(maximumDepth: .max)
func check<Model: JSONDecodable & JSONWritable>(_ type: Model.Type, _ path: String, _ options: DecodingOptions = DecodingOptions()) {
  let bytes = [UInt8](FileManager.default.contents(atPath: path)!)
  switch Model.decode(from: bytes, options: options) {
  case .failure(let error): fail(path, "\\(error)")
  case .success(let model):
    let written = model.jsonBytes(JSONWritingOptions(maximumDepth: .max))
    guard let again = JSONValue.parse(written, options: deep).value, areEqual(again, JSONValue.parse(bytes, options: deep).value!) else {
      return fail(path, "is written as " + String(decoding: written.prefix(1000), as: UTF8.self))
    }
  }
}
func checkLines<Model: JSONDecodable & JSONWritable>(_ type: Model.Type, _ path: String, _ options: DecodingOptions = DecodingOptions()) {
  let bytes = [UInt8](FileManager.default.contents(atPath: path)!)
  for (line, value) in zip(JSONLines<Model>(bytes), JSONLines<JSONValue>(bytes)) {
    switch line.result {
    case .failure(let error): fail(path, "\\(error)")
    case .success(let model):
      if !areEqual(try! JSONValue(parsing: model.jsonBytes()), try! value.result.get()) { fail(path, "line \\(line.number) is written as \\(model.jsonText())") }
    }
  }
}
""")
for number, path in enumerate(files):
    run = subprocess.run([program, "--", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = run.stdout.decode()
    if run.returncode != 0: sys.exit(f"{path}: status {run.returncode}: {text[-500:]}")
    models = text[text.index("\nimport Decant\n"):]
    one = re.search(r"^// (?:for line in JSONLines<(?P<line>.*)>\(bytes(?P<a>.*?)\) \{ …|try (?P<type>.*?)\(decoding: bytes(?P<b>.*)\)$)", models, re.M)
    if not one: sys.exit(f"{path}: nothing says how it is read: {models[:300]}")
    declarations = re.sub(r"^import .*$", "", models, flags=re.M)
    kind = one["line"] or one["type"]
    print(f"enum Document{number} {{\n{declarations}\ntypealias Whole_ = {kind}\n}}")
    options = ", deep" if "maximumDepth" in (one["a"] or one["b"] or "") else ""
    print(f'{"checkLines" if one["line"] else "check"}(Document{number}.Whole_.self, #"{path}"#{options})')
print(f'print("{len(files)} documents, \\(failures) wrong")\nif failures > 0 {{ exit(1) }}')
