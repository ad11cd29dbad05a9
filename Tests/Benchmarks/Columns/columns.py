# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A file of events into columns that are kept, by Decant and by what else reads them, with explicit columns: megabytes a
# second of time and of CPU time, the least of some rounds; how large the process became, and by how much more than its
# input and, where they are kept, its columns in the first round. The columns of all contenders have the same checksums.
#
#   columns.py CONTENDER SIZE FILE ROUNDS      one contender in a process of its own: a row, tab-separated
#   columns.py list [--quick]                  the contenders
#   columns.py report ROWS                     all rows, and the ratios that are asked for beside their bounds
#   columns.py others SIZE FILE ROUNDS [SUFFIX]
#                                              the others that are installed, with one thread each: rows as those of
#                                              Lines/lines.c, with what is to stand behind their names

import hashlib
import os
import resource
import sys
import threading
import time

SCALARS = {name: "int" for name in "itunq"} | {name: "text" for name in "ksp"} | {"v": "real", "o": "bool"}
SMALL = {name: SCALARS[name] for name in "itkusvonpq"}
LARGE = {"id": "int", "time": "text", "kind": "text", "user": {"id": "int", "name": "text"}, "tags": ["text"],
         "values": ["real"], "duration": "real", "ok": "bool", "path": "text", "message": "text"}


# --- Contenders: each returns a function that makes columns of the file, and one that takes them to Arrow ------------


def table_of(columns):
    import tables as d
    kinds = {"int": d.INT64, "text": d.STRING, "real": d.DOUBLE, "bool": d.BOOL}
    fields = []
    for name, kind in columns.items():
        if isinstance(kind, dict):
            fields.append((name, d.RECORD, {"record": table_of(kind)}))
        elif isinstance(kind, list):
            fields.append((name, d.ARRAY, {"element": kinds[kind[0]]}))
        else:
            fields.append((name, kinds[kind], {}))
    return fields


largest = [0]  # bytes of a batch that was dropped


def next_batch(reader):
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None


def decant_way(path, columns, flags=0, threads=1, keeps=True):
    import tables as d
    import mmap
    import pyarrow

    table = d.Table(table_of(columns))
    file = open(path, "rb")
    data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    view = (d.c.c_char * len(data)).from_buffer(data)
    pieces = (d.Piece * threads)()

    def piece(number, found):
        rows, rejects = d.read(table, d.c.addressof(view) + pieces[number].first_offset, columns=flags,
                               length=pieces[number].length, first_line=pieces[number].first_line)
        del rejects
        found[number] = []
        reader = pyarrow.RecordBatchReader.from_stream(rows)
        while batch := next_batch(reader):
            if keeps:
                found[number].append(batch)
            else:
                largest[0] = max(largest[0], batch.get_total_buffer_size())
            # A batch that is dropped is gone before the next one is asked for.
            batch = None

    def run():
        count = d.library.decant_split_lines(view, d.c.c_size_t(len(data)), d.c.c_size_t(threads), pieces)
        found = [None] * count
        workers = [threading.Thread(target=piece, args=(number, found)) for number in range(1, count)]
        for worker in workers:
            worker.start()
        piece(0, found)
        for worker in workers:
            worker.join()
        return [batch for part in found for batch in part]

    return run, lambda found: pyarrow.Table.from_batches(found)


def decant_to_duckdb(path, columns):
    import duckdb
    import tables as d
    import mmap

    table = d.Table(table_of(columns))
    file = open(path, "rb")
    data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    view = (d.c.c_char * len(data)).from_buffer(data)
    connection = duckdb.connect(config={"threads": 1})

    def run():
        rows, rejects = d.read(table, d.c.addressof(view), length=len(data))
        connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM rows")

    return run, lambda _: connection.table("events").to_arrow_table()


def duck_type(kind):
    if isinstance(kind, dict):
        return "STRUCT(" + ", ".join(f"{name} {duck_type(part)}" for name, part in kind.items()) + ")"
    if isinstance(kind, list):
        return duck_type(kind[0]) + "[]"
    return {"int": "BIGINT", "text": "VARCHAR", "real": "DOUBLE", "bool": "BOOLEAN"}[kind]


def duckdb_way(path, columns, threads=1):
    import duckdb
    connection = duckdb.connect(config={"threads": threads})
    listed = ", ".join(f"{name}: '{duck_type(kind)}'" for name, kind in columns.items())

    def run():
        connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM read_ndjson(?, columns = {" + listed + "})",
                           [path])

    return run, lambda _: connection.table("events").to_arrow_table()


def arrow_way(path, columns):
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
    return lambda: pyarrow.json.read_json(path, read_options=reading, parse_options=parsing), lambda found: found


def polars_way(path, columns):
    import polars

    def kind_of(kind):
        if isinstance(kind, dict):
            return polars.Struct({name: kind_of(part) for name, part in kind.items()})
        if isinstance(kind, list):
            return polars.List(kind_of(kind[0]))
        return {"int": polars.Int64, "text": polars.String, "real": polars.Float64, "bool": polars.Boolean}[kind]

    schema = {name: kind_of(kind) for name, kind in columns.items()}
    return lambda: polars.read_ndjson(path, schema=schema), lambda found: found.to_arrow()


WAYS = {
    "decant": decant_way,
    "decant, utf8": lambda path, columns: decant_way(path, columns, flags=2),
    "decant, borrowed": lambda path, columns: decant_way(path, columns, flags=4),
    "decant, 2 threads": lambda path, columns: decant_way(path, columns, threads=2),
    "decant, borrowed, 2 threads": lambda path, columns: decant_way(path, columns, flags=4, threads=2),
    "decant, batches dropped": lambda path, columns: decant_way(path, columns, keeps=False),
    "decant into a DuckDB table": decant_to_duckdb,
    "DuckDB read_ndjson": duckdb_way,
    "DuckDB read_ndjson, 2 threads": lambda path, columns: duckdb_way(path, columns, threads=2),
    "pyarrow read_json": arrow_way,
    "Polars read_ndjson": polars_way,
}


# --- What columns come to -------------------------------------------------------------------------------------------


def checksums(table):
    """A checksum of each column: of all its values in their order, and of how many elements each list has."""
    import pyarrow
    import pyarrow.compute as compute

    def of(name, column):
        kind = column.type
        if pyarrow.types.is_struct(kind):
            return [sum for at in range(kind.num_fields)
                    for sum in of(f"{name}.{kind.field(at).name}", compute.struct_field(column, at))]
        if isinstance(kind, (pyarrow.ListType, pyarrow.LargeListType)):
            lengths = compute.list_value_length(column).cast(pyarrow.int64())
            return [f"{name}#{digest(lengths)}"] + of(f"{name}[]", compute.list_flatten(column))
        if pyarrow.types.is_boolean(kind):
            column = column.cast(pyarrow.int8())
        return [f"{name}:{digest(column)}"]

    def digest(column):
        sum = hashlib.sha256()
        for chunk in column.chunks:
            if pyarrow.types.is_string_view(chunk.type) or pyarrow.types.is_string(chunk.type):
                chunk = chunk.cast(pyarrow.large_string())
            if pyarrow.types.is_large_string(chunk.type):
                # The lengths are in a checksum of their own: where chunks end differs.
                _, offsets, text = chunk.buffers()
                offsets = memoryview(offsets).cast("q")
                sum.update(memoryview(text)[offsets[chunk.offset]:offsets[chunk.offset + len(chunk)]] if text else b"")
            else:
                width = chunk.type.bit_width // 8
                sum.update(memoryview(chunk.buffers()[1])[chunk.offset * width:(chunk.offset + len(chunk)) * width])
        is_text = pyarrow.types.is_integer(column.type) or pyarrow.types.is_floating(column.type)
        end = "" if is_text else "/" + digest(compute.binary_length(column.cast(pyarrow.large_string())))
        return f"{column.null_count}.{sum.hexdigest()[:12]}{end}"

    return [f"{table.num_rows}"] + [sum for name in table.column_names for sum in of(name, table[name])]


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def prepared(name, size, path):
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    return WAYS[name](path, SMALL if size < 100 else LARGE)


def measure_others(size, path, rounds, suffix=""):
    length = os.path.getsize(path)
    for name in ("DuckDB read_ndjson", "pyarrow read_json", "Polars read_ndjson"):
        try:
            run, _ = prepared(name, size, path)
        except ImportError:
            continue
        best = 0
        for _ in range(rounds):
            # Seconds of processors: some read ahead in a thread of their own.
            start = time.process_time()
            run()
            best = max(best, length / 1e6 / (time.process_time() - start))
        print(f"{size}\t{name}{suffix}\t{best:.1f}", flush=True)


def measure(name, size, path, rounds):
    length = os.path.getsize(path)
    run, to_arrow = prepared(name, size, path)
    before = resident()
    best, cpu, first = float("inf"), float("inf"), None
    for _ in range(rounds):
        found = None
        start, start_cpu = time.perf_counter(), time.process_time()
        found = run()
        best = min(best, time.perf_counter() - start)
        cpu = min(cpu, time.process_time() - start_cpu)
        memory = peak()
        if first is None:
            first = memory
    # What Decant reads is mapped into the process, and all of it was touched. Later rounds have what malloc kept, too.
    extra = first - before - length / 1e6
    beyond = batch = "-"
    if "dropped" in name:
        numbers, batch = "-", f"{largest[0] / 1e6:.1f}"
        beyond = f"{extra:.0f}"
    else:
        table = to_arrow(found)
        if name in ("decant", "decant, utf8"):
            beyond = f"{extra - table.get_total_buffer_size() / 1e6:.0f}"
        numbers = " ".join(checksums(table))
    print(f"{size}\t{name}\t{length / 1e6 / best:.1f}\t{length / 1e6 / cpu:.1f}\t{memory:.0f}\t{beyond}\t{batch}\t{numbers}",
          flush=True)


# --- The report -----------------------------------------------------------------------------------------------------

# What, by what, by which of the two speeds, at least, goal.
RATIOS = [
    ("decant, borrowed", "DuckDB read_ndjson", "CPU", 3, 6),
    ("decant, borrowed", "pyarrow read_json", "CPU", 5, 10),
    ("decant, borrowed", "Polars read_ndjson", "CPU", 5, 10),
    ("decant", "DuckDB read_ndjson", "CPU", 3, 6),
    ("decant", "pyarrow read_json", "CPU", 5, 10),
    ("decant", "Polars read_ndjson", "CPU", 5, 10),
    # How fast DuckDB fills its table is its own.
    ("decant into a DuckDB table", "DuckDB read_ndjson", "CPU", None, None),
    ("decant, borrowed, 2 threads", "decant, borrowed", "time", 1.8, 1.95),
    ("decant, 2 threads", "decant", "time", 1.8, 1.95),
    ("DuckDB read_ndjson, 2 threads", "DuckDB read_ndjson", "time", None, None),
]


def report(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    sizes = list(dict.fromkeys(row[0] for row in rows))
    names = list(dict.fromkeys(row[1] for row in rows))
    found = {(row[0], row[1]): row for row in rows}
    titles = (("MB/s", 2), ("MB/s of CPU time", 3), ("MB of memory", 4), ("MB beyond input and columns", 5),
              ("MB of the largest batch", 6))
    for title, column in titles:
        listed = [name for name in names if any(found.get((size, name), "-" * 8)[column] != "-" for size in sizes)]
        if not listed:
            continue
        print(f"{title + ', bytes an event':<52}" + "".join(f"{size:>8}" for size in sizes))
        for name in listed:
            print(f"{name:<52}" + "".join(
                f"{float(found[size, name][column]):>8.0f}" if (size, name) in found else f"{'-':>8}"
                for size in sizes))
        print()
    print(f"{'ratio':<52}" + "".join(f"{size:>8}" for size in sizes) + f"{'at least':>10}{'goal':>8}")
    for what, by, kind, least, goal in RATIOS:
        column = 3 if kind == "CPU" else 2
        cells = [f"{float(found[size, what][column]) / float(found[size, by][column]):>8.2f}"
                 for size in sizes if (size, what) in found and (size, by) in found]
        if cells:
            print(f"{what + ' / ' + by + ', ' + kind:<52}" + "".join(cells) + f"{least or '-':>10}{goal or '-':>8}")
    for size in sizes:
        ways = [row for row in rows if row[0] == size and row[7] != "-"]
        first = ways[0][7].split(" ")
        for row in ways[1:]:
            for a, b in zip(first, row[7].split(" "), strict=True):
                if a != b:
                    sys.exit(f"{size} bytes: {row[1]} has {b}, {ways[0][1]} has {a}")
        print(f"{size} bytes: the checksums of {len(first) - 1} columns are the same in {len(ways)} ways")


if __name__ == "__main__":
    if sys.argv[1] == "report":
        report(sys.argv[2])
    elif sys.argv[1] == "list":
        print("\n".join(name for name in WAYS
                        if len(sys.argv) < 3 or name in ("decant", "decant, borrowed", "DuckDB read_ndjson")))
    elif sys.argv[1] == "others":
        measure_others(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), *sys.argv[5:])
    else:
        measure(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
