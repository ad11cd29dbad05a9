# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Many files as one stream."""

import gc
import gzip
import os
import threading

import duckdb
import polars
import pyarrow as pa
import pytest

import decant
from support import EVENT


def make(folder, count, lines=50):
    for number in range(count):
        data = b"".join(b'{"id":%d,"name":"x"}\n' % (number * lines + line) if line % 10 != 7 else b'{"id":"bad"}\n'
                        for line in range(lines))
        name = folder / f"events-{number:03}.ndjson"
        if number % 3 == 1:
            data, name = gzip.compress(data), name.with_suffix(".ndjson.gz")
        name.write_bytes(data)
    return sorted(str(path) for path in folder.iterdir())


def expected(paths, lines=50):
    rows = [(number * lines + line, path) for number, path in enumerate(paths) for line in range(lines) if line % 10 != 7]
    return rows, [(path, line + 1) for path in paths for line in range(lines) if line % 10 == 7]


@pytest.mark.parametrize("threads", [None, 2])
@pytest.mark.parametrize("rejects_first", [False, True])
def test_a_pattern_has_its_files_in_order(tmp_path, threads, rejects_first):
    paths = make(tmp_path, 7)
    rows, bad = expected(paths)
    for source in (str(tmp_path / "*.ndjson*"), tmp_path / "events-*", paths, [tmp_path / path for path in paths], tuple(paths)):
        read = decant.read(source, EVENT, file_names=True, threads=threads, batch_rows=20)
        rejects = list(read.rejects) if rejects_first else None
        table = read.arrow()
        table.validate(full=True)
        rejects = rejects if rejects_first else list(read.rejects)
        assert list(zip(table["id"].to_pylist(), table["_file"].to_pylist())) == rows
        assert [(reject.file, reject.line) for reject in rejects] == bad
    assert decant.read(source, EVENT).arrow().schema.names == ["id", "name"]


def test_consumers_take_many_files(tmp_path):
    paths = make(tmp_path, 5)
    rows, bad = expected(paths)
    read = decant.read(paths, EVENT, file_names=True)
    rejects = read.rejects
    assert duckdb.sql("SELECT id, _file FROM read ORDER BY id").fetchall() == rows
    assert duckdb.sql("SELECT file, line FROM rejects ORDER BY ALL").fetchall() == bad
    read = decant.read(paths, EVENT, file_names=True)
    assert polars.DataFrame(read)["_file"].to_list() == [path for _, path in rows]
    assert polars.DataFrame(read.rejects)["file"].to_list() == [path for path, _ in bad]
    # A column that outlives its batch.
    batch = pa.record_batch(next(iter(decant.read(paths, EVENT, file_names=True))))
    column = batch["_file"]
    del batch
    gc.collect()
    assert column.to_pylist() == [paths[0]] * 45


def test_rows_and_rejects_by_two_threads(tmp_path):
    paths = make(tmp_path, 60)
    rows, bad = expected(paths)
    read, found = decant.read(paths, EVENT, batch_rows=10), {}
    work = [threading.Thread(target=lambda: found.update(rows=polars.DataFrame(read)["id"].to_list())),
            threading.Thread(target=lambda: found.update(rejects=[(one.file, one.line) for one in read.rejects]))]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(60)
    assert found == {"rows": [row[0] for row in rows], "rejects": bad}


def test_few_files_are_open_at_once(tmp_path):
    paths = make(tmp_path, 60)
    for side in (0, 1):
        before = most = len(os.listdir("/proc/self/fd"))
        read = decant.read(paths, EVENT)
        for _ in read if side == 0 else read.rejects:
            most = max(most, len(os.listdir("/proc/self/fd")))
        assert most <= before + 2
        assert len(list(read.rejects if side == 0 else read)) > 0
        del read
        gc.collect()
        assert len(os.listdir("/proc/self/fd")) == before
    read = decant.read(paths, EVENT)
    read.rejects.close()
    assert read.arrow().num_rows == 60 * 45


def test_what_fails(tmp_path):
    paths = make(tmp_path, 4)
    with pytest.raises(FileNotFoundError):
        decant.read(str(tmp_path / "*.none"), EVENT)
    with pytest.raises(FileNotFoundError):
        decant.read([*paths, "absent"], EVENT)
    with pytest.raises(ValueError):
        decant.read(paths, EVENT, first_line=2)
    with pytest.raises(ValueError):
        decant.read(b"", EVENT, file_names=True)
    with open(paths[1], "r+b") as file:
        file.truncate(os.path.getsize(paths[1]) - 9)
    read = decant.read(paths, EVENT)
    found = 0
    with pytest.raises(EOFError):
        for batch in read:
            found += len(pa.record_batch(batch))
    assert 45 <= found <= 90 and isinstance(read.failure, EOFError)
    os.remove(paths[2])
    with pytest.raises(EOFError):
        decant.read([paths[0], paths[1]], EVENT).arrow()
    # A file whose name has the characters of a pattern.
    strange = tmp_path / "[1].ndjson"
    strange.write_bytes(b'{"id":1}\n')
    assert decant.read(strange, EVENT).arrow().num_rows == 1


def test_names_that_are_not_utf8(tmp_path):
    for name in (b"a\xff", b"b"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b'{"id":1}\nx\n')
    rows = decant.read(str(tmp_path / "*"), {"id": "int64"}, file_names=True)
    assert rows.arrow()["_file"].to_pylist() == [f"{tmp_path}/a\ufffd", f"{tmp_path}/b"]
    assert [reject.file for reject in rows.rejects] == [f"{tmp_path}/a\ufffd", f"{tmp_path}/b"]
    with pytest.raises(ValueError, match="a column '_file', too"):
        decant.read(str(tmp_path / "*"), {"_file": "string?"}, file_names=True)
    with pytest.raises(TypeError, match="a chunk of the source is .*Path, not bytes or text; many files are a list of paths"):
        decant.read(tmp_path.iterdir(), {"id": "int64"}).arrow()
