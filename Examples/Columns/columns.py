# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A file of JSON Lines, some of them bad, as columns of pyarrow, DuckDB, Polars and pandas: the rows, and the rejects.
#
#   columns.py [FILE]      without a file, some lines are made

import sys
import tempfile

import duckdb
import polars
import pyarrow

from decant_arrow import LINE, UTF8, DecantError, Schema, read, read_file

EVENTS = Schema("""{"fields":[
  {"key":"id","kind":"int64"},
  {"key":"kind","kind":"enum","names":["view","purchase"]},
  {"key":"user","kind":"record","fields":[{"key":"id","kind":"int64"},{"key":"name","kind":"string","optional":true}]},
  {"key":"tags","kind":"array","element":"string","optional":true},
  {"key":"score","kind":"double","optional":true}]}""")


def make(path, count):
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            kind = ("view", "purchase")[number % 2]
            line = f'{{"id":{number},"kind":"{kind}","user":{{"id":{number % 100},"name":"Ann"}},"score":{number / 8}}}'
            if number % 1000 == 500:  # bad lines: another type, and a line that is cut
                line = line.replace(f'"score":{number / 8}', '"score":"high"') if number % 2000 == 500 else line[:40]
            print(line, file=file)


def show(path):
    rows, rejects = read_file(EVENTS, path, columns=LINE)
    table = pyarrow.RecordBatchReader.from_stream(rows).read_all()
    table.validate(full=True)
    print("pyarrow:", table.num_rows, "rows;", pyarrow.RecordBatchReader.from_stream(rejects).read_all().num_rows,
          "rejects")

    rows, rejects = read_file(EVENTS, path)
    database = duckdb.connect()
    database.execute("CREATE TABLE events AS SELECT * FROM rows")
    database.execute("CREATE TABLE bad AS SELECT * FROM rejects")
    print(database.sql("""SELECT kind, count(*) AS events, count(DISTINCT "user".id) AS users, avg(score) AS score
                          FROM events GROUP BY kind ORDER BY kind"""))
    print(database.sql("""SELECT path, code, min_by(message, line) AS message, sum(count) AS lines, min(line) AS first
                          FROM bad GROUP BY path, code ORDER BY first"""))

    rows, rejects = read_file(EVENTS, path)
    print(polars.DataFrame(rows).group_by("kind").agg(polars.col("score").mean()).sort("kind"))
    print(polars.DataFrame(rejects).select("line", "offset", "path", "message").head(3))

    rows, _ = read_file(EVENTS, path, columns=UTF8)
    print(pyarrow.RecordBatchReader.from_stream(rows).read_pandas()[["id", "kind", "score"]].tail(2))

    try:
        Schema('{"fields":[{"key":"id","kind":"integer"}]}')
    except DecantError as error:
        print(error)


if len(sys.argv) > 1:
    show(sys.argv[1])
else:
    with tempfile.TemporaryDirectory() as folder:
        make(f"{folder}/events.ndjson", 10_000)
        show(f"{folder}/events.ndjson")
