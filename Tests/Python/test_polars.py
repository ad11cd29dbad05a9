# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Lazy frames of Polars."""

import gzip
import io
import warnings

import polars
import pytest

import decant
from support import lines

SCHEMA = {"id": "int64", "name": "string?"}
DATA = lines(5_000)


def test_queries_read_the_source_each_time(tmp_path):
    path = tmp_path / "events.ndjson.gz"
    path.write_bytes(gzip.compress(DATA))
    frame = decant.scan_polars(path, SCHEMA)
    assert frame.collect_schema() == polars.Schema({"id": polars.Int64, "name": polars.String})
    whole = decant.read(path, SCHEMA).polars()
    for _ in range(2):
        assert frame.collect().equals(whole)
    assert frame.select(polars.len()).collect().item() == 5_000
    query = (polars.col("id") % 7 == 3) & polars.col("name").str.contains("9")
    assert frame.filter(query).select("id").collect().equals(whole.filter(query).select("id"))
    assert frame.select("name").filter(polars.col("name").str.ends_with("7")).collect().height == 500
    for engine in ("in-memory", "streaming"):
        assert frame.select(polars.col("id").sum()).collect(engine=engine).item() == sum(range(5_000))
        assert frame.head(7).collect(engine=engine).equals(whole.head(7))
        assert frame.filter(query).head(3).collect(engine=engine).equals(whole.filter(query).head(3))
        assert frame.head(100).filter(query).collect(engine=engine).equals(whole.head(100).filter(query))
        assert frame.slice(4_990, 20).collect(engine=engine).equals(whole.slice(4_990, 20))


def test_a_limit_ends_reading(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(DATA + b"}")
    seen = []
    frame = decant.scan_polars(path, SCHEMA, batch_rows=10, rejects_to=lambda rejects: seen.append(list(rejects)))
    assert frame.head(25).collect()["id"].to_list() == list(range(25)) and seen == [[]]
    frame.collect()
    assert [[reject.line for reject in rejects] for rejects in seen[1:]] == [[5_001]]


@pytest.mark.parametrize("files", (1, 3))
def test_rejects_under_a_limit(tmp_path, files):
    for place in range(files):
        (tmp_path / str(place)).write_bytes(b'{"id":"x"}\n{"id":1}\n{"id":2}\n{}\n{"id":3}\n{"id":[]}\n{"id":4}\n')
    told = []
    frame = decant.scan_polars(str(tmp_path / "*"), {"id": "int64"}, rejects_to=lambda rejects: told.extend(rejects))
    for limit, lines in ((1, [1]), (2, [1]), (3, [1, 4]), (4, [1, 4, 6]), (5, [1, 4, 6, 1]), (7, [1, 4, 6, 1, 4])):
        if limit > 4 * files:
            continue
        told.clear()
        assert frame.head(limit).collect()["id"].to_list() == [1, 2, 3, 4, 1, 2, 3, 4][:limit]
        assert [reject.line for reject in told] == lines
    told.clear()
    with pytest.warns(decant.RejectWarning, match="1 line without"):
        decant.scan_polars(str(tmp_path / "0"), {"id": "int64"}).head(2).collect()


BAD = b'{"a":1,"b":"x","c":[1]}\n{"a":2,"b":0,"c":[2]}\n{"a":3,"b":"y","c":0}\n{"a":4}\n'
LETTERS = {"a": "int64", "b": "string", "c": ["int64"]}


@pytest.mark.parametrize("engine", ("in-memory", "streaming"))
def test_every_query_has_the_same_rows(tmp_path, engine):
    path = tmp_path / "events.ndjson"
    path.write_bytes(b'{"a":0,"b":"w","c":[0]}\n' + BAD)
    told = []
    frame = decant.scan_polars(path, LETTERS, rejects_to=lambda rejects: told.append([reject.line for reject in rejects]))
    for columns in ("a", "b", "c", polars.len(), polars.col("a").count(), ["c", "a"], polars.all()):
        found = frame.select(columns).collect(engine=engine)
        assert (found.item() if found.shape == (1, 1) else found.height) == 2
        assert told.pop() == [3, 4, 5]
    assert frame.filter(polars.col("b") != "x").select("a").collect(engine=engine)["a"].to_list() == [0]
    assert told.pop() == [3, 4, 5]


def test_the_columns_of_a_query_alone_are_made(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(BAD)
    told = []

    def scan(**options):
        return decant.scan_polars(path, LETTERS, whole_rows=False,
                                  rejects_to=lambda rejects: told.append([reject.line for reject in rejects]), **options)

    frame = scan()
    assert frame.select("a").collect()["a"].to_list() == [1, 2, 3, 4] and told.pop() == []
    assert frame.select("b").collect()["b"].to_list() == ["x", "y"] and told.pop() == [2, 4]
    assert frame.filter(polars.col("b") != "x").select("a").collect()["a"].to_list() == [3] and told.pop() == [2, 4]
    assert frame.select("c", "a").collect().rows() == [([1], 1), ([2], 2)] and told.pop() == [3, 4]
    assert frame.collect().height == 1 and told.pop() == [2, 3, 4]
    # Unknown members are known to all columns alone.
    assert scan(rejects_unknown=True).select("a").collect()["a"].to_list() == [1]
    numbered = decant.scan_polars([path], LETTERS, rejects_to=lambda _: 0, line_numbers=True, file_names=True)
    assert numbered.select("_line", "b", "_file").collect().rows() == [(1, "x", str(path))]


def test_rejects_are_told(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b'{"id":1}\n{"id":"x"}\n{}\n')
    frame = decant.scan_polars(str(tmp_path / "*"), SCHEMA, file_names=True)
    with pytest.warns(decant.RejectWarning, match=r"4 lines without a row, the first: .*/a: line 2: /id: expected an integer"):
        table = frame.collect()
    assert table["_file"].to_list() == [str(tmp_path / "a"), str(tmp_path / "b")]
    with pytest.warns(decant.RejectWarning, match="1 line without"):
        decant.scan_polars(b"[]", SCHEMA).collect()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert decant.scan_polars(DATA, SCHEMA).collect().height == 5_000


def test_what_cannot_be_read_again():
    for source in (io.BytesIO(DATA), iter([DATA]), 0, [DATA], []):
        with pytest.raises(TypeError, match="several times"):
            decant.scan_polars(source, SCHEMA)
    with pytest.raises(TypeError, match="unexpected keyword"):
        decant.scan_polars(DATA, SCHEMA, reject=1)
    with pytest.raises(FileNotFoundError):
        decant.scan_polars("absent.ndjson", SCHEMA)


def test_a_source_that_fails(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(DATA)[:-9])
    with pytest.raises(Exception, match="end-of-stream marker"):
        decant.scan_polars(path, SCHEMA).collect()
