# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Columns as their consumers see them: random tables and documents against what Python's json says, every batch
# validated by pyarrow; DuckDB, Polars and pandas on the same streams; every n_ file of JSONTestSuite as a bad line.

import json
import os
import pathlib
import random
import sys

import duckdb
import polars
import pyarrow as pa

from tables import *

passed = failed = skipped = 0


def check(fine, what):
    global passed, failed
    if fine:
        passed += 1
    else:
        failed += 1
        print("FAILED:", what)
    return fine


def batches(stream):
    found = list(pa.RecordBatchReader.from_stream(stream))
    for batch in found:
        batch.validate(full=True)
    return found


def rows_of(stream):
    return [row for batch in batches(stream) for row in batch.to_pylist()]


# --- Random tables, their documents, and what the columns must be -----------------------------------------------

INTEGERS = {INT8: 8, INT16: 16, INT32: 32, INT64: 64, UINT8: 8, UINT16: 16, UINT32: 32, UINT64: 64}
SIGNED = (INT8, INT16, INT32, INT64)
COLORS = [("red", 1), ("green", 2), ("blue with a name of more than twelve bytes", 40), ("rouge", 1)]
MEALS = [("breakfast", 1), ("lunch", 2), ("dinner", 4)]


def text(chance):
    length = chance.choice((0, 1, 3, 11, 12, 13, 14, 40, 300 if chance.random() < 0.1 else 5))
    return "".join(chance.choice("abcdefgh é\u20ac\U0001f600\"\\\n/") for _ in range(length))


def spelled(value, chance):
    """A JSON text of a string, in one of its spellings."""
    return json.dumps(value, ensure_ascii=chance.random() < 0.5)


def random_fields(chance, depth, in_map=False):
    names = chance.sample([f"field {i}" if i % 7 == 0 else f"f{i}" for i in range(40)], chance.randint(1, 6))
    fields = [("", KEY, {})] if in_map else []
    for name in names:
        kind = chance.choice(
            [BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT, DOUBLE, STRING, TEXT, CHARS,
             ENUM, FLAGS, RAW, KIND] + ([RECORD, RECORD_POINTER, ARRAY, FIXED_ARRAY, MAP] if depth < 3 else []))
        more = {"flags": chance.choice((0, OPTIONAL))}
        if kind in (ENUM, FLAGS):
            more["names"] = COLORS if kind == ENUM else MEALS
        if kind == CHARS:
            more["capacity"] = chance.choice((1, 4, 20))
        if kind in (RECORD, RECORD_POINTER):
            more["record"] = random_fields(chance, depth + 1)
        if kind in (ARRAY, FIXED_ARRAY):
            more["element"] = chance.choice((BOOL, INT32, DOUBLE, STRING, TEXT, ENUM, RAW, RECORD))
            if kind == FIXED_ARRAY:
                more["capacity"] = chance.choice((1, 2, 5))
                more["counted"] = chance.random() < 0.5
            if more["element"] == RECORD:
                more["record"] = random_fields(chance, depth + 1)
            if more["element"] == ENUM:
                more["names"] = COLORS
        if kind == MAP:
            plain = chance.random() < 0.5
            more["record"] = ([("", KEY, {}), ("", chance.choice((INT32, STRING)), {"flags": POINTER})]
                              if plain else random_fields(chance, depth + 1, in_map=True))
        if chance.random() < 0.1 and kind in (INT32, STRING):
            more["flags"] = 0
            more["default"] = 7 if kind == INT32 else "a default of more than twelve bytes"
        fields.append((name, kind, more))
    return fields


def value_of(field, kind, chance):
    """The JSON text of a value, and what its column has."""
    key, _, more = field
    if kind == BOOL:
        value = chance.random() < 0.5
        return json.dumps(value), value
    if kind in INTEGERS:
        bits = INTEGERS[kind]
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind in SIGNED else (0, (1 << bits) - 1)
        value = chance.choice((low, high, 0, chance.randint(low, high)))
        return str(value), value
    if kind == FLOAT:
        value = chance.randint(-1000, 1000) / 8
        return repr(value), value
    if kind == DOUBLE:
        value = chance.choice((0.1, -1e300, 5e-324, chance.random()))
        return repr(value), value
    if kind in (STRING, TEXT):
        value = text(chance)
        return spelled(value, chance), value
    if kind == CHARS:
        value = "x" * chance.randint(0, more["capacity"] - 1)
        return json.dumps(value), value
    if kind == ENUM:
        name, number = chance.choice(COLORS)
        return json.dumps(name), next(n for n, v in COLORS if v == number)
    if kind == FLAGS:
        chosen = chance.sample(MEALS, chance.randint(0, 3))
        return json.dumps([n for n, _ in chosen]), sum(v for _, v in chosen)
    if kind == RAW:
        value = chance.choice(("[1, 2]", '{"a" :null}', "true", '"\\u00e9"', "-1.50"))
        return value, value
    if kind == KIND:
        return chance.choice((("null", 1), ("true", 2), ("1.5", 4), ('"x"', 5), ("[]", 6), ("{}", 7)))
    if kind in (RECORD, RECORD_POINTER):
        return object_of(more["record"], chance)
    if kind in (ARRAY, FIXED_ARRAY):
        count = chance.choice((0, 1, 2, 9))
        if kind == FIXED_ARRAY:
            count = chance.randint(0, more["capacity"]) if more["counted"] else more["capacity"]
        items = [value_of(field, more["element"], chance) for _ in range(count)]
        return "[" + ",".join(t for t, _ in items) + "]", [v for _, v in items]
    members = {}
    for _ in range(chance.choice((0, 1, 3))):
        members[text(chance) + str(chance.random())] = None
    texts, values = [], []
    for name in members:
        inner = more["record"]
        if len(inner) == 2 and inner[1][2].get("flags", 0) & POINTER:
            t, v = value_of(inner[1], inner[1][1], chance)
        else:
            t, v = object_of(inner[1:], chance)
        texts.append(spelled(name, chance) + ":" + t)
        values.append((name, v))
    return "{" + ",".join(texts) + "}", values


def object_of(fields, chance):
    members, row = [], {}
    for field in fields:
        key, kind, more = field
        if (more["flags"] & OPTIONAL or "default" in more) and chance.random() < 0.3:
            row[key] = more.get("default")
            if chance.random() < 0.5 and kind != KIND:
                members.append(json.dumps(key) + ": null")
            elif kind == KIND:
                row[key] = None
            continue
        t, row[key] = value_of(field, kind, chance)
        members.append(json.dumps(key) + ":" + t)
    if chance.random() < 0.3:
        chance.shuffle(members)
    if chance.random() < 0.2:
        members.append('"skipped":[1,{"a":"b"}]')
    return "{" + ",".join(members) + "}", row


def random_tables(seed, count):
    for number in range(count):
        chance = random.Random(seed * 1_000_003 + number)
        fields = random_fields(chance, 0)
        for field in fields:
            default = field[2].get("default")
            if isinstance(default, int):
                field[2]["c"] = default
        lines, rows, bad = [], [], []
        for line in range(1, chance.choice((2, 10, 200))):
            t, row = object_of(fields, chance)
            if chance.random() < 0.15:
                t = chance.choice((t[:-1], t + "x", '{"f0":tru}', "[1,2", '{"a":"\\ud800"}', t[:-1] + ',"x":\x01}'))
                bad.append(line)
            else:
                rows.append(row)
            lines.append(t)
            if chance.random() < 0.05:
                lines.append(" \r")
        # Blank lines have a number, too.
        numbers = [i for i, t in enumerate(lines, 1) if t.strip()]
        bad = [numbers[line - 1] for line in bad]
        data = ("\n".join(lines) + chance.choice(("", "\n", "\r\n"))).encode()
        flags = chance.choice((0, UTF8, BORROW))
        table = Table(with_values(fields))
        found, rejects = read(table, data, batch_rows=chance.choice((0, 1, 3, 50)), columns=flags | LINE)
        order = chance.random() < 0.5
        first = rows_of(rejects if order else found)
        second = rows_of(found if order else rejects)
        got, refused = (second, first) if order else (first, second)
        lines_got = [row.pop("_line") for row in got]
        what = f"table {number} of seed {seed}"
        if not check(got == rows, what):
            for a, b in zip(got, rows):
                if a != b:
                    print("  found", a, "\n  wants", b)
                    break
            print(len(got), len(rows), refused[:1])
            return
        check(lines_got == [n for n in numbers if n not in bad], what + ": lines")
        check([r["line"] for r in refused] == bad, what + ": rejects")
        check(all(data[r["line_offset"]:].split(b"\n")[0].decode().startswith(r["text"]) for r in refused),
              what + ": text of rejects")


def with_values(fields):
    """The fields with defaults as values of C."""
    made = []
    for key, kind, more in fields:
        more = dict(more)
        if "record" in more:
            more["record"] = with_values(more["record"])
        if isinstance(more.get("default"), int):
            more["default"] = c.c_int32(more["default"])
        made.append((key, kind, more))
    return made


# --- Consumers ---------------------------------------------------------------------------------------------------

EVENTS = Table([("id", INT64, {}), ("name", STRING, {"flags": OPTIONAL}), ("score", DOUBLE, {}),
                ("tags", ARRAY, {"element": STRING}), ("kind", ENUM, {"names": COLORS}),
                ("at", RECORD, {"record": [("x", INT32, {}), ("y", INT32, {"flags": OPTIONAL})]})])


def event(number):
    row = {"id": number, "name": None if number % 5 == 0 else f"name \u00e9 of the event {number}" * (number % 3),
           "score": number / 4, "tags": [f"tag {i}" for i in range(number % 4)],
           "kind": COLORS[number % 3][0], "at": {"x": number % 1000, "y": None if number % 2 else 7}}
    return row


def consumers():
    rows = [event(i) for i in range(5000)]
    lines = [json.dumps(row) for row in rows]
    for at in range(0, 5000, 100):
        lines[at] = '{"id":"no"}'
    good = [row for at, row in enumerate(rows) if at % 100]
    data = "\n".join(lines).encode()
    for flags in (0, UTF8, BORROW):
        for size in (0, 700):
            options = dict(columns=flags, batch_rows=size)
            what = f"columns {flags}, batches of {size}"
            found, rejects = read(EVENTS, data, **options)
            check(rows_of(found) == good, "pyarrow: " + what)
            check([r["line"] for r in rows_of(rejects)] == list(range(1, 5001, 100)), "pyarrow rejects: " + what)
            found, rejects = read(EVENTS, data, **options)
            check(polars.DataFrame(found).to_dicts() == good, "Polars: " + what)
            check(polars.DataFrame(rejects)["path"].to_list() == ["/id"] * 50, "Polars rejects: " + what)
            found, rejects = read(EVENTS, data, **options)
            connection = duckdb.connect()
            sums = connection.sql("select count(*), sum(id), sum(score), sum(len(name)), sum(len(tags)), sum(\"at\".x), "
                                  "count(\"at\".y), count(*) filter (where kind = 'green') from found").fetchall()[0]
            check(sums == (len(good), sum(r["id"] for r in good), sum(r["score"] for r in good),
                           sum(len(r["name"]) for r in good if r["name"] is not None),
                           sum(len(r["tags"]) for r in good), sum(r["at"]["x"] for r in good),
                           sum(r["at"]["y"] is not None for r in good), sum(r["kind"] == "green" for r in good)),
                  "DuckDB: " + what)
            check(connection.sql("select path, code, sum(count) from rejects group by all").fetchall()
                  == [("/id", 201, 50)], "DuckDB rejects: " + what)
    # Both streams in one query, which DuckDB reads with threads of its own.
    found, rejects = read(EVENTS, data, batch_rows=100)
    check(duckdb.connect().sql("select (select count(*) from found), (select count(*) from rejects)").fetchall()[0]
          == (len(good), 50), "DuckDB: both streams in one query")
    frame = pa.RecordBatchReader.from_stream(read(EVENTS, data, columns=UTF8)[0]).read_all().to_pandas()
    check(len(frame) == len(good) and frame["id"].sum() == sum(r["id"] for r in good), "pandas")
    # Streams that are dropped.
    found, rejects = read(EVENTS, data, batch_rows=10)
    reader = pa.RecordBatchReader.from_stream(found)
    kept = [reader.read_next_batch() for _ in range(2)]
    reader.close()
    check(len(rows_of(rejects)) == 50, "rows that are dropped leave the rejects")
    check([r["id"] for b in kept for r in b.to_pylist()] == [r["id"] for r in good[:20]], "batches outlive the stream")
    found, rejects = read(EVENTS, data)
    del rejects
    check(len(rows_of(found)) == len(good), "rejects that are dropped leave the rows")
    del found
    for data in (b"", b"\n \n", b"{}"):
        found, rejects = read(EVENTS, data)
        schema = pa.RecordBatchReader.from_stream(found)
        check(schema.schema.names[0] == "id" and list(schema) == [], f"no rows of {data}")
        check(len(rows_of(rejects)) == (data == b"{}"), f"rejects of {data}")
    found, rejects = read(EVENTS, b"{}\n" * 10, maximum_rejects=3)
    check(rows_of(found) == [], "no rows")
    refused = rows_of(rejects)
    check([r["line"] for r in refused] == [1, 2, 3, None] and sum(r["count"] for r in refused) == 10,
          "rejects beyond the most are counted")
    found, rejects = read(EVENTS, b'{"id":"secret"}\n', redacts_input=1)
    refused = rows_of(rejects)
    check(refused[0]["text"] is None and "secret" not in refused[0]["message"], "rejects are redacted")


# --- JSONTestSuite -----------------------------------------------------------------------------------------------

def suite(folder):
    files = sorted((folder / "JSONTestSuite/test_parsing").glob("n_*.json"))
    lines, wrong = [], {}
    table = Table([("id", INT64, {}), ("name", STRING, {})])
    good = 0
    for file in files:
        lines.append(json.dumps({"id": good, "name": f"the row before {file.name}"}).encode())
        good += 1
        bytes_ = file.read_bytes()
        # What is a document on several lines is as many lines here.
        for part in bytes_.replace(b"\r", b"\n").split(b"\n"):
            lines.append(part)
            if part.strip(b" \t"):
                wrong[len(lines)] = file.name
    lines.append(json.dumps({"id": good, "name": "the last row"}).encode())
    good += 1
    data = b"\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    expected = list(range(good))
    found, rejects = read(table, data)
    ids = [r["id"] for r in rows_of(found)]
    refused = rows_of(rejects)
    check(ids == expected, "every good row in pyarrow")
    check([r["line"] for r in refused] == list(wrong), "one reject for each bad line")
    check(all(r["line_offset"] == starts[r["line"] - 1] for r in refused), "and its byte")
    check(all(r["line_offset"] <= r["offset"] <= starts[r["line"]] for r in refused if r["offset"] is not None),
          "and the error's")
    print(f"  {len(files)} n_ files, {len(wrong)} bad lines, {good} good rows")
    check(polars.DataFrame(read(table, data)[0])["id"].to_list() == expected, "every good row in Polars")
    rows, refused = read(table, data)
    connection = duckdb.connect()
    check([r[0] for r in connection.sql("select id from rows order by id").fetchall()] == expected,
          "every good row in DuckDB")
    check(connection.sql("select count(distinct line), sum(count) from refused").fetchall()[0]
          == (len(wrong), len(wrong)), "and every reject")


seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 32)
count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
print(f"  seed {seed}, {count} tables")
random_tables(seed, count)
consumers()
if "DECANT_CONFORMANCE_DIR" in os.environ:
    suite(pathlib.Path(os.environ["DECANT_CONFORMANCE_DIR"]))
else:
    skipped += 1
    print("  skipped JSONTestSuite: DECANT_CONFORMANCE_DIR is not set")
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(failed != 0)
