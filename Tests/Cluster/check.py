# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# What a cluster wrote, against what Python's json says of the same files: every good line is a row, once; every bad
# line is a reject, once, with its line and byte in its file.
#
#   check.py INPUT OUTPUT

import glob
import json
import os
import sys

import pyarrow.parquet


def main(input_, output):
    rows, rejects = {}, {}
    for file in glob.glob(os.path.join(os.path.abspath(input_), "*.ndjson")):
        offset = 0
        with open(file, "rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = json.loads(line)
                    if isinstance(row["score"], str):
                        raise ValueError
                    rows[file, number] = row
                except ValueError:
                    rejects[file, number] = (offset, line.rstrip(b"\n").decode())
                offset += len(line)
    found_rows, found_rejects = {}, {}
    for row in pyarrow.parquet.read_table(os.path.join(output, "events")).to_pylist():
        file, row, reject = row["file"], row["row"], row["reject"]
        assert (row is None) != (reject is None), "a row or a reject"
        if row is not None:
            key, found, value = (file, row.pop("_line")), found_rows, row
        else:
            key, found = (file, reject["line"]), found_rejects
            value = (reject["line_offset"], reject["text"])
            assert reject["count"] == 1 and reject["offset"] >= value[0], reject
        assert key not in found, f"{key} comes twice"
        found[key] = value
    assert found_rows == rows, f"{len(found_rows)} rows, not the {len(rows)} of the input"
    assert found_rejects == rejects, f"{len(found_rejects)} rejects, not the {len(rejects)} of the input"
    print(f"{len(rows)} rows and {len(rejects)} rejects")


main(*sys.argv[1:])
