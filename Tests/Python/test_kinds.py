# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""What kinds of fields become, and the rejects of each."""

import base64
import datetime
import decimal
import json
import random
import uuid
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
    assert found == [[[1.5, 2], [3, 4]]] and rejects == [(2, "/a/0", "expected an array of exactly 2 elements, found 1")]
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


def test_elements_that_are_left_out_and_other_members():
    schema = {"id": "int64", "tags": decant.field(["string"], leave_out=True),
              "others": decant.field("raw", rest=True)}
    rows = ['{"id":1,"tags":["a",5,"b"],"x": [1, 2],"y":null}', '{"id":2,"tags":[{}]}', '{"id":"3","tags":[],"x":1}']
    for text in ("utf8", "view"):
        table, rejects = read(schema, *rows, text=text)
        assert table["tags"].to_pylist() == [["a", "b"], []]
        assert table["others"].to_pylist() == ['{"x":[1, 2],"y":null}', None]
        assert [reject[:2] for reject in rejects] == [(3, "/id")]
    # A column alone would be another one.
    with pytest.raises(ValueError, match="is read with all of its columns"):
        decant.read("\n".join(rows).encode(), schema, columns=["others"])


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


def test_null_texts_of_all_fields():
    schema = {"a": "int64?", "b": "string", "c": {"d": ["string?"], "e": decant.field("string?", null_texts=["-"])}, "f": decant.field("int8", default=3)}
    rows = ['{"a":"NA","b":"NA","c":{"d":["","x"],"e":""},"f":""}', '{"a":"","b":"","c":{"d":[],"e":"-"}}']
    wanted = [{"a": None, "b": "NA", "c": {"d": [None, "x"], "e": ""}, "f": 3}, {"a": None, "b": "", "c": {"d": [], "e": None}, "f": 3}]
    parsed = decant.Schema(schema)
    for one in (schema, parsed, parsed.json + " // a comment"):
        table, rejects = read(one, *rows, null_texts=["", "NA"])
        assert table.to_pylist() == wanted and rejects == []
    assert read(parsed, *rows)[1] != []
    assert read(decant.Schema(parsed, null_texts=("", "NA")), *rows)[0].to_pylist() == wanted
    with pytest.raises(TypeError):
        decant.read(b"", schema, null_texts="NA")


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


def test_decimals():
    schema = {"a": "decimal(9, 2)?", "b": decant.field("decimal", from_text=True, optional=True), "c": ["decimal(38, 38)?"]}
    rows = ['{"a":1.5,"b":"-7","c":[1e-38,null,-0.1]}', '{"a":-120.50e1,"b":99999999999999999999999999999999999999,"c":[]}',
            '{"a":1000000e-8000000,"c":[]}', '{"a":9999999.99,"c":[0e9]}', '{"a":-0.00,"b":"12e1","c":[]}', '{"a":null,"c":[]}',
            '{"a":1.005,"c":[]}', '{"a":10000000,"c":[]}', '{"a":1e400000000000000000000,"c":[]}', '{"a":"1","c":[]}',
            '{"b":"1.5","c":[]}', '{"b":"x","c":[]}', '{"b":100000000000000000000000000000000000000,"c":[]}', '{"c":[1]}']
    table, rejects = read(schema, *rows)
    D = decimal.Decimal
    assert [table.schema.field(name).type for name in "ab"] == [pa.decimal128(9, 2), pa.decimal128(38, 0)]
    assert table["a"].to_pylist() == [D("1.50"), D("-1205.00"), D("9999999.99"), D("0.00"), None]
    assert table["b"].to_pylist() == [D(-7), D(10 ** 38 - 1), None, D(120), None]
    with decimal.localcontext(prec=50):
        assert table["c"].to_pylist() == [[D("1e-38"), None, D("-0.1")], [], [D(0)], [], []]
    behind, too_many = "the number has more digits behind the point than the decimal", "the number has more digits than the decimal"
    assert rejects == [
        (3, "/a", behind), (7, "/a", behind), (8, "/a", too_many), (9, "/a", too_many),
        (10, "/a", 'expected a number, found the string "1"'), (11, "/b", behind), (12, "/b", 'the string "x" is not a number'),
        (13, "/b", too_many), (14, "/c/0", too_many)]


def test_decimals_are_those_of_python():
    chance = random.Random(7)
    with decimal.localcontext(prec=100):
        texts, wanted = [], []
        for _ in range(3000):
            digits = "".join(chance.choice("0123456789") for _ in range(chance.randint(1, 25))).lstrip("0") or "0"
            text = chance.choice(("", "-")) + digits
            if chance.random() < 0.6:
                text += "." + "".join(chance.choice("0009123") for _ in range(chance.randint(1, 12)))
            if chance.random() < 0.4:
                text += chance.choice(("e", "E", "e+", "e-")) + str(chance.randint(0, 12))
            value = decimal.Decimal(text)
            whole = value.scaleb(6)
            texts.append(text)
            if whole == whole.to_integral_value() and abs(whole) < 10 ** 30:
                wanted.append(value)
        found, _ = values({"a": "decimal(30, 6)"}, *['{"a":%s}' % text for text in texts])
        assert 500 < len(wanted) < 2900 and found == wanted


def test_decimals_in_consumers():
    stream = decant.read(b'{"a":12.345}\n{"a":-1}\n', {"a": "decimal(18, 3)"})
    assert duckdb.sql("SELECT typeof(a), sum(a) OVER () FROM stream").fetchall()[0] == ("DECIMAL(18,3)", decimal.Decimal("11.345"))
    assert polars.DataFrame(decant.read(b'{"a":12.345}', {"a": "decimal(18, 3)"}))["a"].to_list() == [decimal.Decimal("12.345")]
    for type_ in (pa.decimal128(5, 2), pa.decimal128(38, 0)):
        schema = pa.schema([pa.field("a", pa.list_(type_))])
        assert read(schema, '{"a":[1,null]}')[0].schema == schema
    with pytest.raises(decant.DecantError, match="at most 38 digits"):
        decant.Schema({"a": "decimal(39, 2)"})
    with pytest.raises(decant.DecantError, match="scale is more"):
        decant.Schema({"a": "decimal(3, 4)"})


def test_uuids():
    known = [uuid.UUID(int=n * 0x0123456789ABCDEF0123456789) for n in range(50)]
    rows = [line(str(one) if one.int % 2 else str(one).upper()) for one in known]
    table, rejects = read({"a": "uuid"}, *rows, line("f81d4fae7dec11d0a76500a0c91e6bf6"), line(1), line("f81d4fae-7dec-11d0-a765-00a0c91e6bfg"))
    assert table["a"].to_pylist() == known and table.schema.field("a").type == pa.uuid()
    assert rejects[0] == (51, "/a", 'expected a UUID, found the string "f81d4fae7dec11d0a76500a0c91e6bf6"')
    assert [reject[0] for reject in rejects] == [51, 52, 53]
    stream = decant.read("\n".join(rows).encode(), {"a": "uuid"})
    assert [row[0] for row in duckdb.sql("SELECT a FROM stream").fetchall()] == known
    assert values({"a": [uuid.UUID]}, line([str(known[1])]))[0] == [[known[1]]]


@pytest.mark.parametrize("text", ["utf8", "view"])
def test_bytes_by_base64(text):
    chance = random.Random(text)
    known = [chance.randbytes(chance.randint(0, 40)) for _ in range(300)]
    rows = [line(base64.b64encode(one).decode()) for one in known]
    rows[7] = rows[7].replace("/", "\\/").replace("A", "\\u0041")
    wrong = ["QQ", "QQ=", "Q===", "QR==", "QQJ=", "QQ==QQ==", "Q Q=", "_-==", "=", "QQ==\n"]
    found, rejects = values({"a": "base64"}, *rows, *map(line, wrong), line(1), text=text)
    assert found == known
    assert [reject[0] for reject in rejects] == list(range(301, 312))
    assert rejects[0][2] == 'expected base64, found the string "QQ"'
    table, _ = read({"a": ["base64?"]}, line(["QUJD", None]), text=text)
    assert table["a"].to_pylist() == [[b"ABC", None]]
    assert table.schema.field("a").type.value_type == (pa.binary() if text == "utf8" else pa.binary_view())
    stream = decant.read("\n".join(rows).encode(), {"a": "base64"}, text=text)
    assert [row[0] for row in duckdb.sql("SELECT a FROM stream").fetchall()] == known
    assert polars.DataFrame(decant.read("\n".join(rows).encode(), {"a": bytes}, text=text))["a"].to_list() == known


def test_bytes_of_fixed_size():
    field = decant.field("fixed_base64", capacity=4)
    table, rejects = read({"a": field, "b": decant.field("fixed_base64?", capacity=1)}, '{"a":"QUJDRA=="}', '{"a":"QUJD"}',
                          '{"a":"QUJDRA==","b":"/w=="}', '{"a":"QUJDRB=="}')
    assert table.to_pylist() == [{"a": b"ABCD", "b": None}, {"a": b"ABCD", "b": b"\xff"}]
    assert table.schema.field("a").type == pa.binary(4)
    assert rejects == [(2, "/a", 'expected base64 of as many bytes as the field has, found the string "QUJD"'),
                       (4, "/a", 'expected base64 of as many bytes as the field has, found the string "QUJDRB=="')]
    for type_ in (pa.binary(4), pa.binary(), pa.uuid(), pa.list_(pa.binary(4))):
        schema = pa.schema([pa.field("a", type_)])
        assert read(schema, '{"a":null}')[0].schema == schema
    with pytest.raises(decant.DecantError, match="capacity is 0"):
        decant.Schema({"a": "fixed_base64"})


def test_descriptions_are_read_again():
    kinds = {"a": "decimal(9, 2)", "b": "uuid", "c": "base64", "d": decant.field("fixed_base64", capacity=3),
             "e": decant.field(["decimal"], scale=4), "f": decant.field("string?", null_texts=["", "\u00e9"], as_text=True),
             "g": decant.field("time", zone="Europe/Berlin"), "h": decant.field("time", zoneless=True)}
    assert decant.Schema(decant.Schema(kinds).json).json == decant.Schema(kinds).json


def test_a_wrong_kind_names_all_kinds():
    with pytest.raises(decant.DecantError) as caught:
        decant.Schema('{"fields":[{"key":"a","kind":"timestamp"}]}')
    with pytest.raises(ValueError) as other:
        decant.Schema({"a": "timestamp"})
    for kind in ("bool", "int8", "uint64", "double", "string", "raw", "time", "date", "decimal", "uuid", "base64"):
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


def random_text(random, kind):
    """A text of a time, a date or a decimal: as they are mostly, and changed in one place."""
    digits = "".join(random.choice("0123456789") for _ in range(random.randrange(12)))
    year, month, day = random.choice(("1969", "1970", "2024", "1900", "2000", "0000", "9999", "2262", "1677")), \
        random.randrange(14), random.choice((0, 1, 15, 28, 29, 30, 31, 32))
    date = f"{year}-{month:02}-{day:02}"
    if kind == "decimal":
        text = random.choice(("", "-")) + random.choice(("0", "1", "12", "99999", "1234567890123456", "12345678901234567"))
        text += random.choice(("", ".0", ".5", ".125", ".1250", ".12345", ".1234567890123456", "e2", "E-1", ".5e1"))
        return text, True
    text = date
    if kind == "time":
        text += (random.choice("TTTt x") + random.choice(("00:00:00", "23:59:59", "23:59:60", "24:00:00", "12:60:01"))
                 + random.choice(("", "." + digits, ".123", ".123456")) + random.choice(("Z", "z", "", "+01:00", "-23:59", "+24:00")))
    if random.random() < 0.2:
        at = random.randrange(len(text))
        text = text[:at] + random.choice("0a:/-.\x7f Z\\é") + text[at + random.randrange(2):]
    return json.dumps(text), False


@pytest.mark.parametrize("kind", ("time", "date", "decimal"))
def test_the_quick_way_is_the_other_way(kind):
    """A field with texts that count as null is read by the library's reader; others are mostly read in a run, alone and in
    lists."""
    seed = random.randrange(1 << 32)
    source = random.Random(seed)
    texts = [random_text(source, kind)[0] for _ in range(4_000)]
    for options in ([{}, {"zoneless": True}, {"unit": "s"}, {"unit": "ms"}, {"unit": "ns"}] if kind == "time" else
                    [{"precision": 38, "scale": 20}, {"precision": 5, "scale": 3}, {"precision": 18, "scale": 18},
                     {"precision": 19, "scale": 2}, {"precision": 1, "scale": 0}, {"precision": 20, "scale": 4}]
                    if kind == "decimal" else [{}]):
        plain = decant.field(kind, **options)
        slow = decant.field(kind, optional=True, null_texts=["no"], **options)

        def found(field, wrap="%s"):
            table, rejects = read({"a": field}, *['{"a":' + wrap % text + "}" for text in texts])
            return table["a"], [reject[::2] for reject in rejects]

        expected = found(slow)
        assert found(plain) == expected, (seed, options)
        assert found(decant.field(kind, optional=True, **options)) == expected, (seed, options)
        column, rejects = found([plain], "[%s]")
        assert column.combine_chunks().flatten() == expected[0].combine_chunks() and rejects == expected[1], (seed, options)
        # Another order than the schema's.
        table, _ = read({"a": plain, "b": "int64"}, *['{"b":1,"a":%s}' % text for text in texts])
        assert table["a"] == expected[0], (seed, options)


def test_integers_since_1970_in_a_run():
    assert values({"a": decant.field("time", unit="ms", epoch=True)}, line(1), line(-1_000), line("x"), line(1.5)) == (
        [datetime.datetime(1970, 1, 1, 0, 0, 0, 1_000, datetime.timezone.utc),
         datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)],
        [(3, "/a", 'expected an integer, found the string "x"'), (4, "/a", "not an integer: 1.5")])


UTC = datetime.timezone.utc


@pytest.mark.parametrize("made, rows, found, message", [
    (decant.field("decimal(9, 2)", minimum=0.5, maximum=decimal.Decimal("10.25")), ("0.5", "10.25", "0.49", "10.26", "-1", "1.234"),
     ["0.50", "10.25"], "expected a number in 0.50 to 10.25, found the number 0.49"),
    (decant.field("decimal(38, 2)", minimum=-1), ("-1", "1" + "0" * 35, "-1.01", "-1" + "0" * 35), ["-1.00", "1" + "0" * 35 + ".00"],
     "expected a number of at least -1.00, found the number -1.01"),
    (decant.field("time", minimum="2020-01-01T00:00:00Z"), ('"2020-01-01T00:00:00Z"', '"2020-01-01T01:00:00+01:00"', '"2019-12-31T23:59:59Z"', '"no"'),
     ["2020-01-01 00:00:00+00:00"] * 2, 'expected a time of at least "2020-01-01T00:00:00Z", found the string "2019-12-31T23:59:59Z"'),
    (decant.field("time", unit="s", zoneless=True, maximum="1970-01-01T00:00:00"), ('"1970-01-01T00:00:00"', '"1970-01-01T00:00:01"'), ["1970-01-01 00:00:00"],
     'expected a time of at most "1970-01-01T00:00:00", found the string "1970-01-01T00:00:01"'),
    (decant.field("time", unit="ms", epoch=True, minimum=0), ("0", "-1"), ["1970-01-01 00:00:00+00:00"], "expected a number of at least 0, found the number -1"),
    (decant.field("date", minimum="2024-02-29", maximum="2024-02-29"), ('"2024-02-29"', '"2024-03-01"', '"2024-02-28"'), ["2024-02-29"],
     'expected the date "2024-02-29", found the string "2024-03-01"'),
])
def test_bounds_of_times_dates_and_decimals(made, rows, found, message):
    for schema, wrap in (({"a": made}, '{"a":%s}'), ({"a": [made]}, '{"a":[%s]}'), ({"b": "int64?", "a": made}, '{"a":%s,"b":1}')):
        for again in (decant.Schema(schema), decant.Schema(decant._decant.describe(decant.Schema(schema)._handle))):
            table, rejects = read(again, *[wrap % row for row in rows])
            column = table["a"].to_pylist()
            assert [str(value[0] if isinstance(value, list) else value) for value in column] == found
            assert [reject[0] for reject in rejects] == list(range(len(found) + 1, len(rows) + 1))
            assert rejects[0][2] == message


def test_bounds_that_are_none():
    for made, message in ((decant.field("date", minimum="2024-02-30"), "/fields/0/minimum"), (decant.field("time", maximum=5), "/fields/0/maximum"),
                          (decant.field("decimal(9, 2)", minimum=0.001), "/fields/0/minimum"),
                          (decant.field("date", minimum="2024-01-02", maximum="2024-01-01"), "bounds let nothing in"),
                          (decant.field("decimal(38, 2)", maximum=10 ** 30), "64 bits"), (decant.field("uuid", minimum="a"), "says nothing")):
        with pytest.raises(decant.DecantError, match=message):
            decant.Schema({"a": made})


def test_defaults_of_times_dates_decimals_and_uuids():
    known = uuid.UUID("123e4567-e89b-42d3-a456-426614174000")
    schema = {"a": decant.field("decimal(9, 2)", default=1.5), "b": decant.field("time", default="2020-01-01T00:00:00Z", minimum="2021-01-01T00:00:00Z"),
              "c": decant.field("date", default="2024-02-29"), "d": decant.field("uuid", default=str(known)),
              "e": decant.field("time", unit="ms", epoch=True, default=1_000)}
    made = {"a": decimal.Decimal("1.50"), "b": datetime.datetime(2020, 1, 1, tzinfo=UTC), "c": datetime.date(2024, 2, 29), "d": known,
            "e": datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)}
    for again in (decant.Schema(schema), decant.Schema(decant._decant.describe(decant.Schema(schema)._handle))):
        table, rejects = read(again, "{}", '{"a":null,"d":null}', '{"a":2,"b":"2022-01-01T00:00:00Z","c":"2024-03-01"}', '{"b":"2020-01-01T00:00:00Z"}')
        assert table.to_pylist() == [made, made, {**made, "a": decimal.Decimal("2.00"), "b": datetime.datetime(2022, 1, 1, tzinfo=UTC),
                                                  "c": datetime.date(2024, 3, 1)}]
        assert [reject[:2] for reject in rejects] == [(4, "/b")] and not table.schema.field("a").nullable
    typed = {"a": decant.field("decimal(9, 2)", default=decimal.Decimal("1.50"), maximum=decimal.Decimal("1234567.89")),
             "b": decant.field("time", default=made["b"], minimum=datetime.datetime(2021, 1, 1, tzinfo=UTC)),
             "c": decant.field("date", default=made["c"]), "d": decant.field("uuid", default=known),
             "e": decant.field("time", unit="ms", epoch=True, default=1_000)}
    assert read(typed, "{}")[0].to_pylist() == [made]
    assert '"maximum": 1234567.89' in decant.Schema(typed).json
    for kind, wrong in (("decimal(3, 1)", 0.25), ("time", "now"), ("date", 5), ("uuid", "x")):
        with pytest.raises(decant.DecantError, match="/fields/0/default"):
            decant.Schema({"a": decant.field(kind, default=wrong)})
