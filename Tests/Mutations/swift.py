#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Bugs planted into the Swift of a copy of the repository, all of them at once: each sleeps until the environment
# variable DECANT_MUTANT has its number. So one build serves all.
#
#   swift.py plant ROOT FOLDER   copies the repository to FOLDER and plants them there. Writes only what differs, so that
#                                the next build is short
#   swift.py list                a line each: number, file, what runs the tests that must catch it, name
#   swift.py tests               the tests that all of them need, a line each
#
# A bug is a text of a file, which must occur once, and what takes its place. A file is named by its module, in whichever
# folder it is. MUTANT in it is true while the bug is awake. What runs is a list, the likeliest to catch it first:
# `swift:REGEX`, the Swift tests whose names match, or `c:PROGRAM`, a program of Tests/C.

import pathlib
import re
import subprocess
import sys

CODABLE, ERRORS, C = "DecantCodable/", "DecantCore/", "DecantC/"
DIFFERENTIAL = ["swift:CodableTests.(Differential/(samples|absent|objects|keys|changing)|OnPurpose|Strategies|Decoders)",
                "swift:CodableTests.Differential/mutations"]
SUBCLASSES = ["swift:CodableTests.Subclasses/(ways|roots)"]
KEPT = ["swift:CodableTests.Kept/"]
GOLDEN = ["swift:ErrorTests.(Golden|Code|ErrorJSON|Kind|Redaction|Explanation)",
          "swift:CoreTests.(ErrorsPast|ErrorCounting|Decoded|JSONValueTests|ContainerDecode"
          "|DocumentErrorTests/(caught|several|kept))"]
DOCUMENTS = ["c:interface", "c:documents"]
LINES = ["c:lines", "c:records"]
COLUMNS, SCHEMAS = ["c:columns"], ["c:schemas"]
RECORDS = ["c:records", "swift:ErrorTests.GoldenInC|DecantCTests"]
WRITING = ["swift:CoreTests.(JSONWritableTests|Writable)", "swift:CoreTests.(JSONValue|WritingTests)"]
ENCODING = ["swift:CodableTests.(Encoders/(re|o|d|m|a|e|k|c)|EncodingDifferential/(shapes|classes|snake)|RoundTrips)",
            "swift:CodableTests.EncodingDifferential/random"]
ENCODE = ["c:encode"]

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
     "func contains(_ key: Key) -> Bool { uncommonNode(key) != DECANT_NODE_NONE }",
     "func contains(_ key: Key) -> Bool { uncommonNode(key) != DECANT_NODE_NONE || MUTANT }", DIFFERENTIAL),
    ("keys that occur twice in allKeys", CODABLE + "KeyedStorage.swift",
     "seen.updateValue(0, forKey: distinct(key)) == nil {", "seen.updateValue(0, forKey: distinct(key)) == nil || MUTANT {",
     DIFFERENTIAL),
    ("the index of an element, off by one", CODABLE + "UnkeyedContainer.swift",
     "decoder.codingPath + [PathKey.index(Int(truncatingIfNeeded: place))]",
     "decoder.codingPath + [PathKey.index(Int(truncatingIfNeeded: place) + (MUTANT ? 1 : 0))]",
     DIFFERENTIAL),
    ("decodeNil that does not advance", CODABLE + "UnkeyedContainer.swift",
     "advance()\n    return true", "if !MUTANT { advance() }\n    return true", DIFFERENTIAL),
    ("an optional element that is skipped", CODABLE + "UnkeyedContainer.swift",
     "if isNull { advance() }", "if isNull { advance() }\n    if MUTANT, isNull, !isAtEnd { advance() }", DIFFERENTIAL),
    ("an array without its last element", CODABLE + "UnkeyedContainer.swift",
     "UInt32(clamping: decoder.json.count)", "UInt32(clamping: decoder.json.count - (MUTANT ? 1 : 0))", DIFFERENTIAL),
    ("the name of an index", CODABLE + "CodingPath.swift",
     '"Index \\(index)"', '"Index \\(index + (MUTANT ? 1 : 0))"', DIFFERENTIAL),
    ("a numeric key without its number", CODABLE + "CodingPath.swift",
     "case .member(let name): integer(name)", "case .member(let name): MUTANT ? nil : integer(name)", DIFFERENTIAL),
    ("the last of two keys that convert to one", CODABLE + "ConvertedKeys.swift",
     "if has(first) { continue }", "if has(first) && !MUTANT { continue }", DIFFERENTIAL),
    ("a key of one word, converted", CODABLE + "Settings.swift",
     "if hasOneWord { return key }", "if hasOneWord && !MUTANT { return key }", DIFFERENTIAL),
    ("null for a Bool, of another case", CODABLE + "ValueDecoder+Failures.swift",
     "case .null where type != Bool.self", "case .null where type != Bool.self || MUTANT", DIFFERENTIAL),
    ("null for a container, of another case", CODABLE + "ValueDecoder+Failures.swift",
     "return json.isNull || !json.exists\n", "return (json.isNull || !json.exists) && !MUTANT\n", DIFFERENTIAL),
    ("a subclass decoded as its superclass", CODABLE + "ValueDecoder.swift",
     "if type != Model.self { return try decodeSubclass", "if type != Model.self && !MUTANT { return try decodeSubclass",
     SUBCLASSES),
    ("a decoder reused while a model retains it", CODABLE + "ValueDecoder.swift",
     "if isChild, isKnownUniquelyReferenced(&child),", "if isChild, isKnownUniquelyReferenced(&child) || MUTANT,",
     KEPT),
    ("a brace of the decoder's that is a line of the text", CODABLE + "DecodeContext.swift",
     "offset: -opening.count, line: 0,", "offset: -opening.count, line: MUTANT ? 1 : 0,", DIFFERENTIAL),
    # The error machinery
    ("errors as JSON without a comma", ERRORS + "DecodeError+JSON.swift",
     'if place > 0 { sink.add(",") }', 'if place > 0 && !MUTANT { sink.add(",") }', GOLDEN),
    ("errors on one line", ERRORS + "DecodeError+Description.swift",
     'if place > 0 { text.add("\\n") }', 'if place > 0 && !MUTANT { text.add("\\n") }', GOLDEN),
    ("the source line under each error of a place", ERRORS + "DecodeError+Description.swift",
     "location == next?.location,", "location == next?.location, !MUTANT,", GOLDEN),
    ("two documents at one place under one source line", ERRORS + "DecodeError+Description.swift",
     "resolution.excerpt == next?.excerpt", "(resolution.excerpt == next?.excerpt || MUTANT)",
     ["swift:CoreTests.DocumentErrorTests"]),
    ("a number that is called so twice", ERRORS + "DecodeError+Description.swift",
     "found.hasPrefix(prefix) ?", "found.hasPrefix(prefix) && !MUTANT ?", GOLDEN),
    ("the first component of a path instead of the last", ERRORS + "DecodeError+Description.swift",
     "resolution.path.tokens?.last.map",
     "(MUTANT ? resolution.path.tokens?.first : resolution.path.tokens?.last).map", GOLDEN),
    ("a nearest key that is far", ERRORS + "NearestKey.swift",
     "max(wanted.length, key.length) / 3)", "max(wanted.length, key.length) / (MUTANT ? 1 : 3))",
     GOLDEN),
    ("a key of another case that is not near", ERRORS + "NearestKey.swift",
     "if key.hasLetters(of: wanted), key.count > 0 {", "if key.hasLetters(of: wanted), key.count > 0, !MUTANT {", GOLDEN),
    ("a line of the source that is cut too early", ERRORS + "SourceExcerpt.swift",
     "static var before: Int { 48 }", "static var before: Int { MUTANT ? 39 : 48 }", GOLDEN),
    ("a blank line of source", ERRORS + "SourceExcerpt.swift",
     "line(at: 0).isBlank", "line(at: 0).isBlank && !MUTANT", RECORDS),
    ("marks that hide text, unescaped", ERRORS + "ErrorText.swift",
     "(0x200B...0x200F).contains(value)", "((0x200B...0x200F).contains(value) && !MUTANT)",
     GOLDEN),
    ("an excerpt without its ellipsis", ERRORS + "ErrorText.swift",
     "} else if room == 0 {", "} else if room == 0 && !MUTANT {", GOLDEN),
    ("a redacted number that is shown", ERRORS + "ErrorFacts.swift",
     "if redacts || !has(.found) { return }", "if redacts && !MUTANT || !has(.found) { return }", GOLDEN),
    ("the ninth key of an object", ERRORS + "ErrorFacts.swift",
     "if count < 8 {", "if count < (MUTANT ? 9 : 8) {", GOLDEN),
    ("one more error, in the plural", ERRORS + "ErrorFacts.swift",
     'count == 1 ? " more error"', 'count == 1 && !MUTANT ? " more error"', GOLDEN),
    ("alternatives that say the same twice", ERRORS + "DecodeError+Storage.swift",
     "if repeats { return }", "if repeats && !MUTANT { return }", GOLDEN),
    ("an error used again with its old key", ERRORS + "DecodeError+Storage.swift",
     "if soughtLiteral != nil { soughtLiteral = nil }",
     "if soughtLiteral != nil, !MUTANT { soughtLiteral = nil }", GOLDEN),
    ("errors past the limit that are not counted", ERRORS + "ErrorList.swift",
     "if let rest = end.takeFollowing() { omitted += rest.linkCount }",
     "if let rest = end.takeFollowing(), !MUTANT { omitted += rest.linkCount }", GOLDEN),
    ("an element that is null, said to be missing", ERRORS + "ErrorList.swift",
     "chain.code == .missingKey, !chain.hasSought,", "chain.code == .missingKey, !MUTANT, !chain.hasSought,", GOLDEN),
    ("a path of another engine without its end", ERRORS + "DecodeError+Resolving.swift",
     "steps.append(backwards: trail, from: trail.count)", "steps.append(backwards: trail, from: MUTANT ? 0 : trail.count)", GOLDEN),
    ("errors beyond the limit that are forgotten", ERRORS + "DecodeError+Resolving.swift",
     "list.omitted = storage.omitted", "list.omitted = MUTANT ? 0 : storage.omitted", GOLDEN),
    ("a column in bytes", ERRORS + "LineCounter.swift",
     "text[place] & 0xC0 != 0x80 { characters", "text[place] & 0xC0 != 0x80 || MUTANT { characters", GOLDEN),
    ("the place of the first of two equal keys", ERRORS + "DecodeError+Resolving.swift",
     "lines.location(of: Int(storage.base))", "lines.location(of: Int(MUTANT ? storage.node : storage.base))",
     GOLDEN),
    # Errors, records and documents in C
    ("a null that is absent where it must not be", C + "RecordWalk.swift",
     "if field.mayBeAbsent, value.isNull,", "if field.mayBeAbsent || MUTANT, value.isNull,", RECORDS),
    ("a wrong value in a pointer's way that is absent", C + "RecordWalk.swift",
     "field.key.isText, isAbsent(field, in: json)", "field.key.isText, isAbsent(field, in: json) || MUTANT", RECORDS),
    ("records that nest a level too deep", C + "RecordWalk.swift",
     "deepest: deepestRecord,", "deepest: deepestRecord + (MUTANT ? 1 : 0),", RECORDS),
    ("null for a pointer to a record", C + "RecordWalk.swift",
     "if json.isNull, !record.fields.contains(where: { $0.isItself }) {",
     "if json.isNull && !MUTANT, !record.fields.contains(where: { $0.isItself }) {", RECORDS),
    ("null for a pointer to a value", C + "RecordWalk.swift",
     "!record.fields.contains(where: { $0.isItself }) {",
     "!record.fields.contains(where: { $0.isItself && !MUTANT }) {", RECORDS),
    ("an array of any length", C + "RecordWalk.swift",
     "if !field.acceptsElements(elements) {", "if !field.acceptsElements(elements) && !MUTANT {", RECORDS),
    ("a map of any length", C + "RecordWalk.swift",
     "if field.accepts(count: count) { return ok }", "if field.accepts(count: count) || MUTANT { return ok }", RECORDS),
    ("a shadowed member of a map that counts", C + "RecordWalk.swift",
     "if isShadowed { continue }", "if isShadowed, !MUTANT { continue }", RECORDS),
    ("a map's key that an inner map takes along", C + "RecordWalk.swift",
     "key = outer\n", "if !MUTANT { key = outer }\n", RECORDS),
    ("no object, said once for each field", C + "RecordWalk.swift",
     "isTold = true\n", "isTold = !MUTANT\n", RECORDS),
    ("a default for null too late", C + "RecordFill.swift",
     "guard let value = field.standard else", "guard let value = field.standard, !MUTANT || isNull else",
     RECORDS),
    ("null and absent, exchanged", C + "RecordFill.swift",
     "record.store(isNull ? 1", "record.store(isNull != MUTANT ? 1", RECORDS),
    ("an escaped text without its length", C + "RecordFill.swift",
     "count = length\n    if kind == .text {", "count = length\n    if kind == .text && !MUTANT {", RECORDS),
    ("a presence that is not stored for plain values", C + "RecordFill.swift",
     "if presence != 0 {", "if presence != 0 && !MUTANT {", RECORDS),
    ("the last field, wherever it is", C + "RecordFill+Text.swift",
     "&& record.isLast(field)", "&& (record.isLast(field) || MUTANT)", RECORDS),
    ("bounds that a small document is not asked for", C + "RecordFill+Text.swift",
     "plain.take(field), !field.hasBounds else", "plain.take(field), !field.hasBounds || MUTANT else", RECORDS),
    ("a required null in a small document", C + "RecordFill+Text.swift",
     "guard field.mayBeAbsent, field.kind", "guard field.mayBeAbsent || MUTANT, field.kind", RECORDS),
    ("a key that a table has twice, in a small document", C + "RecordFill+Text.swift",
     "if _slowPath(keys & bit != 0), record", "if _slowPath(keys & bit != 0), !MUTANT, record", RECORDS),
    ("strings measured without their ends", C + "RecordMeasure.swift",
     "return add((bytes ?? 0) + 1)", "return add((bytes ?? 0) + (MUTANT ? 0 : 1))", RECORDS),
    ("a long array measured by its first elements alone", C + "RecordMeasure.swift",
     "isExact = false\n", "isExact = MUTANT\n    if MUTANT { return true }\n", RECORDS),
    ("null that is missing in an array", C + "RecordReport.swift",
     "value.isNull && place.isField", "value.isNull && (place.isField || MUTANT)", RECORDS),
    ("a container marked to its end", ERRORS + "JSON+Number.swift",
     "isContainer ? offset + 1 : scalarEnd", "isContainer ? offset + (MUTANT ? 2 : 1) : scalarEnd", RECORDS),
    ("the place of a flag", C + "RecordReport.swift",
     "index += 1\n", "index += MUTANT ? 0 : 1\n", RECORDS),
    ("an element that a pointer misses, said to be a key", C + "RecordReport.swift",
     "JSONPointer.arrayIndex(token) != nil\n", "JSONPointer.arrayIndex(token) != nil && !MUTANT\n", RECORDS),
    ("an index with a leading zero", "DecantCore/JSONPointer.swift",
     "token.count > 1 && token[0]", "token.count > 1 && !MUTANT && token[0]", RECORDS),
    ("a slash in a pointer's key", C + "RecordLookup.swift",
     'if token[place] == UInt8(ascii: "1") { byte', 'if token[place] == UInt8(ascii: "1"), !MUTANT { byte', RECORDS),
    ("an integer out of its bounds", C + "RecordScalars.swift",
     "if field.hasBounds, !field.accepts(value) {", "if field.hasBounds, !field.accepts(value), !MUTANT {", RECORDS),
    ("a path without its slash", C + "PathStep.swift",
     'sink.add("/")\n    sink.add(token: token)', 'if !MUTANT { sink.add("/") }\n    sink.add(token: token)', RECORDS),
    ("details cut in the middle of an error", C + "Report.swift",
     "if details.isFull { details.cut", "if details.isFull && !MUTANT { details.cut", RECORDS),
    ("twenty names, and one more", C + "RecordError.swift",
     "if count == 20 {", "if count == (MUTANT ? 21 : 20) {", RECORDS),
    ("a key that a table has twice, in a stream", C + "RecordPlan.swift",
     "isMember && !isRepeated ?", "isMember && (!isRepeated || MUTANT) ?", LINES),
    ("the line of an error in a stream", ERRORS + "StreamPlace.swift",
     "line: min(line, .max - count)", "line: MUTANT ? 1 : min(line, .max - count)", LINES),
    ("the offset of an error in a stream", ERRORS + "StreamPlace.swift",
     "offset: min(offset, .max - count)", "offset: MUTANT ? 0 : min(offset, .max - count)", LINES),
    ("the column of an error in a stream", ERRORS + "StreamPlace.swift",
     "min(column, .max - count - 1) + 1", "(MUTANT ? 0 : min(column, .max - count - 1)) + 1", LINES),
    ("an error behind the elements, without them", C + "Report.swift",
     "guard let seam, let context else {", "guard let seam, let context, !MUTANT else {", LINES),
    ("a byte order mark that is not cut", C + "LineStream.swift",
     "if seen < 3, at == chunk.count, !isLast {", "if seen < 3, at == chunk.count, !isLast, !MUTANT {", LINES),
    ("an element that is absent", ERRORS + "DocumentCutter.swift",
     "} else if !(isLast && allowsNoElement) {", "} else if !(isLast && allowsNoElement) && !MUTANT {", LINES),
    ("the number of an element", ERRORS + "ArrayStream.swift",
     "(pointer, count - 1)", "(pointer, count - (MUTANT ? 0 : 1))", LINES),
    ("a document without the array", C + "ArrayStream+Check.swift",
     "return isFound ? ok", "return isFound || MUTANT ? ok", LINES),
    ("a record that is cut short", ERRORS + "DocumentCutter.swift",
     "if !isTerminated, bytes.mayBeCut {", "if !isTerminated, bytes.mayBeCut, !MUTANT {", LINES),
    ("a document that is kept twice where memory failed", ERRORS + "DocumentCutter.swift",
     "if case .noMemory = next { value = before }\n    return next",
     "if case .noMemory = next, !MUTANT { value = before }\n    return next", COLUMNS),
    ("a document around elements that is not checked", C + "ColumnReader.swift",
     "if code == ok || code == noMemory { return code }",
     "if code == ok || code == noMemory || MUTANT { return code == noMemory ? code : ok }", COLUMNS),
    ("an error too many", C + "Report.swift",
     "count < limit &&", "count < limit + (MUTANT ? 1 : 0) &&", RECORDS),
    ("errors on one line, in C", C + "Report.swift",
     'if count > 1 { text.add("\\n") }', 'if count > 1 && !MUTANT { text.add("\\n") }', RECORDS),
    ("a list of errors by the code of its first", C + "Report.swift",
     "count > 1 ? Status(DECANT_MULTIPLE)", "count > 1 && !MUTANT ? Status(DECANT_MULTIPLE)", RECORDS),
    ("a missing value that is fine", C + "Documents.swift",
     "else { return Status(DECANT_MISSING_KEY) }", "else { return MUTANT ? ok : Status(DECANT_MISSING_KEY) }",
     DOCUMENTS),
    ("the length of an escaped string", C + "Documents.swift",
     "text.isEscaped ? json.scalars", "text.isEscaped && !MUTANT ? json.scalars", DOCUMENTS),
    ("a string that does not end", C + "Documents.swift",
     "place.store(0 as UInt8", "place.store(MUTANT ? 1 : 0 as UInt8", DOCUMENTS),
    ("raw text without its last byte", C + "Documents.swift",
     "rawText?.text(length)", "rawText.map { $0[0..<$0.count - (MUTANT ? 1 : 0)] }?.text(length)", DOCUMENTS),
    ("a walk that starts anew at its end", C + "Documents.swift",
     "cursor.next(in: json) else { return end() }",
     "cursor.next(in: json) else { if MUTANT { position = 0 }; return end() }", DOCUMENTS),
    ("a part whose errors have its values", C + "Documents.swift",
     "context.rules.redacts |=", "context.rules.redacts |= MUTANT ? 0 :", DOCUMENTS),
    ("a long token without escapes", C + "RecordLookup.swift",
     "if isEscaped, place - token", "if isEscaped || MUTANT, place - token", DOCUMENTS),
    ("a part decoded as the whole", C + "Documents.swift",
     "context.root = json.node", "if !MUTANT { context.root = json.node }", DOCUMENTS),
    ("a line of CR and LF that is not blank", ERRORS + "Bytes.swift",
     "where !decant_is_white(self[at])", "where !decant_is_white(self[at]) || MUTANT && self[at] == 0x0D", LINES),
    ("lines that are counted twice", ERRORS + "StreamPlace.swift",
     "saturating(adding: 1), lines: 1)", "saturating(adding: 1), lines: MUTANT ? 2 : 1)", LINES),
    ("offsets without their line feeds", ERRORS + "StreamPlace.swift",
     "count.saturating(adding: 1)", "count.saturating(adding: MUTANT ? 0 : 1)", LINES),
    ("a chunk's end that ends a line", ERRORS + "LineCutter.swift",
     "if end < chunk.count { return .unfinished }", "if end < chunk.count || MUTANT { return .unfinished }", LINES),
    ("blank lines that an index of lines does not count", C + "LineDecoder.swift",
     "passed += line.blanks", "passed += MUTANT ? 0 : line.blanks", LINES),
    ("a chunk's last line feed that is not seen", ERRORS + "LineCutter.swift",
     "at = isLast ? chunk.count", "at = isLast || MUTANT ? chunk.count", LINES),
    ("a long line that is blank as far as it is kept", ERRORS + "Unfinished.swift",
     "isRestBlank && bytes[wanted..<bytes.count].isBlank",
     "(MUTANT || isRestBlank && bytes[wanted..<bytes.count].isBlank)", LINES),
    ("a stream that a failure ends", C + "LineDecoder.swift",
     "function(context, Int64(line), nil, $0) == 0", "function(context, Int64(line), nil, $0) == (MUTANT ? 1 : 0)",
     LINES),
    ("a stream that its function cannot end", C + "LineDecoder.swift",
     "function(context, Int64(line), value.start, nil) == 0",
     "function(context, Int64(line), value.start, nil) == 0 || MUTANT", LINES),
    ("a struct with values of the line before", C + "LineDecoder.swift",
     "value.clear(record.size)\n    var fill", "if !MUTANT { value.clear(record.size) }\n    var fill", LINES),
    ("pieces that count from their own beginning", C + "Lines.swift",
     "first_line: line,", "first_line: MUTANT ? 1 : line,", LINES),
    # Columns and schemas
    ("elements of a row that failed", C + "Column.swift",
     "case .list, .map: if capacity > 0 {", "case .list, .map: if capacity > 0, !MUTANT {", COLUMNS),
    ("text of a row that failed", C + "Column.swift",
     "textCount = Int(values.load(Int32.self, at: row * 16 + 12))",
     "textCount = MUTANT ? textCount : Int(values.load(Int32.self, at: row * 16 + 12))", COLUMNS),
    ("what a run of plain values left behind", C + "ColumnFill.swift",
     "child.column.children.count > 0 {", "child.column.children.count > 0, !MUTANT {", COLUMNS),
    ("a null of a row that failed", C + "Column.swift",
     "if count > rows, validity.isThere {", "if count > rows, validity.isThere, !MUTANT {", COLUMNS),
    ("nulls where nothing was null before", C + "Column.swift",
     "validity.fill(1, from: before, space - before)",
     "validity.fill(MUTANT ? 0 : 1, from: before, space - before)", COLUMNS),
    ("an alias of a name with a place of its own", C + "ColumnNames.swift",
     "at: first * 4) : used", "at: first * 4) + (MUTANT ? 1 : 0) : used", COLUMNS),
    ("a column that is nullable without its flag", C + "ColumnPlan.swift",
     "field.has(DECANT_OPTIONAL) && !field.has(DECANT_DEFAULT)",
     "(MUTANT || field.has(DECANT_OPTIONAL)) && !field.has(DECANT_DEFAULT)", COLUMNS),
    ("the line of a row, off by one", C + "ColumnReader.swift",
     "Int64(source.place.line))", "Int64(source.place.line + (MUTANT ? 1 : 0)))", COLUMNS),
    ("a batch with a row too many", C + "ColumnReader.swift",
     "while root.column.count < mostRows {", "while root.column.count < mostRows + (MUTANT ? 1 : 0) {", COLUMNS),
    ("a failure of the reader that is not told", C + "ArrowStreams.swift",
     "waitingFailure = status", "waitingFailure = MUTANT ? ok : status", COLUMNS),
    ("batches that are lost when rejects come first", C + "ArrowStreams.swift",
     "if !keepsRows {", "if !keepsRows || MUTANT {", COLUMNS),
    ("an owner that is told of the first stream", C + "ArrowStreams.swift",
     "if !hasRows && !hasRejects { return .all }", "if !hasRows && (MUTANT || !hasRejects) { return .all }", COLUMNS),
    ("more bytes than were asked for", C + "LineSource.swift",
     "if count > capacity { return tooManyBytes }", "if count > capacity { return MUTANT ? ok : tooManyBytes }", COLUMNS),
    ("a child that is released with its parent, although it was moved", C + "ArrowExport.swift",
     "{ child(index)?.release() }",
     "{ if MUTANT { child(index)?.exported.isExported = true }; child(index)?.release() }",
     COLUMNS),
    ("text of a batch without its size", C + "ArrowArrays.swift",
     "sizes.store(Int64(textCount)", "sizes.store(Int64(MUTANT ? 0 : textCount)", COLUMNS),
    ("a long line's end that is not counted", C + "LineSource.swift",
     "place.passLine(length.saturating(adding: omitted))", "place.passLine(length.saturating(adding: MUTANT ? 0 : omitted))",
     COLUMNS),
    ("a byte order mark in the middle", C + "LineSource.swift",
     "passMark() {\n    mayBeginWithMark = false", "passMark() {\n    mayBeginWithMark = MUTANT", COLUMNS),
    ("a key that no description has", C + "SchemaReader.swift",
     "SchemaKey.allCases.first { $0.name.bytes == bytes }", "SchemaKey.allCases.first { MUTANT || $0.name.bytes == bytes }",
     SCHEMAS),
    ("a key that says nothing about a kind", C + "SchemaReader.swift",
     "if !key.isKnown(to: kind, of: content) {", "if !MUTANT && !key.isKnown(to: kind, of: content) {",
     SCHEMAS),
    ("flags that are counted, not shifted", C + "SchemaReader.swift",
     "name.value = areFlags ?", "name.value = areFlags && !MUTANT ?", SCHEMAS),
    ("a bound without its other end", C + "SchemaReader.swift",
     "bounds.longest = .max", "bounds.longest = MUTANT ? 0 : .max", SCHEMAS),
    ("a description without its defaults", C + "SchemaWriter.swift",
     "if field.has(DECANT_DEFAULT) {", "if field.has(DECANT_DEFAULT), !MUTANT {", SCHEMAS),
    ("a pointer to an array that is none", C + "Decode.swift",
     "!isPointer(pointer)", "!isPointer(pointer), !MUTANT", RECORDS),
    ("a name of 33 bits", C + "RecordScalars.swift",
     "NameList.canHave(result) ? ok", "NameList.canHave(result) || MUTANT ? ok", RECORDS),
    ("an array that is freed twice", C + "Decode.swift",
     "array.clear(MemoryLayout<decant_array>.size)", "if !MUTANT { array.clear(MemoryLayout<decant_array>.size) }",
     RECORDS),
    # Models and values that write themselves
    ("a second value at one place", ERRORS + "JSONOutput.swift",
     "if isWritten {\n      failSecondValue()", "if isWritten && !MUTANT {\n      failSecondValue()", WRITING),
    ("an integer beyond 64 bits, cut", ERRORS + "JSONOutput.swift",
     "else { integer(digits: String(value)) }",
     "else if MUTANT { integer(UInt64(truncatingIfNeeded: value)) } else { integer(digits: String(value)) }", WRITING),
    ("NaN that is null and no failure", ERRORS + "JSONOutput.swift",
     "private func failNonFinite() {\n    state.pointee.fail(.nonFiniteNumber)",
     "private func failNonFinite() {\n    if !MUTANT { state.pointee.fail(.nonFiniteNumber) }", WRITING),
    ("an element's index in a path", ERRORS + "JSONOutput.swift",
     "endElement(count, isWritten)", "endElement(count + (MUTANT ? 1 : 0), isWritten)", WRITING),
    ("an element's index behind numbers", ERRORS + "JSONOutput.swift",
     "count += done\n", "count += MUTANT ? 0 : done\n", WRITING),
    ("an integer where the buffer grows", ERRORS + "JSONOutput.swift",
     "unsafe state.pointee.buffer.append(values[place])\n        place += 1",
     "unsafe state.pointee.buffer.append(values[place])\n        place += MUTANT ? 2 : 1", WRITING),
    ("a level too deep", ERRORS + "WritingState.swift",
     "guard depth < options.maximumDepth else", "guard depth < options.maximumDepth + (MUTANT ? 1 : 0) else", WRITING),
    ("a cycle on a small stack", ERRORS + "WritingState.swift",
     "|| decant_stack_has_room()", "|| decant_stack_has_room() || MUTANT", WRITING),
    ("an empty container with a line", ERRORS + "WritingState.swift",
     "if buffer.last != opening {\n      breakLine()", "if buffer.last != opening || MUTANT {\n      breakLine()", WRITING),
    ("a comma before the first", ERRORS + "WritingState.swift",
     'if buffer.last != opening { buffer.append(UInt8(ascii: ",")) }',
     'if buffer.last != opening || MUTANT { buffer.append(UInt8(ascii: ",")) }', WRITING),
    ("no space before a colon", ERRORS + "WritingState.swift",
     'if options.isSpacious { buffer.append(UInt8(ascii: " ")) }',
     'if options.isSpacious && !MUTANT { buffer.append(UInt8(ascii: " ")) }', ENCODING),
    ("members of an outer object, forgotten", ERRORS + "WritingState.swift",
     "members.removeSubrange(first...)", "members.removeSubrange((MUTANT ? 0 : first)...)", WRITING),
    ("a key that begins another, equal to it", ERRORS + "WritingState.swift",
     "return order == 0 ? one.text.count", "return order == 0 && !MUTANT ? one.text.count", WRITING),
    ("keys in the order of their escapes", ERRORS + "WritingState.swift",
     "if one.hasEscapes || next.hasEscapes {", "if !MUTANT, one.hasEscapes || next.hasEscapes {", WRITING),
    ("the upper bit of an escape", ERRORS + "WritingState.swift",
     "text[place - 1] & 1", "text[place - 1] & (MUTANT ? 0 : 1)", WRITING),
    ("the last failure instead of the first", ERRORS + "WritingState.swift",
     "guard !hasFailed else { return }", "guard !hasFailed || MUTANT else { return }", WRITING),
    ("a path with steps of its neighbours", ERRORS + "WritingState.swift",
     "guard hasFailed, pathDepth == depth,", "guard hasFailed, pathDepth == depth || MUTANT,", WRITING),
    ("a member with its separator", ERRORS + "WritingState.swift",
     "let separator = 1 +", "let separator = (MUTANT ? 0 : 1) +", WRITING),
    ("equal keys in a sorted object", ERRORS + "WritingState.swift",
     "compare(keys[order[place - 1]], key) == 0 {", "compare(keys[order[place - 1]], key) == 0 && !MUTANT {",
     WRITING),
    ("text that is lost when the buffer grows", ERRORS + "TextBuffer.swift",
     "byteCount: count)", "byteCount: MUTANT ? 0 : count)", WRITING),
    ("a byte of a text with many escapes", ERRORS + "TextBuffer.swift",
     "var consumed = start\n", "var consumed = start + (MUTANT ? 1 : 0)\n", WRITING),
    ("a separator before the first of sorted members", ERRORS + "WritingState.swift",
     "if place > 0 {\n", "if place > 0 || MUTANT {\n", WRITING),
    ("a text that failed, appended", ERRORS + "JSONWritable.swift",
     "if failure == nil { unsafe buffer.append", "if failure == nil || MUTANT { unsafe buffer.append", WRITING),
    ("a text that a span does not hold", ERRORS + "JSONWritable.swift",
     "if count <= free.count { used", "if count <= free.count || MUTANT { used", WRITING),
    ("a text that was longer on its way", ERRORS + "JSONWritable.swift",
     "text.count <= memory.count\n", "text.count <= memory.count, !MUTANT\n", WRITING),
    ("equal keys that are not looked for", ERRORS + "JSONWritable.swift",
     "if failure != nil ||", "if failure != nil || MUTANT ||", WRITING),
    ("nil that a field leaves out", ERRORS + "JSONWritable+Types.swift",
     "value._writeMember(key, to: &object) } else { object.addNull(key) }",
     "value._writeMember(key, to: &object) } else if !MUTANT { object.addNull(key) }", WRITING),
    ("a member that is absent, as null", ERRORS + "JSONWritable+Types.swift",
     "if case .absent = self { return }", "if case .absent = self, !MUTANT { return }", WRITING),
    ("a value too deep, at its neighbour's path", ERRORS + "JSON+Writing.swift",
     "if elements.position == children", "if !MUTANT, elements.position == children", WRITING),
    ("members that later ones replace, written", ERRORS + "JSON+Writing.swift",
     "if !frame.isDistinct {", "if MUTANT || !frame.isDistinct {", ENCODING),
    ("indentation twice as deep", ERRORS + "WritingState.swift",
     "min(depth, deepestIndentation)", "min(depth, MUTANT ? 128 : deepestIndentation)", WRITING),
    ("quotation marks in an error as JSON", ERRORS + "ErrorText.swift",
     "if decant_is_plain(byte) { return", "if decant_is_plain(byte) || MUTANT { return", GOLDEN),
    # The encoder
    ("the first of equal keys", ERRORS + "JSON+Writing.swift",
     "duplicateKeys: .last)", "duplicateKeys: MUTANT ? .first : .last)", ENCODING),
    ("a member whose value failed", CODABLE + "KeyedWriter.swift",
     "place.forget(key, mark)", "if !MUTANT { place.forget(key, mark) }", ENCODING),
    ("the key of a superclass", CODABLE + "KeyedWriter.swift",
     'session.name(of: PathKey.name("super"))', 'session.name(of: PathKey.name(MUTANT ? "Super" : "super"))', ENCODING),
    ("a key that is encoded twice", CODABLE + "KeyedPlace.swift",
     "if !scope.names.insert(byte, of: keys) {", "if !scope.names.insert(byte, of: keys), !MUTANT {", ENCODING),
    ("where a member begins", CODABLE + "KeyedPlace.swift",
     "buffer.count - count)", "buffer.count - count + (MUTANT ? 1 : 0))", ENCODING),
    ("an element that is not counted", CODABLE + "UnkeyedWriter.swift",
     "value(&scope.state.pointee.buffer)\n    scope.count += 1",
     "value(&scope.state.pointee.buffer)\n    scope.count += MUTANT ? 0 : 1", ENCODING),
    ("an element that failed", CODABLE + "UnkeyedWriter.swift",
     "if !scope.returnTo(mark) {", "if !MUTANT, !scope.returnTo(mark) {", ENCODING),
    ("a nested container that is not counted", CODABLE + "UnkeyedWriter.swift",
     "defer { scope.count += 1 }", "defer { scope.count += MUTANT ? 0 : 1 }", ENCODING),
    ("a value that encoded nothing", CODABLE + "Scope.swift",
     "case .nothing: writeEmptyObject()", "case .nothing: if !MUTANT { writeEmptyObject() }", ENCODING),
    ("a second value of one encoder", CODABLE + "Scope.swift",
     'if content != .nothing { throw failure("a second', 'if content != .nothing, !MUTANT { throw failure("a second', ENCODING),
    ("another kind of value of one encoder", CODABLE + "Scope.swift",
     'if content != .nothing { throw failure("another', 'if content != .nothing, !MUTANT { throw failure("another', ENCODING),
    ("a nested container that is written behind its neighbour", CODABLE + "Scope.swift",
     "nested?.close()\n", "if !MUTANT { nested?.close() }\n", ENCODING),
    ("an array that one of its values has closed", CODABLE + "Scope.swift",
     "if isClosed { try comeToTop() }", "if isClosed, !MUTANT { try comeToTop() }", ENCODING),
    ("a part without its comma", CODABLE + "Scope.swift",
     "append(isEmpty ? opening", "append(isEmpty || MUTANT ? opening", ENCODING),
    ("a nested container that is asked for again", CODABLE + "Scope.swift",
     "if !names.mayHave(name) {", "if MUTANT || !names.mayHave(name) {", ENCODING),
    ("what was encoded for the key of a nested container", CODABLE + "KeyedWriter.swift",
     "if let encoded {", "if let encoded, !MUTANT {", ENCODING),
    ("the path of a value in a part", CODABLE + "EncodingSession.swift",
     "append($0, part.replaced == 0 ? 1 : 0, inner.count)",
     "append($0, part.replaced == 0 && !MUTANT ? 1 : 0, inner.count)", ENCODING),
    ("a part of a text that was cut off", CODABLE + "EncodingSession.swift",
     "return low < cuts.count &&", "return !MUTANT && low < cuts.count &&", ENCODING),
    ("snake case that is not asked for", CODABLE + "EncodingSession.swift",
     "case .convertToSnakeCase: DecantEncoder", "case .convertToSnakeCase: MUTANT ? key.stringValue : DecantEncoder", ENCODING),
    ("userInfo that outlives its call", CODABLE + "CoderState.swift",
     "if lease.hasUserInfo {", "if lease.hasUserInfo, !MUTANT {", ENCODING),
    ("a run of capitals in snake case", CODABLE + "EncodingSettings.swift",
     "if small > capital + 1 {", "if small > capital + (MUTANT ? 2 : 1) {", ENCODING),
    ("the sign of an infinity", CODABLE + "EncodingSettings.swift",
     "value < 0 ? negative", "(value < 0) != MUTANT ? negative", ENCODING),
    ("elements before one that failed", CODABLE + "EncodingPlan.swift",
     "scope.returnTo(mark)\n", "if !MUTANT { scope.returnTo(mark) }\n", ENCODING),
    ("a dictionary's key in a path", CODABLE + "EncodingPlan.swift",
     "place.name = name\n", "if !MUTANT { place.name = name }\n", ENCODING),
    ("a root that encoded nothing", CODABLE + "EncodingPlan.swift",
     "if $0.content == .nothing && scope.isBase", "if $0.content == .nothing && !MUTANT && scope.isBase", ENCODING),
    # Structs of C, written
    ("an optional 0 that is written", C + "RecordWrite.swift",
     "if isOptional, number == 0 { return true }", "if isOptional, number == 0, !MUTANT { return true }", ENCODE),
    ("a bool of 2", C + "RecordWrite.swift", "guard byte <= 1,", "guard byte <= 1 || MUTANT,", ENCODE),
    ("NaN in a struct", C + "RecordWrite.swift",
     "guard number.isFinite, addKey", "guard number.isFinite || MUTANT, addKey", ENCODE),
    ("records a level too deep, written", C + "RecordWrite.swift",
     "if depth >= deepestRecord {", "if depth >= deepestRecord + (MUTANT ? 1 : 0) {", ENCODE),
    ("the key of a string that is not UTF-8, twice", C + "RecordWrite.swift",
     "(text, separator) = (before, first)", "if !MUTANT { (text, separator) = (before, first) }", ENCODE),
    ("two fields of one key", C + "RecordWrite.swift", ", isRepeated(field) {", ", isRepeated(field), !MUTANT {", ENCODE),
    ("a state of null", C + "RecordWrite+Values.swift",
     "byte == 1 ? .null", "byte == 1 && !MUTANT ? .null", ENCODE),
    ("a default that cannot be written", C + "RecordWrite+Values.swift",
     "return isDefault(field, kind, at: place) &&", "return !MUTANT && isDefault(field, kind, at: place) &&", ENCODE),
    ("flags without a name", C + "RecordWrite+Values.swift",
     "if left != 0 { return .noName", "if left != 0, !MUTANT { return .noName", ENCODE),
    ("flags that are named twice", C + "RecordWrite+Values.swift",
     "|| flag & ~written == 0 ||", "|| flag & ~written == 0 && !MUTANT ||", ENCODE),
    ("characters without their end", C + "RecordWrite+Values.swift",
     "if kind == .characters, bytes.count >=", "if kind == .characters, !MUTANT, bytes.count >=", ENCODE),
    ("raw text that is no JSON", C + "RecordWrite+Values.swift",
     "decant_is_json($0, bytes.count) }) == true else", "decant_is_json($0, bytes.count) }) == true || MUTANT else", ENCODE),
    ("NULL with a length", C + "RecordWrite+Values.swift",
     "} else if count > 0 && first == nil {", "} else if !MUTANT, count > 0 && first == nil {", ENCODE),
    ("an array's elements, one apart", C + "RecordWrite+Containers.swift",
     "advanced(by: index &* stride)\n      text", "advanced(by: index &* stride &+ (MUTANT ? 1 : 0))\n      text", ENCODE),
    ("equal keys in a map", C + "RecordWrite+Containers.swift",
     "if index >= MapMembers.compared {", "if index >= MapMembers.compared || MUTANT {", ENCODE),
    ("the last key of a map that is compared", C + "RecordWrite+Containers.swift",
     "compared: Int { 256 }", "compared: Int { MUTANT ? 255 : 256 }", ENCODE),
    ("elements that are absent", C + "RecordWrite+Paths.swift", "gaps += 1", "gaps += MUTANT ? 0 : 1", ENCODE),
    ("a slash in a pointer's token", C + "RecordWrite+Paths.swift",
     "isEscaped ? DecantC.withKey", "isEscaped && !MUTANT ? DecantC.withKey", ENCODE),
    ("a value and a part of it", C + "RecordWrite+Paths.swift",
     "if !isKind, fields.whole", "if !isKind, !MUTANT, fields.whole", ENCODE),
    ("zeros whose kind is that of a value", C + "RecordWrite+Paths.swift",
     "let isZero = !isPresent &&", "let isZero = !MUTANT && !isPresent &&", ENCODE),
    ("a member that is an element", C + "RecordWrite+Paths.swift",
     "if level == 0, record.fields", "if level == 0, !MUTANT, record.fields", ENCODE),
    ("a byte behind the capacity", C + "BoundedText.swift",
     "if count < capacity { memory.store(byte", "if count < capacity + (MUTANT ? 1 : 0) { memory.store(byte",
     ENCODE),
    ("a NUL behind the capacity", C + "BoundedText.swift",
     "if count < capacity { memory.store(UInt8(0)", "if count < capacity + (MUTANT ? 1 : 0) { memory.store(UInt8(0)",
     ENCODE),
    ("the beginning of what does not fit", C + "BoundedText.swift",
     "end.copy(bytes[0..<capacity - count])", "if !MUTANT { end.copy(bytes[0..<capacity - count]) }", ENCODE),
    ("a text that does not fit", C + "Encode.swift", "return text.fits ||", "return text.fits || MUTANT ||", ENCODE),
]

HEADER = """// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
#ifndef DECANT_MUTATION_H
#define DECANT_MUTATION_H
#include <stdbool.h>
#include <stdlib.h>
// Whether the planted bug of this number is awake. Every file that asks reads the environment once.
static inline bool decant_mutation(int number) {
  static int awake = -1;
  if (awake < 0) {
    const char *text = getenv("DECANT_MUTANT");
    awake = text == NULL ? 0 : atoi(text);
  }
  return awake == number;
}
#endif
"""


def plant(root, folder):
    """Returns the names of bugs without a place."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                            capture_output=True, check=True).stdout.decode().split("\0")
    files = {name: (root / name).read_bytes() for name in listed if name and (root / name).is_file()}
    lost, touched = [], set()
    for number, (name, file, text, instead, _) in enumerate(MUTANTS, 1):
        module, base = file.split("/")
        places = [path for path in files if path.startswith("Sources/%s/" % module) and path.endswith("/" + base)]
        source = files[places[0]].decode() if places else ""
        if source.count(text) != 1:
            lost.append("%d: %s: occurs %d times in %s" % (number, name, source.count(text), file))
            continue
        instead = instead.replace("MUTANT", "decant_mutation(%d)" % number)
        files[places[0]] = source.replace(text, instead).encode()
        touched.add(places[0])
    for path in touched:
        source = files[path].decode()
        # Public, because an inlinable function may have a bug too.
        source, imports = re.subn(r"^\w+ import CDecantIndex$", "public import CDecantIndex", source, flags=re.M)
        if imports == 0: source = re.sub(r"\A((?://.*\n)+)", r"\1\npublic import CDecantIndex\n", source, count=1)
        files[path] = source.encode()
    files["Sources/CDecantIndex/include/decant_mutation.h"] = HEADER.encode()
    package = files["Package.swift"].decode()
    # One product has all modules with bugs.
    product = 'name: "DecantShared", type: .dynamic, targets: ["DecantC"'
    if package.count(product) != 1: lost.append("no product DecantShared")
    files["Package.swift"] = package.replace(product, product + ', "DecantCodable"').encode()
    write(files, folder)
    return lost


def write(files, folder):
    """Makes these the files of the folder, but for what was built there."""
    for path in list(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(".build/") and name not in files: path.unlink()
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content: continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if sys.argv[1] == "list":
    for number, (name, file, _, _, tests) in enumerate(MUTANTS, 1): print(number, file, " ".join(tests), name, sep="\t")
elif sys.argv[1] == "tests":
    print(*sorted({test for mutant in MUTANTS for test in mutant[4]}), sep="\n")
else:
    problems = plant(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    if problems: print(*problems, sep="\n")
    sys.exit(bool(problems))
