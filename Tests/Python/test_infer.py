# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Descriptions of samples, and the commands."""

import gzip
import io
import json
import os
import subprocess
import sys

import pytest

import decant
from support import event_lines

ROWS = [
    {"id": 1, "kind": "view", "user": {"id": 1, "name": "Ann"}, "tags": ["a"], "score": 1.5, "big": 1 << 63},
    {"id": 2, "kind": "view", "user": {"id": 2, "name": None}, "tags": [], "score": 2, "big": 3},
    {"id": 3, "kind": "view", "user": {"id": 3}, "tags": ["b"], "score": "high", "big": 4, "late": True},
    {"id": 4, "kind": "view", "user": {"id": 4}, "tags": ["b"], "big": 5},
]
EXPECTED = """\
// 6 rows of the source
// 2 rows without an object, first in line 5: the row is an array
{"fields":[
  {"key":"id","kind":"int64"},  // 4 integers from line 1, from 1 to 4
  {"key":"kind","kind":"string"},  // 4 strings from line 1; an enum of "view" 4
  {"key":"user","kind":"record","fields":[  // 4 objects from line 1
    {"key":"id","kind":"int64"},  // 4 integers from line 1, from 1 to 4
    {"key":"name","kind":"string","optional":true}  // 1 string from line 1; 1 null from line 2; absent 2 times from line 3
  ]},
  {"key":"tags","kind":"array","element":"string"},  // 4 arrays from line 1; elements: 3 strings from line 1
  {"key":"score","kind":"double","optional":true},  // 1 number from line 1; 1 integer from line 2, from 2 to 2; \
1 string from line 3; absent 1 time from line 4; rejects, unless the kind is changed: strings; \
"optional":true,"null_texts":["high"] takes these strings as null; "kind":"string","as_text":true keeps the text of all
  {"key":"big","kind":"uint64"},  // 4 integers from line 1, from 3 to 9,223,372,036,854,775,808
  {"key":"late","kind":"bool","optional":true}  // 1 boolean from line 3; absent 3 times from line 1
]}
"""
SAMPLE = event_lines(ROWS) + b"[1]\n{\n"


def test_a_description_says_what_was_seen():
    assert str(decant.infer(SAMPLE)) == EXPECTED
    assert str(decant.infer(io.BytesIO(SAMPLE))) == EXPECTED
    assert str(decant.infer([SAMPLE[:50], SAMPLE[50:]])) == EXPECTED


def test_many_files_are_one_sample(tmp_path):
    for number, part in enumerate((SAMPLE[:-2], SAMPLE)):
        (tmp_path / f"{number}.ndjson").write_bytes(part)
    for source in (tmp_path / "*.ndjson", [tmp_path / "0.ndjson", str(tmp_path / "1.ndjson")]):
        assert decant.infer(source).lines == 11
        assert decant.infer(source).fields == decant.infer(SAMPLE).fields
    with pytest.raises(FileNotFoundError):
        decant.infer(tmp_path / "absent")


def test_a_description_reads_its_sample():
    found = decant.infer(SAMPLE)
    rows = decant.read(SAMPLE, found.schema)
    assert rows.arrow()["id"].to_pylist() == [1, 2, 4]
    assert [reject.line for reject in rows.rejects] == [3, 5, 6]
    assert json.loads(decant.Schema(found.fields).json) == found.fields


def test_a_sample_ends_where_it_should(tmp_path):
    path = tmp_path / "events"
    path.write_bytes(SAMPLE * 1000)
    for rows in (1, 2, 3, 5, 100):
        found = decant.infer(path, rows=rows)
        assert sum(found._root.kinds["object"][:1]) <= rows and not found.is_whole
        assert str(found).startswith(f"// {found.lines:,} row{'' if found.lines == 1 else 's'}, the first ones of the source")
    assert decant.infer(path, rows=None).lines == 6000

    def endless():
        while True:
            yield SAMPLE

    assert not decant.infer(endless(), rows=5000).is_whole


@pytest.mark.parametrize("value, made", [
    ([[1, None], []], {"kind": "array", "element": "record", "fields": [
        {"pointer": "", "kind": "array", "element": "int64", "null_elements": True}]}),
    ([None, [{"a": 1}]], {"kind": "array", "element": "record", "fields": [
        {"pointer": "", "kind": "array", "element": "record", "fields": [{"key": "a", "kind": "int64"}], "optional": True}]}),
    ([], {"kind": "array", "element": "raw"}), ({}, {"kind": "raw"}),
    (None, {"kind": "raw", "optional": True}), (1 << 64, {"kind": "raw"}), (-(1 << 63), {"kind": "int64"}),
    ([{"a": 1}, {"b": "x"}], {"kind": "array", "element": "record", "fields": [
        {"key": "a", "kind": "int64", "optional": True}, {"key": "b", "kind": "string", "optional": True}]}),
    ([1, None], {"kind": "array", "element": "int64", "null_elements": True}),
    ("2026-11-27T00:00:00Z", {"kind": "time"}), ("2026-11-27", {"kind": "date"}), ("2026-11-27T00:00:00", {"kind": "time", "zoneless": True}),
    ("2026-11-27 00:00:00", {"kind": "string"}),
    (["2026-11-27", "x"], {"kind": "array", "element": "string"}), (["2026-11-27", "2026-11-28"], {"kind": "array", "element": "date"}),
    ([None], {"kind": "array", "element": "raw", "null_elements": True})])
def test_kinds(value, made):
    found = decant.infer(event_lines([{"a": value}]))
    assert found.fields == {"fields": [{"key": "a", **made}]}
    # What is written for people is the same, and reads the sample.
    written = json.loads("\n".join(line.split("  //")[0] for line in str(found).splitlines() if not line.startswith("//")))
    assert written == found.fields
    assert not list(decant.read(event_lines([{"a": value}]), found.schema).rejects)


def test_objects_with_any_key_are_maps():
    rows = [{"m": {f"key {n}": n}} for n in range(300)]
    found = decant.infer(event_lines(rows))
    assert found.fields["fields"][0] == {"key": "m", "kind": "map", "fields": [{"kind": "key"}, {"pointer": "", "kind": "int64"}]}
    assert decant.read(event_lines(rows), found.schema).arrow().num_rows == 300


def run(*arguments, **more):
    return subprocess.run([sys.executable, "-m", "decant", *arguments], capture_output=True, text=True, timeout=60, **more)


def test_the_commands(tmp_path):
    events, schema = tmp_path / "events.ndjson", tmp_path / "events.json"
    events.write_bytes(SAMPLE)
    done = run("infer", str(events))
    assert (done.returncode, done.stdout, done.stderr) == (0, EXPECTED, "")
    with open(events) as file:
        assert run("infer", "-", stdin=file).stdout == EXPECTED
    schema.write_text(done.stdout)
    done = run("check", "events.ndjson", "--schema", str(schema), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "events.ndjson: 3 bad lines\n"
    assert done.stdout.splitlines()[:6] == [
        'events.ndjson:3:70: /score: expected a number, found the string "high"',
        '  {"id": 3, "kind": "view", "user": {"id": 3}, "tags": ["b"], "score": "high", "big": 4, "late": true}',
        "  " + " " * 69 + "^", "events.ndjson:5:1: expected an object, found an array", "  [1]", "  ^"]
    good = tmp_path / "good"
    good.write_text("")
    assert run("check", str(good), "--schema", str(schema)).returncode == 0
    assert run("check", str(good), "--schema", schema.read_text()).returncode == 0
    for arguments in (["check", str(tmp_path / "absent"), "--schema", str(schema)],
                      ["check", str(good), "--schema", str(tmp_path / "absent")], ["check", str(good)], []):
        done = run(*arguments)
        assert done.returncode == 2 and done.stderr != "" and "Traceback" not in done.stderr
    schema.write_text("{")
    done = run("check", str(good), "--schema", str(schema))
    assert done.returncode == 2 and str(schema) in done.stderr


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path):
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b'{"id":1}\n{"id":"x"}\n' * 5000)[:-9])
    (tmp_path / "no.xz").write_bytes(b'{"id":1}\n')
    (tmp_path / "bad").write_bytes(b'{"id":1}\n{}\n')
    done = run("check", "absent", "cut.gz", "no.xz", "bad", "--schema", '{"fields":[{"key":"id","kind":"int64"}]}', cwd=tmp_path)
    assert done.returncode == 2 and "bad:2:1: /id: the key is missing\n" in done.stdout
    missing, *counted, cut, damaged, bad = done.stderr.splitlines()
    assert missing == "decant: [Errno 2] No such file or directory: 'absent'"
    assert len(counted) <= 1 and all(line.startswith("cut.gz: ") and line.endswith(" bad lines") for line in counted)
    assert cut == "decant: cut.gz: Compressed file ended before the end-of-stream marker was reached"
    assert damaged.startswith("decant: no.xz: ") and bad == "bad: 1 bad line"


def test_more_bad_lines_than_are_told_by_default(tmp_path):
    events, schema = tmp_path / "events.ndjson", tmp_path / "schema"
    events.write_bytes(b"{}\n" * 70_000)
    schema.write_text('{"fields":[{"key":"id","kind":"int64"}]}')
    done = run("check", str(events), "--schema", str(schema))
    assert done.returncode == 1 and done.stderr == f"{events}: 70,000 bad lines\n"
    assert done.stdout.count(": the key is missing") == 70_000


def test_what_could_be_asked_for():
    numbers = str(decant.infer(event_lines([{"a": 1}, {"a": 2}, {"a": "3"}])))
    assert '"from_text":true reads the numbers in these strings; "kind":"string","as_text":true keeps' in numbers
    assert "null_texts" not in numbers
    lists = str(decant.infer(event_lines([{"a": ["x", "y"]}, {"a": [1]}])))
    assert 'elements: 2 strings from line 1; 1 integer from line 2' in lists
    assert '"element":"string","as_text":true keeps the text of all' in lists
    times = [{"a": f"2026-11-{day:02}T01:02:03Z"} for day in range(1, 29)]
    assert decant.infer(event_lines(times)).fields["fields"] == [{"key": "a", "kind": "time"}]
    for wrong in ("2026-13-01T01:02:03Z", "2026-00-01T01:02:03Z", "2026-11-32T01:02:03Z", "2026-11-01T24:02:03Z", "soon"):
        found = decant.infer(event_lines([*times, {"a": wrong}]))
        assert found.fields["fields"] == [{"key": "a", "kind": "string"}]
        assert '28 of them by RFC 3339, but not the one in line 29: with "time", such lines are rejects' in str(found)


@pytest.mark.parametrize("source", (b'[{"id":1},{"id":2}]\n', b'\xEF\xBB\xBF\n [\n {"id":1},\n {"id":2}\n]\n'))
def test_an_array_is_not_taken_for_lines_in_silence(source):
    assert '// The source begins as an array: with elements="", the rows are its elements\n' in str(decant.infer(source))
    assert decant.infer(source, elements="").lines == 2
    assert "array: with" not in str(decant.infer(source, elements="")) + str(decant.infer(SAMPLE))
