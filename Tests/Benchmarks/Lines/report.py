# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Prints the rows of all contenders, and the ratios that are asked for beside their bounds.
#
#   report.py ROWS      rows: size, contender, megabytes a second, tab-separated

import sys

LINES, LARGE = "decant_decode_lines", ", 400 MB"
# What, by what, at which size, at least, goal.
RATIOS = [
    (LINES, "memchr + decant_decode", None, 1.5, 2.5),
    ("decant_lines_feed, 64 KB", LINES, None, 0.9, 0.98),
    ("decant_split_lines, 2 threads", LINES, None, 1.8, 1.95),
    ("elements of an array, 64 KB", "decant_decode_array", None, 0.6, 0.9),
    ("elements of an array, 64 KB", LINES, None, 0.8, 0.95),
    (LINES, "simdjson iterate_many", None, None, None),
    (LINES, "DuckDB read_ndjson", None, 4, 8),
    (LINES + LARGE, "DuckDB read_ndjson" + LARGE, None, 4, 8),
    (LINES, "pyarrow read_json", None, None, None),
    (LINES, "Polars read_ndjson", None, None, None),
    ("JSONLines of JSONDecodable", LINES, None, 0.5, 0.7),
    ("JSONLines of Decodable", "JSONDecoder line by line", None, 10, 15),
    ("JSONLines, 2 threads", "JSONLines of JSONDecodable", None, 1.8, 1.95),
    ("JSONLines, 64 KB chunks", "JSONLines of JSONDecodable", None, 0.9, 0.98),
]

speeds, sizes, names = {}, [], []
with open(sys.argv[1], encoding="utf-8") as rows:
    for row in rows:
        size, name, speed = row.rstrip("\n").split("\t")
        speeds[size, name] = float(speed)
        sizes += [size] if size not in sizes else []
        names += [name] if name not in names else []

print("%-44s" % "megabytes a second, bytes an event" + "".join("%10s" % size for size in sizes))
for name in names:
    cells = ["%10.0f" % speeds[size, name] if (size, name) in speeds else "%10s" % "-" for size in sizes]
    print("%-44s" % name + "".join(cells))
print()
print("%-58s" % "ratio" + "".join("%8s" % size for size in sizes) + "%10s%8s" % ("at least", "goal"))
for what, by, _, least, goal in RATIOS:
    cells = []
    for size in sizes:
        known = (size, what) in speeds and (size, by) in speeds
        cells.append("%8.2f" % (speeds[size, what] / speeds[size, by]) if known else "%8s" % "-")
    if all(cell.strip() == "-" for cell in cells):
        continue
    print("%-58s" % f"{what} / {by}" + "".join(cells) +
          "%10s%8s" % (least if least is not None else "", goal if goal is not None else ""))
