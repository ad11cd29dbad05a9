# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""The page of the package: its programs print what it says."""

import contextlib
import gzip
import io
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[2] / "Sources/Decant/Decant.docc/ColumnsInPython.md"


def event(number, kind, score, **more):
    return {"id": number, "kind": kind, "user": {"id": 7, "name": "Ann"}, "tags": ["a"], "score": score, **more}


LINES = [json.dumps(line) for line in (
    event(1, "view", 1.25), event(2, "purchase", 4.5), event(3, "view", "high"), event(4, "view", None),
    event(5, "view", 1, user={}), event(6, "purchase", 4.5))]
LINES.append(json.dumps(event(7, "view", 1, user={"id": 1}))[:52])


def blocks(page):
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def test_the_programs_print_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "events.ndjson.gz").write_bytes(gzip.compress("\n".join(LINES).encode()))
    (tmp_path / "events.ndjson").write_text("\n".join(LINES))
    known, programs, printed = {"__name__": "page"}, 0, None
    sys.modules["page"] = type(sys)("page")
    for language, text in blocks(PAGE):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, "page", "exec"), known)
            programs, printed = programs + 1, out.getvalue().rstrip("\n") + "\n"
        elif printed is not None:
            assert text == printed
            printed = None
        else:
            checked = subprocess.run(
                [sys.executable, "-m", "decant", "check", "events.ndjson", "--schema", "schema"], capture_output=True,
                text=True) if (tmp_path / "schema").write_text(SCHEMA) else None
            assert checked is not None and checked.stdout.startswith(text), checked
    assert programs == 6 and printed is None


SCHEMA = '{"fields":[{"key":"id","kind":"int64"},{"key":"score","kind":"double","optional":true}]}'
