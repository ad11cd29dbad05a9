# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""What kinds of fields become, and the rejects of each."""

import datetime
import json
from typing import Annotated

import duckdb
import polars
import pyarrow as pa
import pytest

import decant


def read(schema, *rows, **options):
    """The table of some rows, and the lines, paths and messages of the others."""
    found = decant.read("\n".join(rows).encode(), schema, **options)
    table = found.arrow()
    table.validate(full=True)
    return table, [(reject.line, reject.path, reject.message) for reject in found.rejects]


def values(schema, *rows, **options):
    table, rejects = read(schema, *rows, **options)
    return table["a"].to_pylist(), rejects


def line(value):
    return json.dumps({"a": value})


def test_a_list_of_lists():
    for schema, type_ in (({"a": [["int32"]]}, pa.list_(pa.list_(pa.int32()))),
                          (pa.schema([pa.field("a", pa.list_(pa.field("item", pa.list_(pa.int32())), ), nullable=False)]), None)):
        table, rejects = read(schema, line([[1, 2], [], [3]]), line([]), line([[1], 2]), line([[1], ["x"]]), line([[], []]))
        assert table["a"].to_pylist() == [[[1, 2], [], [3]], [], [[], []]]
        assert [reject[:2] for reject in rejects] == [(3, "/a/1"), (4, "/a/1/0")]
        if type_ is not None:
            assert rejects[0][2] == "expected an array, found the number 2"
            assert table.schema.field("a").type.value_type.value_type == pa.int32()
    deep = [[[[1]], []], [[[2, 3]]]]
    assert values({"a": [[[["int8"]]]]}, line(deep)) == ([deep], [])


def test_a_list_of_lists_that_may_be_null():
    found, rejects = values({"a": [["int32?"]]}, line([[1, None]]), line([None]))
    assert found == [[[1, None]]] and rejects[0][:2] == (2, "/a/0")
    found, rejects = values({"a": list[list[int] | None]}, line([[1], None, []]), line([[None]]))
    assert found == [[[1], None, []]] and rejects[0][:2] == (2, "/a/0/0")
    assert values({"a": [["string?"]]}, *[line([[str(n), None] * (n % 3)] * n) for n in range(40)])[0] == [
        [[str(n), None] * (n % 3)] * n for n in range(40)]
    schema = pa.schema([pa.field("a", pa.list_(pa.list_(pa.string())))])
    rows = [line([None, ["x", None], []]), line(None), "{}"]
    assert read(schema, *rows)[0].schema == schema
    assert values(schema, *rows) == ([[None, ["x", None], []], None, None], [])


def test_a_list_of_maps_and_of_fixed_lists():
    found, rejects = values({"a": list[dict[str, int]]}, line([{"x": 1}, {}]), line([{"x": "1"}]))
    assert found == [[[("x", 1)], []]] and rejects[0][:2] == (2, "/a/0/x")
    schema = pa.schema([pa.field("a", pa.list_(pa.field("item", pa.list_(pa.float64(), 2), nullable=False)), nullable=False)])
    found, rejects = values(schema, line([[1.5, 2], [3, 4]]), line([[1]]))
    assert found == [[[1.5, 2], [3, 4]]] and rejects == [(2, "/a/0", "an array of 1 element is not accepted: exactly 2 elements")]
    found, rejects = values({"a": dict[str, list[list[int]]]}, line({"x": [[1], []]}))
    assert found == [[("x", [[1], []])]]


def test_consumers_take_lists_of_lists():
    rows = [[[n], [], [n, n + 1]] for n in range(1000)]
    data = "\n".join(line(row) for row in rows).encode()
    stream = decant.read(data, {"a": [["int64"]]}, batch_rows=100)
    assert duckdb.sql("SELECT sum(len(a)), sum(a[3][2]) FROM stream").fetchall() == [(3000, sum(n + 1 for n in range(1000)))]
    assert polars.DataFrame(decant.read(data, {"a": [["int64"]]}, batch_rows=100))["a"].to_list() == rows


def test_any_scalar_as_text():
    schema = {"a": decant.field("string", as_text=True), "b": decant.field(["string"], as_text=True, optional=True)}
    rows = ['{"a":"x"}', '{"a":-1.50e3}', '{"a":true}', '{"a": 7 ,"b":[1,"\\u00e9",false,12345678901234567890]}',
            '{"a":null}', '{"a":[]}', '{"a":{}}', '{"a":"","b":[null]}']
    for text in ("utf8", "view"):
        table, rejects = read(schema, *rows, text=text)
        assert table["a"].to_pylist() == ["x", "-1.50e3", "true", "7"]
        assert table["b"].to_pylist() == [None, None, None, ["1", "é", "false", "12345678901234567890"]]
        assert [reject[:2] for reject in rejects] == [(5, "/a"), (6, "/a"), (7, "/a"), (8, "/b/0")]
        assert rejects[1][2] == "expected a string, a number or a boolean, found an empty array"
    found, rejects = values({"a": decant.field("string", as_text=True, longest=2)}, '{"a":12}', '{"a":123}', '{"a":true}')
    assert found == ["12"] and [reject[:2] for reject in rejects] == [(2, "/a"), (3, "/a")]


def test_texts_that_count_as_null():
    nulls = ["", "NA", "a null of more than twelve bytes", "é"]
    schema = {"a": decant.field("int32?", null_texts=nulls), "b": decant.field("string?", null_texts=nulls),
              "c": decant.field(["double?"], null_texts=nulls, optional=True)}
    rows = ['{"a":1,"b":"x","c":[1]}', '{"a":"NA","b":"","c":["NA",2,null,"\\u00e9"]}',
            '{"a":"a null of more than twelve bytes","b":"a null of more than twelve byteS"}', '{"a":"na"}',
            '{"b":"N\\u0041","c":""}', '{"c":["N"]}', '{"a":"1"}']
    for text in ("utf8", "view"):
        table, rejects = read(schema, *rows, text=text)
        assert table["a"].to_pylist() == [1, None, None, None]
        assert table["b"].to_pylist() == ["x", None, "a null of more than twelve byteS", None]
        assert table["c"].to_pylist() == [[1], [None, 2, None, None], None, None]
        assert rejects == [(4, "/a", 'expected an integer, found the string "na"'),
                           (6, "/c/0", 'expected a number, found the string "N"'),
                           (7, "/a", 'expected an integer, found the string "1"')]
    # With a default, and among numbers as text.
    found, _ = values({"a": decant.field("int64", default=7, null_texts=["-"])}, '{"a":"-"}', "{}", '{"a":1}')
    assert found == [7, 7, 1]
    found, rejects = values({"a": decant.field("double?", from_text=True, null_texts=["-"])}, '{"a":"-"}', '{"a":"1.5"}', '{"a":"x"}')
    assert found == [None, 1.5] and rejects[0][:2] == (3, "/a")
    found, _ = values({"a": [decant.field("string?", null_texts=["NA"])]}, '{"a":["NA","x"]}')
    assert found == [[None, "x"]]
    for wrong in (decant.field("int64", null_texts=[""]), decant.field("int64?", null_texts=[1])):
        with pytest.raises(decant.DecantError):
            decant.Schema({"a": wrong})
    with pytest.raises(TypeError):
        decant.field("int64?", null_texts="NA")


def test_rows_with_and_without_null_texts_are_the_same():
    rows = [json.dumps({"a": None if n % 3 == 0 else n, "b": None if n % 5 == 0 else "x" * (n % 20)}) for n in range(500)]
    plain = {"a": "int64?", "b": "string?"}
    marked = {"a": decant.field("int64?", null_texts=["NA"]), "b": decant.field("string?", null_texts=["NA"])}
    assert read(plain, *rows)[0].equals(read(marked, *rows)[0])
    written = [row.replace("null", '"NA"') for row in rows]
    assert read(plain, *rows)[0].equals(read(marked, *written)[0])


def test_raw_values_are_json():
    schema = {"a": "raw"}
    rows = ['{"a":{"x": [1, 2]}}', '{"a":"\\u00e9"}', '{"a":1.50}', '{"a":null}', "{}"]
    table, rejects = read(schema, *rows)
    assert table.schema.field("a").type.extension_name == "arrow.json"
    assert table["a"].to_pylist() == ['{"x": [1, 2]}', '"\\u00e9"', "1.50", "null"]
    assert rejects == [(5, "/a", "the key is missing")]
    stream = decant.read("\n".join(rows).encode(), schema)
    assert duckdb.sql("SELECT typeof(a), a->>'$.x[1]' FROM stream").fetchall()[0] == ("JSON", "2")
    assert decant.Schema(pa.schema([pa.field("a", pa.json_(), nullable=False)])).json == decant.Schema(schema).json


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_with_a_zone_and_without(unit):
    rows = [line("2026-11-27T01:02:03+01:00"), line("1969-12-31T23:59:59Z"), line("2026-11-27T01:02:03"), line("2026-11-27")]
    for zone in ("Europe/Berlin", "+05:30", None):
        field = decant.field("time", unit=unit) if zone is None else decant.field("time", unit=unit, zone=zone)
        table, rejects = read({"a": field}, *rows)
        assert table.schema.field("a").type == pa.timestamp(unit, zone or "UTC")
        assert table["a"].cast(pa.timestamp("s")).cast(pa.int64()).to_pylist() == [1795737723, -1]
        assert rejects[0] == (3, "/a", 'expected a date and time by RFC 3339, found the string "2026-11-27T01:02:03"')
    table, rejects = read({"a": decant.field("time", unit=unit, zoneless=True)}, *rows, line("2026-11-27T01:02:03.123456789"))
    assert table.schema.field("a").type == pa.timestamp(unit)
    assert table["a"].cast(pa.timestamp("s"), safe=False).to_pylist() == [datetime.datetime(2026, 11, 27, 1, 2, 3)] * 2
    assert [reject[0] for reject in rejects] == [1, 2, 4]
    assert rejects[0][2] == 'expected a date and time without a zone, found the string "2026-11-27T01:02:03+01:00"'
    for type_ in (pa.timestamp(unit), pa.timestamp(unit, "UTC"), pa.timestamp(unit, "America/New_York")):
        schema = pa.schema([pa.field("a", type_, nullable=False)])
        assert read(schema, *rows)[0].schema == schema
    epoch = decant.field("time", unit=unit, epoch=True, zoneless=True)
    table, rejects = read({"a": epoch}, line(-7), line(7.5), line("7"))
    assert table.schema.field("a").type == pa.timestamp(unit) and table["a"].cast(pa.int64()).to_pylist() == [-7]
    assert [reject[2] for reject in rejects] == ["not an integer: 7.5",
                                                 'expected an integer, found the string "7"']


def test_zones_that_are_none():
    for wrong in (decant.field("string", zone="UTC"), decant.field("time", zone="UTC", zoneless=True),
                  decant.field("string", zoneless=True), decant.field("int64", as_text=True)):
        with pytest.raises(decant.DecantError):
            decant.Schema({"a": wrong})


def test_a_wrong_kind_names_all_kinds():
    with pytest.raises(decant.DecantError) as caught:
        decant.Schema('{"fields":[{"key":"a","kind":"timestamp"}]}')
    with pytest.raises(ValueError) as other:
        decant.Schema({"a": "timestamp"})
    for kind in ("bool", "int8", "uint64", "double", "string", "raw", "time", "date"):
        assert kind in str(caught.value) and kind in str(other.value)


def test_columns_called_otherwise_than_their_keys():
    schema = {"number": decant.field("int64", key="id"), "city": decant.field("string?", pointer="/user/city"),
              "plain": "int64", "inner": {"x": decant.field("int64", key="y")}}
    table, rejects = read(schema, '{"id":1,"user":{"city":"Bonn"},"plain":2,"inner":{"y":3}}', '{"id":"1"}')
    assert table.to_pylist() == [{"number": 1, "city": "Bonn", "plain": 2, "inner": {"x": 3}}]
    assert rejects[0][1] == "/id"


def test_annotations():
    class Row:
        a: Annotated[str | None, decant.field("string", null_texts=["NA"])]
        b: Annotated[str, decant.field("string", as_text=True)]
        c: list[list[float]]
        d: Annotated[datetime.datetime, decant.field("time", zone="Europe/Berlin")]

    table, rejects = read(Row, '{"a":"NA","b":1,"c":[[1]],"d":"2026-11-27T00:00:00Z"}')
    assert rejects == [] and table.schema.field("d").type == pa.timestamp("us", "Europe/Berlin")
    assert table["a"].to_pylist() == [None] and table["b"].to_pylist() == ["1"] and table["c"].to_pylist() == [[[1.0]]]
