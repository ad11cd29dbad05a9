# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A file of JSON Lines, some of them bad, as columns of pyarrow, DuckDB, Polars and pandas: the rows, and the rejects.
#
#   columns.py [FILE]      without a file, some lines are made

import sys
import tempfile
from typing import Literal

import decant
import duckdb
import polars

EVENTS = decant.Schema({
    "id": "int64",
    "kind": Literal["view", "purchase"],
    "user": {"id": "int64", "name": "string?"},
    "tags": decant.field(["string"], optional=True),
    "score": "double?",
})


def make(path, count):
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            kind = ("view", "purchase")[number % 2]
            line = f'{{"id":{number},"kind":"{kind}","user":{{"id":{number % 100},"name":"Ann"}},"score":{number / 8}}}'
            if number % 1000 == 500:  # bad lines: another type, and a line that is cut
                line = line.replace(f'"score":{number / 8}', '"score":"high"') if number % 2000 == 500 else line[:40]
            print(line, file=file)


def show(path):
    rows = decant.read(path, EVENTS, line_numbers=True)
    table = rows.arrow()
    table.validate(full=True)
    print("pyarrow:", table.num_rows, "rows;", rows.rejects.arrow().num_rows, "rejects")

    rows = decant.read(path, EVENTS)
    rejects = rows.rejects
    database = duckdb.connect()
    database.execute("CREATE TABLE events AS SELECT * FROM rows")
    database.execute("CREATE TABLE bad AS SELECT * FROM rejects")
    print(database.sql("""SELECT kind, count(*) AS events, count(DISTINCT "user".id) AS users, avg(score) AS score
                          FROM events GROUP BY kind ORDER BY kind"""))
    print(database.sql("""SELECT path, code, min_by(message, line) AS message, sum(count) AS lines, min(line) AS first
                          FROM bad GROUP BY path, code ORDER BY first"""))

    rows = decant.read(path, EVENTS)
    print(polars.DataFrame(rows).group_by("kind").agg(polars.col("score").mean()).sort("kind"))
    print(polars.DataFrame(rows.rejects).select("line", "offset", "path", "message").head(3))

    print(decant.read(path, EVENTS).pandas()[["id", "kind", "score"]].tail(2))

    try:
        decant.Schema('{"fields":[{"key":"id","kind":"integer"}]}')
    except decant.DecantError as error:
        print(error)


if len(sys.argv) > 1:
    show(sys.argv[1])
else:
    with tempfile.TemporaryDirectory() as folder:
        make(f"{folder}/events.ndjson", 10_000)
        show(f"{folder}/events.ndjson")
