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
    assert frame.head(25).collect()["id"].to_list() == list(range(25)) and seen == []
    frame.collect()
    assert [[reject.line for reject in rejects] for rejects in seen] == [[5_001]]


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
