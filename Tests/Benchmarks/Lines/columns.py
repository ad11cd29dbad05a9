# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Events of about SIZE bytes into columns by DuckDB, pyarrow and Polars, with explicit columns and one thread each: a
# row as lines.c prints it for each that is installed, with what is to stand behind its name.
#
#   columns.py SIZE FILE ROUNDS [SUFFIX]

import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"
size, path, rounds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
suffix = sys.argv[4] if len(sys.argv) > 4 else ""
length = os.path.getsize(path)
scalars = ({name: "int" for name in "itunq"} | {name: "text" for name in "ksp"} | {"v": "real", "o": "bool"})
SMALL = {name: scalars[name] for name in "itkusvonpq"}
LARGE = {"id": "int", "time": "text", "kind": "text", "user": {"id": "int", "name": "text"}, "tags": ["text"],
         "values": ["real"], "duration": "real", "ok": "bool", "path": "text", "message": "text"}
columns = SMALL if size < 100 else LARGE


def duck_type(kind):
    if isinstance(kind, dict):
        return "STRUCT(" + ", ".join(f"{name} {duck_type(part)}" for name, part in kind.items()) + ")"
    if isinstance(kind, list):
        return duck_type(kind[0]) + "[]"
    return {"int": "BIGINT", "text": "VARCHAR", "real": "DOUBLE", "bool": "BOOLEAN"}[kind]


def duckdb_way():
    import duckdb
    connection = duckdb.connect(config={"threads": 1})
    listed = ", ".join(f"{name}: '{duck_type(kind)}'" for name, kind in columns.items())

    def run():
        connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM read_ndjson(?, columns = {" + listed + "})",
                           [path])
    return run


def arrow_way():
    import pyarrow
    import pyarrow.json

    def kind_of(kind):
        if isinstance(kind, dict):
            return pyarrow.struct([(name, kind_of(part)) for name, part in kind.items()])
        if isinstance(kind, list):
            return pyarrow.list_(kind_of(kind[0]))
        return {"int": pyarrow.int64(), "text": pyarrow.string(), "real": pyarrow.float64(), "bool": pyarrow.bool_()}[kind]

    schema = pyarrow.schema([(name, kind_of(kind)) for name, kind in columns.items()])
    reading = pyarrow.json.ReadOptions(use_threads=False)
    parsing = pyarrow.json.ParseOptions(explicit_schema=schema)
    return lambda: pyarrow.json.read_json(path, read_options=reading, parse_options=parsing)


def polars_way():
    import polars

    def kind_of(kind):
        if isinstance(kind, dict):
            return polars.Struct({name: kind_of(part) for name, part in kind.items()})
        if isinstance(kind, list):
            return polars.List(kind_of(kind[0]))
        return {"int": polars.Int64, "text": polars.String, "real": polars.Float64, "bool": polars.Boolean}[kind]

    schema = {name: kind_of(kind) for name, kind in columns.items()}
    return lambda: polars.read_ndjson(path, schema=schema)


for name, way in (("DuckDB read_ndjson", duckdb_way), ("pyarrow read_json", arrow_way), ("Polars read_ndjson", polars_way)):
    try:
        run = way()
    except ImportError:
        continue
    best = 0
    for _ in range(rounds):
        # Seconds of processors: some read ahead in a thread of their own.
        start = time.process_time()
        run()
        best = max(best, length / 1e6 / (time.process_time() - start))
    print(f"{size}\t{name}{suffix}\t{best:.1f}", flush=True)
