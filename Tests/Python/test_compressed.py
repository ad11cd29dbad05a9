# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Compressed files: gzip and Zstandard, whole, in members, cut, and damaged."""

import gzip
import os
import subprocess
import sys
import threading

import pyarrow as pa
import pytest

import decant
from support import EVENT, lines

DATA = lines(20_000)
ROWS = 20_000


def compressed(data, form):
    if form == "gz":
        return gzip.compress(data)
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(data)
    return out.getvalue().to_pybytes()


FORMS = ["gz", "zst"]


def ids(source, **options):
    return decant.read(source, EVENT, **options).arrow()["id"].to_pylist()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", [1, 2])
def test_paths_and_descriptors(tmp_path, form, threads):
    path = tmp_path / f"events.ndjson.{form}"
    path.write_bytes(compressed(DATA, form))
    assert ids(path, threads=threads) == list(range(ROWS))
    with open(path, "rb") as file:
        assert ids(file.fileno(), threads=threads) == list(range(ROWS))
    # The bytes tell, whatever the name is.
    other = tmp_path / "events.log"
    path.rename(other)
    assert ids(other, threads=threads) == list(range(ROWS))
    assert decant.infer(other, rows=100).fields["fields"][0] == {"key": "id", "kind": "int64"}


@pytest.mark.parametrize("form", FORMS)
def test_several_members(tmp_path, form):
    parts = [DATA[at:at + 90_001] for at in range(0, len(DATA), 90_001)]
    path = tmp_path / f"events.{form}"
    path.write_bytes(b"".join(compressed(part, form) for part in parts) + (bytes(700) if form == "gz" else b""))
    assert ids(path) == list(range(ROWS))
    path.write_bytes(compressed(b"", form) + compressed(DATA, form) + compressed(b"", form))
    assert ids(path) == list(range(ROWS))
    path.write_bytes(compressed(b"", form))
    assert ids(path) == []
    path.write_bytes(b"")
    assert ids(path) == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_that_is_cut(tmp_path, form, threads):
    whole, path = compressed(DATA, form), tmp_path / f"events.{form}"
    for length in (1, 3, 5, 11, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        path.write_bytes(whole[:length])
        rows, found = decant.read(path, EVENT, batch_rows=100, threads=threads), 0
        with pytest.raises((EOFError, gzip.BadGzipFile)) as caught:
            for batch in rows:
                found += len(pa.record_batch(batch))
        assert length < 4 or caught.type is EOFError
        assert found <= ROWS and rows.failure is caught.value
        with pytest.raises(caught.type):
            list(rows.rejects)


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_is_damaged(tmp_path, form):
    whole, path = bytearray(compressed(DATA, form)), tmp_path / f"events.{form}"
    # Frames without a checksum know no more than that a block cannot be.
    middle = len(whole) // 2
    whole[middle:middle + 64] = b"\xff" * 64
    for data in (bytes(whole), compressed(DATA, form) + b"junk at the end", b'{"id":1}\n', b"\n"):
        path.write_bytes(data)
        with pytest.raises(gzip.BadGzipFile, match="the compressed file cannot be read: ."):
            ids(path)
        with pytest.raises(gzip.BadGzipFile):
            decant.infer(path, rows=None)


@pytest.mark.parametrize("form", FORMS)
def test_a_pipe_that_gives_a_byte_at_a_time(form):
    data = compressed(b'{"id":1}\n{"id":2}\n', form)
    end, begin = os.pipe()

    def write():
        for at in range(len(data)):
            os.write(begin, data[at:at + 1])
        os.close(begin)

    writer = threading.Thread(target=write)
    writer.start()
    assert ids(end) == [1, 2]
    writer.join()
    os.close(end)


def test_standard_input(tmp_path):
    schema = tmp_path / "schema"
    schema.write_text('{"fields":[{"key":"id","kind":"int64"}]}')
    done = subprocess.run([sys.executable, "-m", "decant", "check", "-", "--schema", str(schema)],
                          input=compressed(b'{"id":1}\n{"id":"x"}\n', "zst"), capture_output=True, timeout=60)
    assert done.returncode == 1 and done.stdout.startswith(b"-:2:7: /id: expected an integer")


def test_plain_files_are_read_as_they_are(tmp_path):
    path = tmp_path / "events"
    for data, rows in ((b"", []), (b"1", []), (b'{"id":1}', [1]), (b'\xef\xbb\xbf{"id":7}\n', [7]), (DATA, list(range(ROWS)))):
        path.write_bytes(data)
        assert ids(path) == rows
