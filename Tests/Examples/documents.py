#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Writes documents that a stranger may have, one a file: odd ones by hand, and random ones.

  documents.py FOLDER COUNT SEED
"""
import json, random, sys

folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)

ODD = {
    "scalar": "5", "text": '"t"', "null": "null", "nulls": "[null, null]", "empty-array": "[]", "empty-object": "{}",
    "empty-arrays": "[[], [[]]]", "kinds": '[1, "a", true, null, 2.5, [1], {"a": 1}]',
    "sparse": '[{"a": 1}, {"b": null}, {"a": null, "b": 2.5}]',
    "integers": '{"int": 9223372036854775807, "unsigned": 18446744073709551615, "wide": -9223372036854775809, '
                '"widest": 340282366920938463463374607431768211455, "beyond": 1234567890123456789012345678901234567890, '
                '"huge": 1e400, "whole": 1.0, "power": 1e3, "minus": -0, "mixed": [1, 2.5], "wide mixed": [18446744073709551615, -1]}',
    "keywords": json.dumps({k: i for i, k in enumerate(
        "class struct init self Self Type default let var func in is as nil true false try throws where inout operator "
        "import enum case switch return super any some await async actor borrowing _ Any Protocol json read errors object "
        "write decode validate description hashValue none".split())}),
    "keys": json.dumps({"": 1, " ": 2, "a b": 3, "a-b": 4, "a_b": 5, "aB": 6, "AB": 7, "+1": 8, "-1": 9, "1": 10, "@id": 11,
                        "$ref": 12, "a.b": 13, "a/b": 14, "a~b": 15, "quote\"": 16, "back\\slash": 17, "line\nbreak": 18,
                        "\u0000": 19, "\u2028": 20, "\u200f": 21, "名前": 22, "ключ": 23, "😀": 24, "é": 25, "e\u0301": 26,
                        "\\(x)": 27, "URLString": 28, "HTTP_CODE": 29, "İ": 30, "__x": 31, "#": 32, "`x`": 33, "µ": 34}, ensure_ascii=False),
    "types": json.dumps({k: {"x": i, k: {"y": 1, "z": i}} for i, k in enumerate(
        ["string", "int", "double", "bool", "json", "JSONValue", "decant", "swift", "array", "optional", "error", "self", "Type",
         "Decoded", "DecodeError", "名前", "types", "any", "sequence", "Never", "Void", "data", "date", "codable"])}, ensure_ascii=False),
    "repeated": '{"a": 1, "a": "x", "b": [{"c": 1, "c": 2}]}',
    "tree": '{"value": 1, "children": [{"value": 2, "children": [{"value": 3, "children": []}]}, {"value": 4}]}',
    "list": '{"value": 1, "next": {"value": 2, "next": {"value": 3, "next": null}}}',
    "thread": '[{"id": 1, "text": "a", "replies": {"items": [{"id": 2, "text": "b", "replies": {"items": []}}]}}]',
    "values-in-values": '{"value": {"value": {"value": 1}}, "other": {"other": {"value": {"other": {}}}}}',
    "by-id": '{"1": {"name": "a"}, "2": {"name": "b", "x": 1}, "3": null}',
    "by-id-inside": '{"items": {"a1b2c3d4e5f60718": [1], "b1b2c3d4e5f60718": []}, "paths": {"/a": {"get": {}}, "/b": {}}}',
    "numbers-by-id": '[{"1": 1, "2": "a"}, {"3": true}]',
    "many-keys": json.dumps({f"key{i}": {"n": i} for i in range(120)}),
    "most-keys": json.dumps({f"key{i}": i if i % 2 else str(i) for i in range(300)}),
    "wide": json.dumps({f"key{i}": i if i % 3 else str(i) for i in range(90)}),
    "deep": "[" * 300 + "]" * 300, "deep-objects": '{"a":' * 200 + "1" + "}" * 200,
    "deep-keys": "".join('{"k%d":' % i for i in range(90)) + "1" + "}" * 90,
    "deepest": "[" * 5000 + "1" + "]" * 5000, "deep-kinds": "[1," * 60 + "[]" + "]" * 60,
    "twins": '{"from": {"x": 1, "y": 2}, "to": {"x": 1, "y": 2.5}, "at": null, "sizes": {"small": {"w": 1}, "large": {"w": 2}}}',
    "kinds-of-objects": '{"author": [{"name": "a", "age": 1}, "b", null], "owner": 5, "owners": [{"owner": "x"}, {"owner": {"name": "y"}}]}',
    "same-name": '{"data": {"data": {"data": [{"data": 1}]}}, "item": {"items": [{"item": {"items": [{"item": null}]}}]}}',
    "dates": '{"created_at": "2024-02-29T12:30:00Z", "id": "5", "flag": 0, "url": "https://example.com"}',
    "2024-report": '{"a": 1}', "class": '{"a": {"b": 1}}', "String": '[{"string": {"x": 1}}]', "the users": '[{"name": "a"}]',
    "Int": '[[{"x": [[1], [2.5, null]]}]]',
}
ODD_LINES = {
    "events.jsonl": '{"id": 1, "kind": "a"}\n\n{"id": 2, "user": {"name": "n"}}\n{"id": 3, "user": null}\n',
    "mixed.jsonl": '1\n"a"\n{"a": 1}\nnull\n', "one.jsonl": '{"a": 1}\n', "none.jsonl": "", "unnamed": '{"a": 1}\n{"a": null}\n',
}
WORDS = ["id", "name", "user", "users", "created_at", "createdAt", "URL", "items", "data", "type", "class", "default", "+1", "value",
         "Values", "is-open", "ITEM_COUNT", "1", "22", "é", "名前", "", "string", "addresses", "next", "parent", "children", "x.y"]


def value(depth):
    choice = rng.random()
    if depth > 0 and choice < 0.3:
        shape = [(key, rng.random()) for key in rng.sample(WORDS, rng.randrange(0, 7))]
        return {key: value(depth - 1) for key, _ in shape}
    if depth > 0 and choice < 0.55:
        if rng.random() < 0.5:  # elements of one shape, with gaps
            keys = rng.sample(WORDS, rng.randrange(0, 6))
            makers = {key: rng.choice(LEAVES + [lambda: value(depth - 1)]) for key in keys}
            return [{key: make() if rng.random() < 0.9 else None for key, make in makers.items() if rng.random() < 0.8}
                    for _ in range(rng.randrange(0, 4))]
        make = rng.choice(LEAVES + [lambda: value(depth - 1)])
        return [make() for _ in range(rng.randrange(0, 4))]
    return rng.choice(LEAVES)()


LEAVES = [lambda: rng.randrange(-100, 100), lambda: rng.choice([0, 2**63, 2**64, -2**63 - 1, 2**130]), lambda: rng.random(),
          lambda: rng.choice(["", "text", "2024-01-01", "5"]), lambda: rng.random() < 0.5, lambda: None]

for name, text in ODD.items():
    with open(f"{folder}/{name}.json", "w") as file: file.write(text)
for name, text in ODD_LINES.items():
    with open(f"{folder}/{name}", "w") as file: file.write(text)
for number in range(count):
    with open(f"{folder}/random {number}.json", "w") as file: json.dump(value(rng.randrange(1, 6)), file, ensure_ascii=rng.random() < 0.5)
