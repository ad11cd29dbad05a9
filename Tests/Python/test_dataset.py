# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Datasets of pyarrow, which DuckDB queries, and the columns and rows that a query needs."""

import gzip
import pickle

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pytest

import decant
from support import lines

SCHEMA = {"id": "int64", "name": "string?"}
DATA = lines(5_000)
BAD = b'{"a":1,"b":"x","c":[1]}\n{"a":2,"b":0,"c":[2]}\n{"a":3,"b":"y","c":0}\n{"a":4}\n'
LETTERS = {"a": "int64", "b": "string", "c": ["int64"]}


def test_queries_of_duckdb(tmp_path):
    path = tmp_path / "events.ndjson.gz"
    path.write_bytes(gzip.compress(DATA))
    logs = decant.dataset(path, SCHEMA)  # noqa: F841: DuckDB finds it
    for _ in range(2):
        assert duckdb.sql("SELECT count(*), sum(id), max(name) FROM logs").fetchall() == [
            (5_000, sum(range(5_000)), "a name of more than twelve bytes 999")]
    assert duckdb.sql("SELECT name FROM logs WHERE id = 17").fetchall() == [("a name of more than twelve bytes 17",)]
    assert duckdb.sql("SELECT id FROM logs WHERE name LIKE '%99' AND id < 400 ORDER BY id").fetchall() == [
        (99,), (199,), (299,), (399,)]
    assert len(duckdb.sql("SELECT * FROM logs LIMIT 3").fetchall()) == 3
    assert duckdb.sql("SELECT count(*) FROM logs a JOIN logs b USING (id)").fetchall() == [(5_000,)]


def test_every_query_has_the_same_rows(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(b'{"a":0,"b":"w","c":[0]}\n' + BAD)
    told = []
    logs = decant.dataset(path, LETTERS, rejects_to=lambda rejects: told.append([reject.line for reject in rejects]))
    for columns in ("count(*)", "count(1)", "count(a)", "count(b)", "count(c)", "count(DISTINCT a)", "count(*) FILTER (a < 9)"):
        assert duckdb.sql(f"SELECT {columns} FROM logs").fetchall() == [(2,)], columns
        assert told.pop() == [3, 4, 5]
    for columns in ("a", "b", "c", "a, c", "c, a, b", "*"):
        assert len(duckdb.sql(f"SELECT {columns} FROM logs").fetchall()) == 2, columns
        assert told.pop() == [3, 4, 5]
    assert duckdb.sql("SELECT a FROM logs WHERE b <> 'x'").fetchall() == [(0,)]
    for columns in (["a"], ["b"], ["c", "a"], None):
        assert logs.to_table(columns=columns).num_rows == 2
    assert logs.count_rows() == 2 and polars.scan_pyarrow_dataset(logs).select("a").collect().height == 2
    assert pickle.loads(pickle.dumps(decant.dataset(BAD, LETTERS, rejects_to=list))).to_table(columns=["a"]).num_rows == 1


def test_the_columns_of_a_query_alone_are_made(tmp_path):
    path = tmp_path / "events.ndjson"
    path.write_bytes(BAD)
    told = []
    logs = decant.dataset(path, LETTERS, rejects_to=lambda rejects: told.append([reject.line for reject in rejects]),
                          whole_rows=False)
    assert duckdb.sql("SELECT a FROM logs").fetchall() == [(1,), (2,), (3,), (4,)] and told.pop() == []
    assert duckdb.sql("SELECT a FROM logs WHERE b <> 'x'").fetchall() == [(3,)] and told.pop() == [2, 4]
    assert duckdb.sql("SELECT * FROM logs").fetchall() == [(1, "x", [1])] and told.pop() == [2, 3, 4]
    # A count is of some column, which DuckDB chooses.
    assert duckdb.sql("SELECT count(*) FROM logs").fetchall() in ([(n,)] for n in (1, 2, 4)) and told.pop() is not None
    b = pyarrow.compute.field("b")
    assert logs.to_table(columns=["a"]).to_pydict() == {"a": [1, 2, 3, 4]}
    assert logs.to_table(columns=["a"], filter=b == "y").to_pydict() == {"a": [3]}
    assert logs.to_table(columns={"d": b}).to_pydict() == {"d": ["x"]}
    assert logs.to_table().num_rows == logs.count_rows() == 1
    assert polars.scan_pyarrow_dataset(logs).select("a").collect()["a"].to_list() == [1, 2, 3, 4]
    again = pickle.loads(pickle.dumps(decant.dataset(DATA, SCHEMA)))
    assert again.to_table(columns=["id"]).num_rows == 5_000


def test_rejects_and_failures(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(DATA)[:-9])
    logs = decant.dataset(path, SCHEMA)
    with pytest.raises(Exception, match="end-of-stream marker"):
        logs.to_table()
    with pytest.raises(Exception, match="end-of-stream marker"):
        duckdb.sql("SELECT sum(id) FROM logs").fetchall()
    with pytest.warns(decant.RejectWarning, match="1 line without"):
        assert decant.dataset(b"[]", SCHEMA).to_table().num_rows == 0
    with pytest.raises(TypeError, match="several times"):
        decant.dataset(iter([DATA]), SCHEMA)
    with pytest.raises(TypeError, match="fragments"):
        logs.get_fragments()


def test_some_columns():
    for options in ({}, {"threads": 2}, {"text": "view"}):
        rows = decant.read(BAD, LETTERS, columns=["c", "a"], **options)
        assert rows.arrow().to_pydict() == {"a": [1, 2], "c": [[1], [2]]}
        assert [reject.line for reject in rows.rejects] == [3, 4]
    fields = {"x": decant.field("int64", key="a"), "y": decant.field("string", pointer="/b")}
    assert decant.read(BAD, fields, columns="x").arrow().to_pydict() == {"x": [1, 2, 3, 4]}
    assert decant.read(BAD, fields, columns=["y"]).arrow().to_pydict() == {"y": ["x", "y"]}
    text = '{"fields":[{"pointer":"/b","kind":"string"},{"key":"a","kind":"int64"}]}'
    assert decant.read(BAD, text, columns=["/b"]).arrow().to_pydict() == {"/b": ["x", "y"]}
    with pytest.raises(ValueError, match="there is no 'z'; the columns are a, b, c"):
        decant.read(BAD, LETTERS, columns=["a", "z"])
    with pytest.raises(ValueError, match="no column"):
        decant.read(BAD, LETTERS, columns=[])
    with pytest.raises(ValueError, match="all columns"):
        decant.read(BAD, LETTERS, columns=["a"], rejects_unknown=True)
    with pytest.raises(ValueError, match="closed"):
        decant.read(BAD, '{"closed":true,"fields":[{"key":"a","kind":"int64"}]}', columns=["a"])


@pytest.mark.parametrize("options", ({}, {"batch_rows": 2}, {"threads": 4}, {"text": "view"}))
def test_a_limit(tmp_path, options):
    data = b"".join(b'{"id":%d}\n' % n if n % 3 else b"{}\n" for n in range(30))
    (tmp_path / "a").write_bytes(data)
    for source in (data, iter([data[:50], data[50:]]), tmp_path / "a"):
        rows = decant.read(source, {"id": "int64"}, limit=5, **options)
        assert rows.arrow()["id"].to_pylist() == [1, 2, 4, 5, 7]
        assert [reject.line for reject in rows.rejects] == [1, 4, 7]
    rows = decant.read(data, {"id": "int64"}, limit=5, **options)
    assert [reject.line for reject in rows.rejects] == [1, 4, 7]
    assert rows.arrow()["id"].to_pylist() == [1, 2, 4, 5, 7]
    rows = decant.read([tmp_path / "a"] * 3, {"id": "int64"}, limit=43, **options)
    assert rows.arrow()["id"].to_pylist() == [n for n in range(30) if n % 3] * 2 + [1, 2, 4]
    assert sum(reject.count for reject in rows.rejects) == 22
    rows = decant.read(b'{"rows":[{"id":1},{"id":2},{"id":3}', {"id": "int64"}, elements="/rows", limit=2, **options)
    assert rows.arrow().num_rows == 2 and list(rows.rejects) == []
    assert decant.read(data, {"id": "int64"}, limit=99, **options).arrow().num_rows == 20
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="limit is 1 or more"):
            decant.read(data, {"id": "int64"}, limit=wrong)
