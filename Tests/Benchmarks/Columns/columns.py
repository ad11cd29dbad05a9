# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A file of events into columns that are kept, by the wheel and by what else reads them, with explicit columns: megabytes
# a second of CPU time and of time, the best of all rounds, and how large the process became beyond its columns in its
# first one. The columns of all contenders have the same checksums.
#
#   columns.py CONTENDER SHAPE FILE RUNS       one contender in a process of its own: a row, tab-separated
#   columns.py list [--quick]                  the contenders
#   columns.py report ROWS                     the best of all rows, and the ratios beside their bounds
#   columns.py page ROWS PAGE                  writes ratios into the rows of the page's table that begin with their words
#   columns.py others SIZE FILE RUNS [SUFFIX]  the others that are installed, with one thread each: rows as those of
#                                              Lines/lines.c, with SUFFIX behind their names
#
# A shape is a size of an event, "60", "500" or "5000"; "500t" has the events of 500 bytes with timestamps and decimals.

import hashlib
import os
import platform
import resource
import sys
import time

SCALARS = {name: "int" for name in "itunq"} | {name: "text" for name in "ksp"} | {"v": "real", "o": "bool"}
SMALL = {name: SCALARS[name] for name in "itkusvonpq"}
LARGE = {"id": "int", "time": "text", "kind": "text", "user": {"id": "int", "name": "text"}, "tags": ["text"],
         "values": ["real"], "duration": "real", "ok": "bool", "path": "text", "message": "text"}
TYPED = {**LARGE, "time": "time", "values": ["decimal"], "duration": "decimal"}
SHAPES = {"60": SMALL, "500": LARGE, "500t": TYPED, "5000": LARGE}


# --- Contenders: each returns a function that makes columns of the file, and one that takes them to Arrow ------------


def described(kind, kinds, make_record, make_list):
    if isinstance(kind, dict):
        return make_record({name: described(part, kinds, make_record, make_list) for name, part in kind.items()})
    if isinstance(kind, list):
        return make_list(described(kind[0], kinds, make_record, make_list))
    return kinds[kind]


def decant_way(path, columns, into="arrow", **options):
    import decant
    kinds = {"int": "int64", "text": "string", "real": "double", "bool": "bool", "time": decant.field("time", unit="us"),
             "decimal": "decimal(9, 3)"}
    schema = decant.Schema({name: described(kind, kinds, dict, lambda kind: [kind]) for name, kind in columns.items()})
    if into == "duckdb":
        import duckdb
        connection = duckdb.connect(config={"threads": 1})

        def run():
            rows = decant.read(path, schema, **options)
            connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM rows")

        return run, lambda _: connection.table("events").to_arrow_table()
    return lambda: getattr(decant.read(path, schema, **options), into)(), lambda found: (
        found.to_arrow() if into == "polars" else found)


def duckdb_way(path, columns, threads=1):
    import duckdb
    connection = duckdb.connect(config={"threads": threads})
    kinds = {"int": "BIGINT", "text": "VARCHAR", "real": "DOUBLE", "bool": "BOOLEAN", "time": "TIMESTAMPTZ",
             "decimal": "DECIMAL(9, 3)"}

    def record(parts):
        return "STRUCT(" + ", ".join(f"{name} {part}" for name, part in parts.items()) + ")"

    listed = ", ".join(f"{name}: '{described(kind, kinds, record, lambda kind: kind + '[]')}'"
                       for name, kind in columns.items())

    def run():
        connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM read_ndjson(?, columns = {" + listed + "})",
                           [path])

    return run, lambda _: connection.table("events").to_arrow_table()


def arrow_way(path, columns):
    import pyarrow
    import pyarrow.json
    kinds = {"int": pyarrow.int64(), "text": pyarrow.string(), "real": pyarrow.float64(), "bool": pyarrow.bool_(),
             "time": pyarrow.timestamp("us", "UTC"), "decimal": pyarrow.decimal128(9, 3)}
    schema = pyarrow.schema([(name, described(kind, kinds, lambda parts: pyarrow.struct(list(parts.items())), pyarrow.list_))
                             for name, kind in columns.items()])
    reading = pyarrow.json.ReadOptions(use_threads=False)
    parsing = pyarrow.json.ParseOptions(explicit_schema=schema)
    return lambda: pyarrow.json.read_json(path, read_options=reading, parse_options=parsing), lambda found: found


def polars_way(path, columns):
    import polars
    # Polars makes no decimals of numbers: it reads doubles instead.
    kinds = {"int": polars.Int64, "text": polars.String, "real": polars.Float64, "bool": polars.Boolean,
             "time": polars.Datetime("us", "UTC"), "decimal": polars.Float64}
    schema = {name: described(kind, kinds, polars.Struct, polars.List) for name, kind in columns.items()}
    return lambda: polars.read_ndjson(path, schema=schema), lambda found: found.to_arrow()


WAYS = {
    "decant": decant_way,
    "decant, view": lambda path, columns: decant_way(path, columns, text="view"),
    "decant, 2 threads": lambda path, columns: decant_way(path, columns, threads=2),
    "decant into a DuckDB table": lambda path, columns: decant_way(path, columns, "duckdb"),
    "decant into a frame of Polars": lambda path, columns: decant_way(path, columns, "polars", text="view"),
    "DuckDB read_ndjson": duckdb_way,
    "DuckDB read_ndjson, 2 threads": lambda path, columns: duckdb_way(path, columns, threads=2),
    "pyarrow read_json": arrow_way,
    "Polars read_ndjson": polars_way,
}
QUICK = ("decant", "decant, view", "DuckDB read_ndjson")


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
        elif pyarrow.types.is_timestamp(kind):
            column = column.cast(pyarrow.timestamp("us", "UTC")).cast(pyarrow.int64())
        return [f"{name}:{digest(column)}"]

    def digest(column):
        sum = hashlib.sha256()
        for chunk in column.chunks:
            if pyarrow.types.is_string_view(chunk.type) or pyarrow.types.is_string(chunk.type):
                chunk = chunk.cast(pyarrow.large_string())
            elif pyarrow.types.is_decimal(chunk.type):
                chunk = chunk.cast(pyarrow.decimal128(9, 3))
            if pyarrow.types.is_large_string(chunk.type):
                # The lengths are in a checksum of their own: where chunks end differs.
                _, offsets, text = chunk.buffers()
                offsets = memoryview(offsets).cast("q")
                sum.update(memoryview(text)[offsets[chunk.offset]:offsets[chunk.offset + len(chunk)]] if text else b"")
            else:
                width = chunk.type.bit_width // 8
                sum.update(memoryview(chunk.buffers()[1])[chunk.offset * width:(chunk.offset + len(chunk)) * width])
        is_number = pyarrow.types.is_primitive(column.type) or pyarrow.types.is_decimal(column.type)
        end = "" if is_number else "/" + digest(compute.binary_length(column.cast(pyarrow.large_string())))
        return f"{column.null_count}.{sum.hexdigest()[:12]}{end}"

    return [f"{table.num_rows}"] + [sum for name in table.column_names for sum in of(name, table[name])]


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def prepared(name, shape, path):
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    return WAYS[name](path, SHAPES[shape])


def measure_others(size, path, runs, suffix=""):
    length = os.path.getsize(path)
    for name in ("DuckDB read_ndjson", "pyarrow read_json", "Polars read_ndjson"):
        try:
            run, _ = prepared(name, size, path)
        except ImportError:
            continue
        best = 0
        for _ in range(runs):
            # Seconds of processors: some read ahead in a thread of their own.
            start = time.process_time()
            run()
            best = max(best, length / 1e6 / (time.process_time() - start))
        print(f"{size}\t{name}{suffix}\t{best:.1f}", flush=True)


def measure(name, shape, path, runs):
    length = os.path.getsize(path)
    run, to_arrow = prepared(name, shape, path)
    before = resident()
    best, cpu, beyond = float("inf"), float("inf"), None
    for _ in range(runs):
        found = None
        start, start_cpu = time.perf_counter(), time.process_time()
        found = run()
        best = min(best, time.perf_counter() - start)
        cpu = min(cpu, time.process_time() - start_cpu)
        # Later runs have what malloc kept, too.
        beyond = peak() - before if beyond is None else beyond
    table = to_arrow(found)
    beyond -= table.get_total_buffer_size() / 1e6 if "DuckDB" not in name else 0
    print(f"{shape}\t{name}\t{length / 1e6 / cpu:.1f}\t{length / 1e6 / best:.1f}\t{beyond:.0f}\t{' '.join(checksums(table))}",
          flush=True)


# --- The report -----------------------------------------------------------------------------------------------------

# What, by what, by which of the two speeds, at least, and the words of the page.
RATIOS = [
    ("decant", "DuckDB read_ndjson", "CPU", 4, "DuckDB's `read_ndjson` into a table"),
    ("decant", "pyarrow read_json", "CPU", 6, "pyarrow's `read_json`"),
    ("decant", "Polars read_ndjson", "CPU", 6, "Polars' `read_ndjson`"),
    ("decant, view", "DuckDB read_ndjson", "CPU", 4, None),
    ("decant, view", "pyarrow read_json", "CPU", 6, None),
    ("decant, view", "Polars read_ndjson", "CPU", 6, None),
    # How fast others fill what is theirs is their own.
    ("decant into a DuckDB table", "DuckDB read_ndjson", "CPU", None, None),
    ("decant into a frame of Polars", "Polars read_ndjson", "CPU", None, None),
    ("decant, 2 threads", "decant", "time", 1.7, "two threads over one, by the clock"),
    ("DuckDB read_ndjson, 2 threads", "DuckDB read_ndjson", "time", None, "DuckDB's two threads over one, by the clock"),
]


def processor():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{len(names)} of {names[0]}" if names else platform.machine()


def best_of(path):
    """The shapes, and for each shape and contender its best speeds, its memory and its checksums."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            shape, name, *numbers, sums = line.rstrip("\n").split("\t")
            cpu, wall, beyond = map(float, numbers)
            best = found.setdefault((shape, name), [0, 0, beyond, sums])
            if best[3] != sums:
                sys.exit(f"{shape}: {name} has other checksums in another round")
            best[:3] = max(best[0], cpu), max(best[1], wall), max(best[2], beyond)
    return list(dict.fromkeys(shape for shape, _ in found)), found


def ratios(found, shapes, what, by, kind):
    column = 0 if kind == "CPU" else 1
    return [found[shape, what][column] / found[shape, by][column]
            for shape in shapes if (shape, what) in found and (shape, by) in found]


def write_page(path, page):
    shapes, found = best_of(path)
    if shapes != list(SHAPES):
        sys.exit(f"the page has columns for {', '.join(SHAPES)}, and {path} has {', '.join(shapes)}")
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for what, by, kind, _, words in RATIOS:
        if words is None:
            continue
        places = [at for at, line in enumerate(lines) if line.startswith(f"| {words} |")]
        cells = ratios(found, shapes, what, by, kind)
        if len(places) != 1 or len(cells) != len(shapes):
            sys.exit(f"{page} has {len(places)} rows of {words}, and {path} {len(cells)} of its ratios")
        digits = 1 if kind == "CPU" else 2
        lines[places[0]] = f"| {words} | " + " | ".join(f"{cell:.{digits}f}" for cell in cells) + " |"
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def report(path):
    shapes, found = best_of(path)
    names = [name for name in WAYS if any((shape, name) in found for shape in shapes)]
    print(f"Linux {platform.release()}, {processor()}, kernel {os.environ.get('DECANT_KERNEL', 'of the processor')}, load "
          f"{os.getloadavg()[0]:.1f}")
    print(", ".join(f"{name} {__import__(name).__version__}" for name in ("decant", "duckdb", "pyarrow", "polars")))
    for title, column in (("MB/s of CPU time", 0), ("MB/s", 1), ("MB beyond columns", 2)):
        print(f"\n{title + ', bytes an event':<52}" + "".join(f"{shape:>8}" for shape in shapes))
        for name in names:
            if column < 2 or "DuckDB" not in name:
                print(f"{name:<52}" + "".join(
                    f"{found[shape, name][column]:>8.0f}" if (shape, name) in found else f"{'-':>8}" for shape in shapes))
    print(f"\n{'ratio':<52}" + "".join(f"{shape:>8}" for shape in shapes) + f"{'at least':>10}")
    for what, by, kind, least, _ in RATIOS:
        cells = "".join(f"{cell:>8.2f}" for cell in ratios(found, shapes, what, by, kind))
        if cells:
            print(f"{what + ' / ' + by + ', ' + kind:<52}{cells}{least or '-':>10}")
    print("500t: the events of 500 bytes, with a timestamp, a decimal and a list of decimals; Polars makes doubles of those")
    for shape in shapes:
        first = found[shape, names[0]][3].split(" ")
        for name in names[1:]:
            for a, b in zip(first, found[shape, name][3].split(" "), strict=True):
                if a != b and not (name == "Polars read_ndjson" and shape == "500t" and
                                   a.startswith(("duration:", "values[]:"))):
                    sys.exit(f"{shape} bytes: {name} has {b}, {names[0]} has {a}")
        print(f"{shape}: the checksums of {len(first) - 1} columns are the same in {len(names)} ways")


if __name__ == "__main__":
    if sys.argv[1] == "report":
        report(sys.argv[2])
    elif sys.argv[1] == "page":
        write_page(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "list":
        print("\n".join(QUICK if sys.argv[2:] == ["--quick"] else WAYS))
    elif sys.argv[1] == "others":
        measure_others(sys.argv[2], sys.argv[3], int(sys.argv[4]), *sys.argv[5:])
    else:
        measure(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
