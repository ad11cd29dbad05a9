# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Infers a first description from a sample, with the number of values of each kind and the line of the first one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from . import _decant
from ._rows import Framing, _CHUNK, _FromChunks, _Opened, _paths, read
from ._schema import Schema, _element, field

_NAMES = 16  # of an enum that is proposed
_TEXTS = 64  # of a field that are counted
_KEYS = 100  # of objects that may have any key
_MOSTLY = 16  # texts that are times before one that is none is worth telling
_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_ZONELESS = re.compile(_DATE.pattern + r"[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?")
_TIME = re.compile(_ZONELESS.pattern + r"([Zz]|[+-][0-9]{2}:[0-9]{2})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([Ee][-+]?[0-9]+)?")
_WORDS = {"null": "null", "bool": "boolean", "integer": "integer", "number": "number", "string": "string", "array": "array",
          "object": "object"}


_WITH_ARTICLES = {kind: word if kind == "null" else f"{'an' if word[0] in 'aio' else 'a'} {word}" for kind, word in _WORDS.items()}


class Inference:
    """The description of a sample. `str()` returns its text, with a comment for each field, for you to read and change.

    schema: the Schema of the description.
    lines: the number of lines in the sample.
    bad: the lines that are not objects, as pairs of the line number and the reason.
    fields: the description as a dictionary.
    """

    def __init__(
        self, root: _Node, lines: int, bad: list[tuple[int, str]], is_whole: bool, is_array: bool = False,
    ) -> None:
        self._root, self.lines, self.bad, self.is_whole = root, lines, bad, is_whole
        self._is_array = is_array

    @property
    def fields(self) -> dict[str, Any]:
        return {"fields": [{"key": key, **node.description()} for key, node in self._root.members.items()]}

    @property
    def schema(self) -> Schema:
        return Schema(str(self))

    def __str__(self) -> str:
        head = [f"// {_count(self.lines, 'row')}" + ("" if self.is_whole else ", the first ones") + " of the source"]
        if self.bad:
            line, message = self.bad[0]
            head.append(f"// {_count(len(self.bad), 'row')} without an object, first in line {line}: {_plain(message)}")
            if self._is_array:
                head.append('// The source begins as an array: with elements="", the rows are its elements')
        return "\n".join([*head, '{"fields":[', *_lines(self._root, 1), "]}"]) + "\n"


def infer(source: Any, *, rows: int | None = 10_000, framing: Framing = "lines", elements: str | None = None) -> Inference:
    """Reads a sample of a source, and returns its description.

        print(decant.infer("events.ndjson"))
        // 10,000 rows, the first ones of the source
        {"fields":[
          {"key":"id","kind":"int64"},  // 10,000 integers from line 1, from 1 to 10,000
          {"key":"score","kind":"double","optional":true},  // 9,990 numbers from line 1; 10 strings from line 501; absent …

    source, framing, elements: as in `read`.
    rows: the size of the sample; None reads the whole source.

    If a field has values of several kinds, it gets the most frequent kind. The comment names the other kinds and their
    first lines; these lines will be rejects. A field is optional if it is absent or null somewhere. A number is an
    integer if its text has no point and no exponent: 1.0 is not.
    """
    sample = _Sample(source)
    seen = read(sample, {"value": field("raw", pointer="")}, framing=framing, elements=elements, line_numbers=True,
                batch_rows=1024)
    root, bad = _Node(), []
    count = others = last = 0
    while not sample.is_ended and (batch := seen._stream.read_batch()) is not None:
        for text, line in _decant.tuples_of_texts(batch):
            if count == rows:
                sample.is_ended = True
                break
            count, last = count + 1, line
            value = json.loads(text, object_pairs_hook=_Members, parse_int=_Integer, parse_float=_Number)
            if isinstance(value, _Members):
                root.add(value, line)
            else:
                others += 1
                bad.append((line, f"the row is {_WITH_ARTICLES[_kind(value)]}"))
    seen._stream.close()
    # What failed behind the last row that was looked at is not a part of the sample.
    refused = [reject for reject in seen.rejects if not sample.is_ended or (reject.line or 0) <= last]
    bad += [(reject.line or 0, reject.message) for reject in refused for _ in range(reject.count)]
    is_array = framing == "lines" and elements is None and bool(sample.begins_array)
    return Inference(root, count - others + len(bad), sorted(bad), not sample.is_ended, is_array)


class _Sample:
    """A source that ends as soon as `is_ended` is set."""

    def __init__(self, source: Any) -> None:
        self.chunks, self.is_ended = _FromChunks(_chunks_of(source), skips_empty=True), False
        self.begins_array: bool | None = None  # known with the first byte that is not blank

    def read(self, most: int) -> Any:
        chunk = b"" if self.is_ended else self.chunks.pull(most)
        if self.begins_array is None and (first := bytes(chunk[:4096]).removeprefix(b"\xEF\xBB\xBF").lstrip()):
            self.begins_array = first[:1] == b"["
        return chunk


def _chunks_of(source: Any) -> Iterator[Any]:
    """Yields the chunks of a source, or of many files. A line feed follows each file."""
    paths = _paths(source)
    for part in (source,) if paths is None else paths:
        with _Opened(part) as opened:
            if isinstance(opened, tuple):
                file = _decant.open_file(*opened[:2])
                while chunk := _decant.read_file(file, _CHUNK, opened[2]):
                    yield chunk
            elif callable(opened):
                while chunk := opened(_CHUNK):
                    yield bytes(chunk)
            else:
                whole = opened.cast("B")
                for at in range(0, len(whole), _CHUNK):
                    yield whole[at:at + _CHUNK]
        if paths is not None:
            yield b"\n"


class _Members(list):  # type: ignore[type-arg]
    """The members of an object in document order, including duplicate keys."""


class _Integer(str):
    """The text of an integer."""


class _Number(str):
    """The text of a number that is not an integer."""


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, _Members):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, _Integer):
        return "integer"
    return "number" if isinstance(value, _Number) else "string"


class _Node:
    """The values that the sample has at one path."""

    def __init__(self) -> None:
        self.kinds: dict[str, list[int]] = {}  # of each: how many, and the first line
        self.members: dict[str, _Node] = {}
        self.elements: _Node | None = None
        self.least: int | None = None
        self.most: int | None = None
        self.texts: dict[str, int] | None = {}
        self.times = self.zoneless = self.dates = self.numbers = 0
        self.untimely = 0  # the line of the first text that is no time
        self.absent = 0
        self.absent_from = 0

    def add(self, value: Any, line: int) -> None:
        kind = _kind(value)
        known = self.kinds.setdefault(kind, [0, line])
        known[0] += 1
        if kind == "object":
            self.add_members(value, known[0], line)
        elif kind == "array":
            self.elements = self.elements or _Node()
            for element in value:
                self.elements.add(element, line)
        elif kind == "integer":
            # Longer ones are of no use as numbers.
            number = int(value) if len(value) < 25 else (1 << 80) * (-1 if value[0] == "-" else 1)
            self.least = number if self.least is None else min(self.least, number)
            self.most = number if self.most is None else max(self.most, number)
        elif kind == "string":
            self.add_text(value, line)

    def add_text(self, value: str, line: int) -> None:
        # Only as long as all of them are, or have been for a while.
        seen = self.kinds["string"][0] - 1
        self.numbers += self.numbers == seen and _NUMBER.fullmatch(value) is not None
        if self.times == seen or self.times >= _MOSTLY:
            is_time = _TIME.fullmatch(value) is not None
            self.times += is_time
            self.untimely = self.untimely or (0 if is_time else line)
        self.zoneless += self.zoneless == seen and _ZONELESS.fullmatch(value) is not None
        self.dates += self.dates == seen and _DATE.fullmatch(value) is not None
        if self.texts is not None:
            self.texts[value] = self.texts.get(value, 0) + 1
            if len(self.texts) > _TEXTS:
                self.texts = None

    def add_members(self, members: _Members, count: int, line: int) -> None:
        found = set()
        for key, value in members:
            if key in found:  # of equal keys, the first counts
                continue
            found.add(key)
            node = self.members.get(key)
            if node is None:
                node = self.members[key] = _Node()
                if count > 1:
                    node.absent, node.absent_from = count - 1, self.kinds["object"][1]
            node.add(value, line)
        if len(found) < len(self.members):
            for key, node in self.members.items():
                if key not in found:
                    node.absent += 1
                    node.absent_from = node.absent_from or line

    @property
    def values(self) -> dict[str, int]:
        """The number of values of each kind except null. If there are other numbers, integers count as numbers."""
        counts = {kind: count for kind, (count, _) in self.kinds.items() if kind != "null"}
        if "number" in counts and "integer" in counts:
            counts["number"] += counts.pop("integer")
        return counts

    def kind(self) -> str:
        counts = self.values
        return max(counts, key=lambda kind: counts[kind]) if counts else "null"

    def description(self) -> dict[str, Any]:
        made = self.plain_description()
        if self.absent or "null" in self.kinds:
            made["optional"] = True
        return made

    def plain_description(self) -> dict[str, Any]:
        kind = self.kind()
        if kind == "bool":
            return {"kind": "bool"}
        if kind == "integer":
            return {"kind": self.integer()}
        if kind == "number":
            return {"kind": "double"}
        if kind == "string":
            count = self.kinds["string"][0]
            if self.zoneless == count:
                return {"kind": "time", "zoneless": True}
            return {"kind": "time" if self.times == count else "date" if self.dates == count else "string"}
        if kind == "array":
            inner: dict[str, Any] = {"kind": "raw"}
            if self.elements and self.elements.kinds:
                inner = self.elements.plain_description()
            if self.elements and "null" in self.elements.kinds:
                inner["optional"] = True
            return {"kind": "array", **_element(inner)}
        if kind == "object" and self.members:
            if self.is_map():
                value = next(iter(self.members.values()))
                return {"kind": "map", "fields": [{"kind": "key"}, {"pointer": "", "kind": value.plain_description()["kind"]}]}
            return {"kind": "record", "fields": [{"key": key, **node.description()} for key, node in self.members.items()]}
        return {"kind": "raw"}

    def integer(self) -> str:
        least, most = self.least or 0, self.most or 0
        if -(1 << 63) <= least and most < 1 << 63:
            return "int64"
        return "uint64" if 0 <= least and most < 1 << 64 else "raw"

    def is_map(self) -> bool:
        """Whether the keys are data: there are many, each is in few objects, and all values have one scalar kind."""
        if len(self.members) <= _KEYS:
            return False
        kinds = {node.kind() for node in self.members.values()}
        seen = sum(sum(count for count, _ in node.kinds.values()) for node in self.members.values())
        return len(kinds) == 1 and kinds <= {"bool", "integer", "number", "string"} and (
            seen < len(self.members) * self.kinds["object"][0] / 4)

    def comment(self, word: str = "kind") -> str:
        """Describes the values of the sample, and the alternatives. `word` is the member of the description that has the kind."""
        parts = []
        chosen = self.kind()
        order = sorted(self.kinds.items(), key=lambda item: (item[0] == "null", -item[1][0]))
        for kind, (count, line) in order:
            part = f"{_count(count, _WORDS[kind])} from line {line:,}"
            if kind == "integer" and self.least is not None and abs(self.least) < 1 << 70 and abs(self.most or 0) < 1 << 70:
                part += f", from {self.least:,} to {self.most:,}"
            parts.append(part)
        if self.absent:
            parts.append(f"absent {_count(self.absent, 'time')} from line {self.absent_from:,}")
        others = [kind for kind in self.values if kind != chosen]
        if others:
            parts.append(f"rejects, unless the kind is changed: {', '.join(_WORDS[kind] + 's' for kind in others)}")
            if "string" in others and self.numbers == self.kinds["string"][0]:
                parts.append('"from_text":true reads the numbers in these strings')
            elif "string" in others and self.texts and len(self.texts) <= 4:
                texts = json.dumps([_plain(text) for text in self.texts], ensure_ascii=False)
                parts.append(f'"optional":true,"null_texts":{texts} takes these strings as null')
            if not {"array", "object"} & set(self.values):
                parts.append(f'"{word}":"string","as_text":true keeps the text of all')
        if chosen == "array" and self.elements is not None and self.elements.kinds:
            parts.append("elements: " + self.elements.comment("element"))
        if self.plain_description()["kind"] in ("time", "date"):
            zone = " without a zone" if self.plain_description().get("zoneless") else ""
            parts.append(f"all by RFC 3339{zone}; \"string\" keeps their text")
        elif chosen == "string" and self.untimely and 2 * self.times > self.kinds["string"][0]:
            parts.append(f"{self.times:,} of them by RFC 3339, but not the one in line {self.untimely:,}: with \"time\", such lines "
                         "are rejects")
        elif chosen == "string" and self.texts and len(self.texts) <= _NAMES and self.kinds["string"][0] >= 4 * len(self.texts):
            names = sorted(self.texts.items(), key=lambda item: -item[1])
            parts.append("an enum of " + ", ".join(f"{json.dumps(_plain(name))} {count:,}" for name, count in names))
        if self.plain_description()["kind"] == "raw":
            parts.append("kept as its text")
        return "; ".join(parts)


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 or word == "null" else "s")


def _plain(text: str) -> str:
    """Shortens a text, and puts it on one line, for a comment."""
    text = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
    return text if len(text) <= 40 else text[:39] + "…"


def _lines(node: _Node, depth: int) -> list[str]:
    """Writes the fields of a record, one on each line, with their comments."""
    lines = []
    for place, (key, member) in enumerate(node.members.items()):
        made = {"key": key, **member.description()}
        fields = made.pop("fields", None)
        last = "" if place == len(node.members) - 1 else ","
        text, comment = json.dumps(made, ensure_ascii=False, separators=(",", ":")), member.comment()
        inner = member.elements if made["kind"] == "array" else member
        if fields is None:
            lines.append(f"{'  ' * depth}{text}{last}  // {comment}")
        elif made["kind"] == "map" or inner is None or "pointer" in fields[0]:
            rest = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
            lines.append(f'{"  " * depth}{text[:-1]},"fields":{rest}}}{last}  // {comment}')
        else:
            lines.append(f'{"  " * depth}{text[:-1]},"fields":[  // {comment}')
            lines += _lines(inner, depth + 1)
            lines.append(f"{'  ' * depth}]}}{last}")
    return lines
