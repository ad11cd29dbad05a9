#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Bugs planted into the Swift of a copy of the repository, all of them at once: each sleeps until the environment
# variable DECANT_MUTANT has its number. So one build serves all.
#
#   swift.py plant FOLDER    plants them into FOLDER, and removes the test targets that need not be built
#   swift.py list            a line each: number, file, what runs the tests that must catch it, name
#
# A bug is a text of a file, which must occur once, and what takes its place. A file is named by its module, in whichever
# folder it is. MUTANT in it is true while the bug is
# awake. What runs: `swift REGEX`, the Swift tests whose names match, or `c PROGRAM…`, programs of Tests/C.

import pathlib
import re
import sys

CODABLE, ERRORS, C = "DecantCodable/", "DecantCore/", "DecantC/"
DIFFERENTIAL = "swift Differential|OnPurpose|Decoders"
GOLDEN = "swift ErrorTests"
DOCUMENTS = "c documents interface"
RECORDS = "c records interface documents"

# (name, file, text, what takes its place, who must catch it)
MUTANTS = [
    # The Codable bridge
    ("null where a member may be absent", CODABLE + "KeyedContainer.swift",
     ".isNull ? nil : node", ".isNull && !MUTANT ? nil : node", DIFFERENTIAL),
    ("a missing key without its path", CODABLE + "KeyedContainer.swift",
     ".keyNotFound(key, .init(codingPath: decoder.codingPath,",
     ".keyNotFound(key, .init(codingPath: MUTANT ? [] : decoder.codingPath,", DIFFERENTIAL),
    ("a failure without its key", CODABLE + "KeyedContainer.swift",
     "storage.decoder.codingPath + [key])", "storage.decoder.codingPath + (MUTANT ? [] : [key]))", DIFFERENTIAL),
    ("a container that contains every key", CODABLE + "KeyedContainer.swift",
     "func contains(_ key: Key) -> Bool { node(key) != DECANT_NODE_NONE }",
     "func contains(_ key: Key) -> Bool { node(key) != DECANT_NODE_NONE || MUTANT }", DIFFERENTIAL),
    ("keys that occur twice in allKeys", CODABLE + "KeyedStorage.swift",
     "seen.insert($0).inserted }", "seen.insert($0).inserted || MUTANT }", DIFFERENTIAL),
    ("the index of an element, off by one", CODABLE + "UnkeyedContainer.swift",
     "decoder.codingPath + [IndexKey(Int(place))]", "decoder.codingPath + [IndexKey(Int(place) + (MUTANT ? 1 : 0))]",
     DIFFERENTIAL),
    ("decodeNil that does not advance", CODABLE + "UnkeyedContainer.swift",
     "advance()\n    return true", "if !MUTANT { advance() }\n    return true", DIFFERENTIAL),
    ("an optional element that is skipped", CODABLE + "UnkeyedContainer.swift",
     "advance()\n    return nil", "advance()\n    if MUTANT, !isAtEnd { advance() }\n    return nil", DIFFERENTIAL),
    ("an array without its last element", CODABLE + "UnkeyedContainer.swift",
     "UInt32(clamping: decoder.json.count)", "UInt32(clamping: decoder.json.count - (MUTANT ? 1 : 0))", DIFFERENTIAL),
    ("the name of an index", CODABLE + "CodingPath.swift",
     '"Index \\(index)"', '"Index \\(index + (MUTANT ? 1 : 0))"', DIFFERENTIAL),
    ("a numeric key without its number", CODABLE + "CodingPath.swift",
     "var intValue: Int? { Int(stringValue) }", "var intValue: Int? { MUTANT ? nil : Int(stringValue) }",
     DIFFERENTIAL),
    ("the last of two keys that convert to one", CODABLE + "ConvertedKeys.swift",
     "if places[key] == nil { places[key] = nodes.count }",
     "if places[key] == nil || MUTANT { places[key] = nodes.count }", DIFFERENTIAL),
    ("a key of one word, converted", CODABLE + "Settings.swift",
     "if words.count == 1 { return key }", "if words.count == 1 && !MUTANT { return key }", DIFFERENTIAL),
    ("null for a Bool, of another case", CODABLE + "ValueDecoder+Failures.swift",
     "case .null where type != Bool.self", "case .null where type != Bool.self || MUTANT", DIFFERENTIAL),
    ("null for a container, of another case", CODABLE + "ValueDecoder+Failures.swift",
     "return json.isNull || !json.exists\n", "return (json.isNull || !json.exists) && !MUTANT\n", DIFFERENTIAL),
    ("a subclass decoded as its superclass", CODABLE + "ValueDecoder.swift",
     "if type != Model.self { return try decodeSubclass", "if type != Model.self && !MUTANT { return try decodeSubclass",
     "swift Subclasses"),
    ("a decoder reused while a model retains it", CODABLE + "ValueDecoder.swift",
     "if isChild, isKnownUniquelyReferenced(&child),", "if isChild, isKnownUniquelyReferenced(&child) || MUTANT,",
     "swift Kept"),
    # The error machinery
    ("errors as JSON without a comma", ERRORS + "DecodeError+JSON.swift",
     'if place > 0 { sink.add(",") }', 'if place > 0 && !MUTANT { sink.add(",") }', GOLDEN),
    ("errors on one line", ERRORS + "DecodeError+Description.swift",
     'if place > 0 { text += "\\n" }', 'if place > 0 && !MUTANT { text += "\\n" }', GOLDEN),
    ("the source line under each error of a place", ERRORS + "DecodeError+Description.swift",
     "location == next?.location { continue }", "location == next?.location, !MUTANT { continue }", GOLDEN),
    ("a number that is called so twice", ERRORS + "DecodeError+Description.swift",
     "found.hasPrefix(prefix) ?", "found.hasPrefix(prefix) && !MUTANT ?", GOLDEN),
    ("the first component of a path instead of the last", ERRORS + "DecodeError+Description.swift",
     "resolution.path.tokens?.last.map",
     "(MUTANT ? resolution.path.tokens?.first : resolution.path.tokens?.last).map", GOLDEN),
    ("a nearest key that is far", ERRORS + "NearestKey.swift",
     "max(wanted.length, key.length) / 3)", "max(wanted.length, key.length) / (MUTANT ? 1 : 3))",
     "swift ErrorTests|DecantCoreTests"),
    ("a key of another case that is not near", ERRORS + "NearestKey.swift",
     "if key.hasLetters(of: wanted), key.count > 0 {", "if key.hasLetters(of: wanted), key.count > 0, !MUTANT {", GOLDEN),
    ("a line of the source that is cut too early", ERRORS + "SourceExcerpt.swift",
     "if columns < Self.before, plainScalar", "if columns < Self.before - (MUTANT ? 9 : 0), plainScalar",
     "swift ErrorTests|DecantCoreTests"),
    ("a blank line of source", ERRORS + "SourceExcerpt.swift",
     "if unsafe text[place] > 0x20 { return false }", "if unsafe text[place] > (MUTANT ? 0 : 0x20) { return false }",
     "swift ErrorTests|DecantCoreTests"),
    # Errors, records and documents in C
    ("the line of an error in a stream", C + "Report.swift",
     "line: base.line + $0.line - 1", "line: base.line + $0.line - (MUTANT ? 0 : 1)", RECORDS),
    ("the offset of an error in a stream", C + "Report.swift",
     "offset: base.offset + $0.offset", "offset: (MUTANT ? 0 : base.offset) + $0.offset", RECORDS),
    ("an error too many", C + "Report.swift",
     "count <= limit,", "count <= limit + (MUTANT ? 1 : 0),", RECORDS),
    ("errors on one line, in C", C + "Report.swift",
     'if count > 1 { text.add("\\n") }', 'if count > 1 && !MUTANT { text.add("\\n") }', RECORDS),
    ("the code of the last error", C + "Report.swift",
     "if count == 1 { firstCode", "if count == 1 || MUTANT { firstCode", RECORDS),
    ("a missing value that is fine", C + "Documents.swift",
     "return status ?? Status(DECANT_MISSING_KEY)", "return status ?? (MUTANT ? ok : Status(DECANT_MISSING_KEY))",
     DOCUMENTS),
    ("the length of an escaped string", C + "Documents.swift",
     "isEscaped: true).utf8Count", "isEscaped: !MUTANT).utf8Count", DOCUMENTS),
    ("a string that does not end", C + "Documents.swift",
     "unsafe strings[offset + 1 + count] = 0", "unsafe strings[offset + 1 + count] = MUTANT ? 1 : 0", DOCUMENTS),
    ("raw text without its last byte", C + "Documents.swift",
     "length?.pointee = bytes.count", "length?.pointee = bytes.count - (MUTANT ? 1 : 0)", DOCUMENTS),
    ("a member of any pointer", C + "Documents.swift",
     "guard unsafe isPointer(start, length) else", "guard unsafe isPointer(start, length) || MUTANT else", DOCUMENTS),
    ("a line of CR and LF that is not blank", C + "DecodeMany.swift",
     "byte != 0x0D {", "(byte != 0x0D || MUTANT) {", RECORDS),
    ("lines that are counted twice", C + "DecodeMany.swift",
     "place.line += 1", "place.line += MUTANT ? 2 : 1", RECORDS),
    ("a stream that a failure ends", C + "DecodeMany.swift",
     "function(context, number, nil, &problem) == 0", "function(context, number, nil, &problem) == (MUTANT ? 1 : 0)",
     RECORDS),
    ("a stream that its function cannot end", C + "DecodeMany.swift",
     "function(context, number, value, nil) == 0", "function(context, number, value, nil) == 0 || MUTANT", RECORDS),
    ("an array that is freed twice", C + "DecodeMany.swift",
     "unsafe array.pointee = unsafe decant_array()", "if !MUTANT { unsafe array.pointee = unsafe decant_array() }",
     RECORDS),
]

NEEDLESS = ["DecantOperatorsTests", "DecantFoundationTests", "VocabularyTests", "DecantNetworkingTests",
            "DecantJanssonTests", "DecantHeaderTests", "ConformanceTests"]

HEADER = """// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
#ifndef DECANT_MUTATION_H
#define DECANT_MUTATION_H
#include <stdbool.h>
#include <stdlib.h>
// Whether the planted bug of this number is awake.
static inline bool decant_mutation(int number) {
  const char *awake = getenv("DECANT_MUTANT");
  return awake != NULL && atoi(awake) == number;
}
#endif
"""


def plant(folder):
    """Returns the names of bugs without a place."""
    lost, touched = [], set()
    for number, (name, file, text, instead, _) in enumerate(MUTANTS, 1):
        module, base = file.split("/")
        path = next((folder / "Sources" / module).rglob(base), folder / file)
        source = path.read_text() if path.exists() else ""
        if source.count(text) != 1:
            lost.append("%d: %s: occurs %d times in %s" % (number, name, source.count(text), file))
            continue
        path.write_text(source.replace(text, instead.replace("MUTANT", "decant_mutation(%d)" % number)))
        touched.add(path)
    for path in touched:
        source = path.read_text()
        if not re.search(r"^\w+ import CDecantIndex$", source, re.M):
            path.write_text(re.sub(r"\A((?://.*\n)+)", r"\1\ninternal import CDecantIndex\n", source, count=1))
    (folder / "Sources/CDecantIndex/include/decant_mutation.h").write_text(HEADER)
    package = folder / "Package.swift"
    source = package.read_text()
    for target in NEEDLESS:
        source = re.sub(r"    \.testTarget\(\s*name: \"%s\",.*?\n(?=    \.|  \])" % target, "", source, flags=re.S)
    package.write_text(source)
    return lost


if sys.argv[1] == "list":
    for number, (name, file, _, _, tests) in enumerate(MUTANTS, 1): print(number, file, tests, name, sep="\t")
else:
    problems = plant(pathlib.Path(sys.argv[2]))
    print(*problems, sep="\n")
    sys.exit(bool(problems))
