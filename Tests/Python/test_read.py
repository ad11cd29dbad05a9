# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Rows and rejects, as each consumer sees them; sources; options."""

import array
import bz2
import gc
import gzip
import io
import json
import lzma
import mmap
import os
import pathlib
import threading
import weakref

import duckdb
import nanoarrow
import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import decant
from support import EVENT, Bytes, lines

DATA = lines(1000)
IDS = list(range(1000))


def by_pyarrow(rows):
    return pa.table(rows)["id"].to_pylist()


def by_reader(rows):
    return [row["id"] for batch in rows.reader() for row in batch.to_pylist()]


def by_batches(rows):
    return [number for batch in rows for number in pa.record_batch(batch)["id"].to_pylist()]


def by_duckdb(rows):
    return [row[0] for row in duckdb.sql("SELECT id FROM rows ORDER BY id").fetchall()]


def by_polars(rows):
    return polars.DataFrame(rows)["id"].to_list()


def by_polars_method(rows):
    return rows.polars()["id"].to_list()


def by_pandas(rows):
    return rows.pandas()["id"].to_list()


def by_nanoarrow(rows):
    # Views of text end nanoarrow 0.9 wherever they are from.
    return nanoarrow.ArrayStream(rows).read_all().child(0).to_pylist()


CONSUMERS = [by_pyarrow, by_reader, by_batches, by_duckdb, by_polars, by_polars_method, by_pandas, by_nanoarrow]


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("text", ["view", "utf8"])
def test_consumers_have_all_rows(consumer, text):
    for batch_rows in (None, 7):
        assert consumer(decant.read(DATA, EVENT, batch_rows=batch_rows, text=text)) == IDS


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_consumers_have_no_rows_of_nothing(consumer):
    for data in (b"", b"\n \n", b"{}\n"):
        assert consumer(decant.read(data, EVENT)) == []


def test_batches_are_valid_and_have_their_types():
    table = decant.read(DATA, EVENT, line_numbers=True).arrow()
    table.validate(full=True)
    assert table.schema == pa.schema([pa.field("id", pa.int64(), False), pa.field("name", pa.string()),
                                      pa.field("_line", pa.int64(), False)])
    assert table["_line"].to_pylist() == [number + 1 for number in IDS]
    assert decant.read(DATA, EVENT, text="view").arrow().schema.field("name").type == pa.string_view()


# --- Sources -----------------------------------------------------------------------------------------------------

class Reads:
    """A file that has read() alone, and returns less than it is asked for."""

    def __init__(self, data):
        self.file = io.BytesIO(data)

    def read(self, count):
        return self.file.read(min(count, 1001))


def pieces(data):
    for at in range(0, len(data), 999):
        yield data[at:at + 999]


def mapped(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def written(path, data):
    path.write_bytes(data)
    return path


SOURCES = {
    "bytes": lambda data, path: data,
    "bytearray": lambda data, path: bytearray(data),
    "memoryview": lambda data, path: memoryview(data),
    "array": lambda data, path: array.array("B", data),
    "numpy, read-only": lambda data, path: numpy.frombuffer(data, numpy.uint8),
    "pyarrow buffer": lambda data, path: pa.py_buffer(data),
    "read-only mmap": lambda data, path: mapped(written(path, data)),
    "path": lambda data, path: written(path, data),
    "path as text": lambda data, path: str(written(path, data)),
    "descriptor": lambda data, path: os.open(written(path, data), os.O_RDONLY),
    "BytesIO": lambda data, path: io.BytesIO(data),
    "StringIO": lambda data, path: io.StringIO(data.decode()),
    "file": lambda data, path: open(written(path, data), "rb"),
    "raw file": lambda data, path: open(written(path, data), "rb", buffering=0),
    "text file": lambda data, path: open(written(path, data), encoding="utf-8"),
    "read() alone": lambda data, path: Reads(data),
    "generator": lambda data, path: pieces(data),
    "list": lambda data, path: [b"", data[:10], b"", bytearray(data[10:]), b""],
    "text chunks": lambda data, path: iter([data.decode()]),
    ".gz": lambda data, path: written(path.with_suffix(".ndjson.gz"), gzip.compress(data)),
    ".gz of two members": lambda data, path: written(path.with_suffix(".GZ"), gzip.compress(data[:50]) + gzip.compress(data[50:])),
    ".bz2": lambda data, path: written(path.with_suffix(".bz2"), bz2.compress(data)),
    ".xz": lambda data, path: written(path.with_suffix(".xz"), lzma.compress(data)),
    "gzip file": lambda data, path: gzip.open(written(path, gzip.compress(data))),
}


@pytest.mark.parametrize("source", SOURCES)
def test_sources_have_the_same_rows_and_rejects(source, tmp_path):
    data = "é\n".encode() + DATA + b'{"id":"x"}\n{"id":1000}'
    expected = decant.read(data, EVENT)
    table, rejects = expected.arrow(), list(expected.rejects)
    assert table.num_rows == 1001 and [reject.line for reject in rejects] == [1, 1002]
    rows = decant.read(SOURCES[source](data, tmp_path / "events.ndjson"), EVENT)
    assert rows.arrow().equals(table)
    assert list(rows.rejects) == rejects


@pytest.mark.parametrize("threads", [1, 2])
def test_a_mapping_is_read_where_it_is(tmp_path, threads):
    data = mapped(written(tmp_path / "events.ndjson", DATA))
    data.seek(700)
    for _ in range(2):
        assert decant.read(data, EVENT, threads=threads).arrow().num_rows == 1000
        assert decant.scan_polars(data, EVENT).collect().height == 1000
    assert data.tell() == 700
    rows = decant.read(data, EVENT)
    with pytest.raises(BufferError):
        data.close()
    rows.close()
    data.close()


def test_a_pipe_is_read_as_it_comes():
    receiver, sender = os.pipe()
    rows = decant.read(receiver, EVENT, batch_rows=1)
    os.close(receiver)  # the stream has a descriptor of its own
    batches = iter(rows)
    for number in range(3):
        os.write(sender, b'{"id":%d}\n{"id":' % number if number == 0 else b'%d}\n{"id":' % number)
        assert pa.record_batch(next(batches))["id"].to_pylist() == [number]
    os.write(sender, b"3}")
    os.close(sender)
    assert [pa.record_batch(batch)["id"].to_pylist() for batch in batches] == [[3]]


def test_a_byte_order_mark_is_passed_over(tmp_path):
    for source in (b"\xef\xbb\xbf" + DATA, written(tmp_path / "marked", b"\xef\xbb\xbf" + DATA), [b"\xef", b"\xbb\xbf", DATA]):
        assert by_pyarrow(decant.read(source, EVENT)) == IDS


def test_descriptors_are_closed(tmp_path):
    path = written(tmp_path / "events", DATA)
    before = len(os.listdir("/proc/self/fd"))
    rows = decant.read(path, EVENT)
    assert len(os.listdir("/proc/self/fd")) == before + 1
    rows.arrow()
    del rows
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(decant.DecantError):
        decant.read(path, {"a": "int64", "b": decant.field("int64", minimum=2, maximum=1)})
    assert len(os.listdir("/proc/self/fd")) == before


def test_sources_are_refused_as_they_are(tmp_path):
    with pytest.raises(FileNotFoundError):
        decant.read(tmp_path / "absent", EVENT)
    with pytest.raises(FileNotFoundError):
        decant.read(tmp_path / "absent.gz", EVENT)
    with pytest.raises(IsADirectoryError):
        decant.read(tmp_path, EVENT)
    with pytest.raises(OSError):
        decant.read(987, EVENT)
    for source in (None, 1.5, object(), True):
        with pytest.raises(TypeError):
            decant.read(source, EVENT)
    with pytest.raises(BufferError):
        decant.read(memoryview(DATA)[::2], EVENT)


# --- Options -----------------------------------------------------------------------------------------------------

def test_misspelt_options_are_type_errors():
    for options in ({"batch_row": 5}, {"colums": 1}, {"rejects": "all"}, {"batch_rows": 1.5}, {"framing": 1}, {"elements": 5},
                    {"maximum_bytes": True}):
        with pytest.raises(TypeError):
            decant.read(b"", EVENT, **options)
    for options in ({"batch_rows": 0}, {"batch_rows": -1}, {"framing": "line"}, {"relaxed": ["comment"]}, {"text": "large"},
                    {"rejects": 0}, {"duplicate_keys": "last one"}, {"elements": "rows"}, {"first_line": 0},
                    {"maximum_bytes": 1 << 70}):
        with pytest.raises(ValueError):
            decant.read(b"", EVENT, **options)


def test_framings():
    assert by_pyarrow(decant.read(b'\x1e{"id":1}\n\x1e{\n"id":2}\n', EVENT, framing="records")) == [1, 2]
    assert by_pyarrow(decant.read(b'{"id":1}{"id":2}\n{"id":\n3}', EVENT, framing="documents")) == [1, 2, 3]
    rows = decant.read(b'{"n":1,"rows":[{"id":1},{"id":true},{"id":2}]}', EVENT, elements="/rows")
    assert by_pyarrow(rows) == [1, 2] and [reject.path for reject in rows.rejects] == ["/rows/1/id"]


def test_relaxations_and_limits():
    assert by_pyarrow(decant.read(b'{"id":1,} // one\n', EVENT, relaxed=["comments", "trailing_commas"])) == [1]
    assert by_pyarrow(decant.read(b'{"id":1,}\n{"id":1,"id":2}\n', EVENT, relaxed="trailing_commas", duplicate_keys="last")) == [1, 2]
    rows = decant.read(b'{"id":1,"id":2}\n{"id":3,"x":[[[1]]]}\n{"id":123456789}\n{"id":4}', EVENT, duplicate_keys="refuse",
                       maximum_depth=3, maximum_bytes=22)
    assert by_pyarrow(rows) == [123456789, 4]
    assert [(reject.line, reject.code) for reject in rows.rejects] == [(1, 207), (2, 301)]


def test_maximum_memory_bounds_what_a_row_takes():
    grid = {"fields": [{"key": "grid", "kind": "fixed_array", "element": "double", "capacity": 100_000, "optional": True}]}
    rows = decant.read(b"{}\n" * 3, json.dumps(grid), maximum_memory=1 << 20)
    assert rows.arrow().num_rows == 3
    rows = decant.read(b"{}\n" * 3, json.dumps(grid), maximum_memory=1 << 18)
    assert rows.arrow().num_rows == 0 and [reject.code for reject in rows.rejects] == [302] * 3


def test_rejects_have_places_and_are_counted():
    rows = decant.read(b'{"id":1}\n\n{"id":"\xc3\xa9x"}\n[\n{"id":2}\n{}', EVENT, first_line=10, first_offset=1000)
    rows.arrow()
    first, second, third = rows.rejects
    assert first == decant.Reject(12, 1010, 1016, "/id", 201, 'expected an integer, found the string "éx"', '{"id":"éx"}', 1)
    assert (second.line, second.line_offset, second.code, first.column) == (13, 1023, 102, 7)
    assert (third.line, third.path, third.code) == (15, "/id", 202)
    rows = decant.read(b"{}\n" * 10, EVENT, rejects=3)
    assert [(reject.line, reject.count) for reject in rows.rejects] == [(1, 1), (2, 1), (3, 1), (None, 7)]
    rows = decant.read(b'{"id":"secret"}\n', EVENT, redacts_input=True)
    (reject,) = rows.rejects
    assert reject.text is None and "secret" not in reject.message and reject.column is None
    data = b'{"id":1}\n{"id":2,"nmae":"x"}\n'
    assert not list(decant.read(data, EVENT).rejects)
    (reject,) = decant.read(data, EVENT, rejects_unknown=True).rejects
    assert (reject.line, reject.path, reject.code) == (2, "/nmae", 209)
    assert 'did you mean "name"?' in reject.message


def test_pieces_have_the_places_of_the_whole():
    data = DATA.replace(b'"id":5', b'"id":"5"')
    whole = decant.read(data, EVENT, line_numbers=True)
    table, rejects = whole.arrow(), list(whole.rejects)
    for count in (1, 2, 7, 5000):
        pieces = decant.split(memoryview(data), count)
        parts = [decant.read(data[piece.offset:piece.offset + piece.length], EVENT, line_numbers=True,
                             first_line=piece.first_line, first_offset=piece.offset) for piece in pieces]
        assert pa.concat_tables([part.arrow() for part in parts]).equals(table)
        assert [reject for part in parts for reject in part.rejects] == rejects
    assert decant.split(b"", 3) == []
    with pytest.raises(ValueError):
        decant.split(data, 0)



# --- Ownership ---------------------------------------------------------------------------------------------------

def test_a_stream_is_handed_out_once():
    rows = decant.read(DATA, EVENT)
    pa.table(rows)
    for again in (pa.table, polars.DataFrame, lambda rows: next(iter(rows))):
        with pytest.raises(ValueError, match="handed out before"):
            again(rows)
    assert pa.schema(rows).names == ["id", "name"]
    assert list(rows.rejects) == []
    batch = next(iter(decant.read(DATA, EVENT)))
    pa.record_batch(batch)
    with pytest.raises(ValueError, match="handed out before"):
        pa.record_batch(batch)


def test_capsules_own_what_they_hand_out():
    data = Bytes(DATA)
    alive = weakref.ref(data)
    rows = decant.read(data, EVENT, batch_rows=10)
    capsule = rows.__arrow_c_stream__()
    del data, rows
    gc.collect()
    junk = [bytearray(200) for _ in range(10_000)]
    assert alive() is not None
    reader = pa.RecordBatchReader._import_from_c_capsule(capsule)
    first = reader.read_next_batch()
    rest = reader.read_all()
    del reader, capsule
    gc.collect()
    assert alive() is None, "what was read from is let go"
    assert first["id"].to_pylist() + rest["id"].to_pylist() == IDS
    assert first["name"][9].as_py() == "a name of more than twelve bytes 9"
    del junk


def test_nothing_is_kept_that_nobody_reads():
    for taken in (0, 1, 2):
        data = Bytes(DATA)
        alive = weakref.ref(data)
        rows = decant.read(data, EVENT)
        capsules = [stream.__arrow_c_stream__() for stream in (rows, rows.rejects)[:taken]]
        schema = rows.__arrow_c_schema__()
        del data, rows, capsules
        gc.collect()
        assert alive() is None
        del schema


def test_closed_streams_let_go():
    data = Bytes(DATA)
    alive = weakref.ref(data)
    with decant.read(data, EVENT, batch_rows=10) as rows:
        batch = pa.record_batch(next(iter(rows)))
        del data
    gc.collect()
    assert alive() is None
    assert batch["id"].to_pylist() == IDS[:10]
    with pytest.raises(ValueError, match="closed"):
        rows.arrow()


def test_a_schema_is_used_by_many_threads():
    schema = decant.Schema(EVENT)
    found = [None] * 8

    def read(place):
        found[place] = by_pyarrow(decant.read(DATA, schema, batch_rows=11))

    threads = [threading.Thread(target=read, args=(place,)) for place in range(len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [IDS] * 8


def test_bytes_of_a_reader_cannot_be_kept(tmp_path):
    kept = []

    class Keeps(io.RawIOBase):
        def readinto(self, buffer):
            kept.append(buffer)
            if len(kept) > 1:
                return 0
            buffer[:9] = b'{"id":1}\n'
            return 9

    assert by_pyarrow(decant.read(Keeps(), EVENT)) == [1]
    gc.collect()
    for buffer in kept:
        buffer[:] = b"x" * len(buffer)


def test_pandas_dtypes():
    frame = decant.read(DATA, EVENT).pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["name"][999] == "a name of more than twelve bytes 999"


def test_the_version_is_that_of_the_package():
    import importlib.metadata

    assert decant.__version__ == importlib.metadata.version("decant")
    assert (pathlib.Path(decant.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("source", (b'{"id":1}\nx\n', b""))
@pytest.mark.parametrize("first", (lambda stream: stream.arrow(), list, lambda stream: stream.reader().read_all()))
@pytest.mark.parametrize("second", (lambda stream: stream.arrow(), list, lambda stream: stream.polars(), lambda stream: pa.table(stream),
                                    lambda stream: stream.pandas(), lambda stream: stream.reader(),
                                    lambda stream: duckdb.sql("SELECT * FROM stream").fetchall()))
def test_what_was_read_to_its_end_is_not_an_empty_source(source, first, second):
    rows = decant.read(source, {"id": "int64"})
    for stream in (rows, rows.rejects):
        first(stream)
        with pytest.raises(Exception, match="the stream was read to its end before, and is read once"):
            second(stream)
