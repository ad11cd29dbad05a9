# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""What describes columns."""

import dataclasses
import datetime
import enum
import json
import pickle
import typing

import duckdb
import polars
import pyarrow as pa
import pytest

import decant

LINE = b'{"id":1,"ok":true,"name":"Ann","score":1.5,"tags":["a","b"],"at":{"x":1,"y":2.5},"kind":"view","map":{"a":1}}\n'
ROW = {"id": 1, "ok": True, "name": "Ann", "score": 1.5, "tags": ["a", "b"], "at": {"x": 1, "y": 2.5}, "kind": "view",
       "map": [("a", 1)]}


class Kind(enum.Enum):
    VIEW = "view"
    PURCHASE = "purchase"


@dataclasses.dataclass
class At:
    x: int
    y: float


@dataclasses.dataclass
class Event:
    id: int
    ok: bool
    name: str | None
    score: float
    tags: list[str]
    at: At
    kind: Kind
    map: dict[str, int]


class Typed(typing.TypedDict):
    id: int
    ok: bool
    name: typing.NotRequired[str]
    score: float
    tags: list[str]
    at: At
    kind: typing.Literal["view", "purchase"]
    map: dict[str, int]


class Named(typing.NamedTuple):
    id: int
    ok: bool
    name: typing.Optional[str]
    score: float
    tags: list[str]
    at: At
    kind: Kind
    map: dict[str, int]


DESCRIPTION = """{"fields":[
  {"key":"id","kind":"int64"}, // a comment
  {"key":"ok","kind":"bool"},{"key":"name","kind":"string","optional":true},
  {"key":"score","kind":"double"},{"key":"tags","kind":"array","element":"string"},
  {"key":"at","kind":"record","fields":[{"key":"x","kind":"int64"},{"key":"y","kind":"double"}]},
  {"key":"kind","kind":"enum","names":["view","purchase"]},
  {"key":"map","kind":"map","fields":[{"kind":"key"},{"pointer":"","kind":"int64"}]},
]}"""

FORMS = {
    "dictionary": {"id": "int64", "ok": "bool", "name": "string?", "score": "double", "tags": ["string"],
                   "at": {"x": "int64", "y": "double"}, "kind": typing.Literal["view", "purchase"], "map": dict[str, int]},
    "dictionary of types": {"id": int, "ok": bool, "name": str | None, "score": float, "tags": list[str], "at": At,
                            "kind": Kind, "map": dict[str, int]},
    "description": {"fields": json.loads(DESCRIPTION.replace("// a comment", "").replace(",\n]}", "]}"))["fields"]},
    "JSON text": DESCRIPTION, "JSON bytes": DESCRIPTION.encode(), "dataclass": Event, "TypedDict": Typed, "NamedTuple": Named,
    "Schema": decant.Schema(DESCRIPTION), "Schema that was pickled": pickle.loads(pickle.dumps(decant.Schema(DESCRIPTION))),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_describe_the_same_columns(form):
    rows = decant.read(LINE + LINE.replace(b'"name":"Ann",', b""), FORMS[form])
    table = rows.arrow()
    table.validate(full=True)
    assert list(rows.rejects) == []
    assert table.to_pylist() == [ROW, {**ROW, "name": None}]
    assert table.schema == decant.read(b"", DESCRIPTION).arrow().schema


def test_a_schema_of_pyarrow_is_that_of_the_table():
    schema = pa.schema([
        pa.field("id", pa.int16(), False), pa.field("ok", pa.bool_()), pa.field("name", pa.string()),
        pa.field("score", pa.float32(), False), pa.field("tags", pa.list_(pa.field("item", pa.string(), False)), False),
        pa.field("pair", pa.list_(pa.field("item", pa.uint8(), False), 2), False),
        pa.field("at", pa.struct([pa.field("x", pa.int64()), pa.field("y", pa.float64(), False)]), False)])
    rows = decant.read(b'{"id":1,"ok":null,"name":"Ann","score":0.5,"tags":["a"],"pair":[1,2],"at":{"y":1}}\n{"id":70000}', schema)
    table = rows.arrow()
    assert table.schema == schema
    assert table.to_pylist() == [{"id": 1, "ok": None, "name": "Ann", "score": 0.5, "tags": ["a"], "pair": [1, 2],
                                  "at": {"x": None, "y": 1.0}}]
    assert len(list(rows.rejects)) == 1
    view = pa.schema([pa.field("name", pa.string_view())])
    assert decant.read(b"", view).arrow().schema == view


def test_fields_with_more():
    rows = decant.read(b'{"user":{"city":"Paris"},"age":"5"}\n{"user":{},"age":151}\n{"user":{},"age":7,"n":1}\n',
                       {"city": decant.field("string?", pointer="/user/city"),
                        "age": decant.field(int, minimum=0, maximum=150, from_text=True), "n": decant.field("int8", default=3)})
    table = rows.arrow()
    assert table.to_pylist() == [{"city": "Paris", "age": 5, "n": 3}, {"city": None, "age": 7, "n": 1}]
    assert [reject.line for reject in rows.rejects] == [2]


def test_elements_may_be_null():
    class Event:
        tags: list[str | None]

    arrow = pa.schema([pa.field("tags", pa.list_(pa.string()), False)])
    for schema in ({"tags": ["string?"]}, Event, arrow):
        rows = decant.read(b'{"tags":["a",null]}\n{"tags":[null]}\n{"tags":[1]}\n{"tags":[]}', schema)
        table = rows.arrow()
        table.validate(full=True)
        assert table.schema == arrow and table["tags"].to_pylist() == [["a", None], [None], []]
        assert [reject.path for reject in rows.rejects] == ["/tags/0"]
    rows = decant.read(b'{"at":[null,{"x":null},{"x":1}]}', {"at": [{"x": "int8?"}]})
    assert rows.arrow().num_rows == 0
    rows = decant.read(b'{"at":[null,{"x":null},{"x":1}]}', {"at": [decant.field({"x": "int8?"}, optional=True)]})
    assert rows.arrow().to_pylist() == [{"at": [None, {"x": None}, {"x": 1}]}]


def test_times_and_dates():
    class Event:
        at: datetime.datetime
        day: datetime.date | None

    utc = datetime.timezone.utc
    arrow = pa.schema([pa.field("at", pa.timestamp("us", "UTC"), False), pa.field("day", pa.date32())])
    for schema in ({"at": "time", "day": "date?"}, Event, arrow):
        rows = decant.read(b'{"at":"2026-11-27T01:02:03.5+01:00","day":"2024-02-29"}\n{"at":"2026-11-27","day":"2024-02-30"}\n'
                           b'{"at":"1970-01-01T00:00:00Z"}', schema)
        table = rows.arrow()
        assert table.schema == arrow
        assert table.to_pylist() == [
            {"at": datetime.datetime(2026, 11, 27, 0, 2, 3, 500_000, utc), "day": datetime.date(2024, 2, 29)},
            {"at": datetime.datetime(1970, 1, 1, tzinfo=utc), "day": None}]
        assert [reject.message for reject in rows.rejects] == [
            'expected a date and time by RFC 3339, found the string "2026-11-27"']
    rows = decant.read(b'{"at":1700000000123}', {"at": decant.field("time", unit="ms", epoch=True)})
    assert str(polars.DataFrame(rows).schema["at"]) == "Datetime(time_unit='ms', time_zone='UTC')"
    for unit in ("s", "ms", "us", "ns"):
        arrow = pa.schema([pa.field("at", pa.timestamp(unit, "UTC"), False)])
        rows = decant.read(b'{"at":"2026-11-27T01:02:03Z"}', arrow)
        assert duckdb.sql('SELECT epoch("at") FROM rows').fetchall() == [(1795741323.0,)]


def test_columns_have_names_of_their_own():
    schema = {"user_city": decant.field("string", pointer="/user/city"), "is_ok": decant.field("bool", key="ok"),
              "at": {"east": decant.field("double", key="x")}}
    rows = decant.read(b'{"user":{"city":"Paris"},"ok":true,"at":{"x":1}}', schema)
    assert rows.arrow().to_pylist() == [{"user_city": "Paris", "is_ok": True, "at": {"east": 1.0}}]


def test_defaults_of_classes():
    @dataclasses.dataclass
    class Event:
        id: int
        kind: Kind = Kind.VIEW
        name: str | None = None
        score: float = 0.5
        small: typing.Annotated[int, "int8"] = 3
        loose: typing.Annotated[int | None, decant.field("int16", from_text=True)] = None

    rows = decant.read(b'{"id":1}\n{"id":2,"small":300}\n{"id":3,"loose":"4"}', Event).arrow()
    assert rows.to_pylist() == [
        {"id": 1, "kind": "view", "name": None, "score": 0.5, "small": 3, "loose": None},
        {"id": 3, "kind": "view", "name": None, "score": 0.5, "small": 3, "loose": 4}]
    assert str(rows.schema.field("small").type) == "int8"


@pytest.mark.parametrize("schema, error, text", [
    ({"a": "int"}, ValueError, "a: 'int' is no kind of a column; is 'int64' meant.; the kinds are bool, int8"),
    ({"a": "Timestamp?"}, ValueError, "a: 'Timestamp' is no kind of a column; is 'time' meant"),
    ({"a": "decimal128"}, ValueError, r"is 'decimal\(18, 2\)' meant"),
    ({"a": "sting"}, ValueError, "is 'string' meant"),
    ({"a": "qqq"}, ValueError, "a: 'qqq' is no kind of a column; the kinds are"),
    ({"a": {"b": [{"c": "int46"}]}}, ValueError, "^a.b.c: 'int46' is no kind of a column; is 'int64' meant"),
    ({"a": [dict[str, "int46"]]}, ValueError, "^a: 'int46' is no kind"),
    ({}, ValueError, "a schema has no columns"),
    ({"a": {"b": {}}}, ValueError, "a.b has no columns"),
    (__file__, ValueError, r"not a path: open\('.*test_schema.py'\).read\(\) reads it"),
    ({"a": ["string", "int8"]}, ValueError, "one kind of elements"),
    ({"a": [["strings"]]}, ValueError, "a: 'strings' is no kind of a column"),
    ({"a": object}, TypeError, "no type of a column"),
    ({"a": int | str}, TypeError, "one type"),
    ({1: "string"}, TypeError, "1: the name of a column is text, not int"),
    (5, TypeError, "a schema is"),
    (int, TypeError, "no annotations"),
    ({"a": typing.Literal[1]}, TypeError, "is not text"),
    (pa.schema([pa.field("a", pa.duration("ms"))]), TypeError, "a: duration"),
    (pa.schema([pa.field("a", pa.time32("ms"))]), TypeError, "a: time32"),
    ({"a": decant.field("time", unit="m")}, decant.DecantError, "not a unit of time"),
    (pa.schema([pa.field("a", pa.list_(pa.list_(pa.time32("s"))))]), TypeError, "a: time32"),
    ("{", decant.DecantError, "1:2"),
    ('{"fields":[{"key":"a","kind":"integer"}]}', decant.DecantError, "/fields/0/kind: is not a kind of field"),
])
def test_schemas_that_are_none(schema, error, text):
    with pytest.raises(error, match=text):
        decant.read(b"", schema)


def test_an_error_of_a_description_has_its_place():
    with pytest.raises(decant.DecantError) as caught:
        decant.Schema('{"fields":[{"key":"id","kind":"integer"}]}', name="events.json")
    error = caught.value
    assert (error.code, error.path, error.line, error.column) == (205, "/fields/0/kind", 1, 31)
    assert str(error).startswith("events.json:1:31: /fields/0/kind: is not a kind of field")
