# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# What every worker of a cluster does: cut a file into pieces that begin at lines, and read a piece into batches of
# rows and of rejects, which have the line and the byte that they have in the whole file. Neither depends on the
# engine, nor on which worker runs it: a piece that is read again gives the same batches.

import mmap
import os
import signal
from typing import Literal

import decant
import pyarrow as pa

EVENTS = decant.Schema({
    "id": "int64",
    "kind": Literal["view", "purchase"],
    "user": {"id": "int64", "name": "string?"},
    "score": "double?",
})

PIECE = 64 << 20  # bytes that a task reads at a time
REJECTS = 1000  # of a piece that are told one by one; the rest is counted

PIECES = pa.schema([("file", pa.string()), ("offset", pa.int64()), ("length", pa.int64()), ("line", pa.int64())])


def pieces(path, size=PIECE):
    """The pieces of a file, as rows of PIECES. Line feeds are counted at the speed of the disk."""
    if os.path.getsize(path) == 0:
        return []
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = decant.split(data, (len(data) + size - 1) // size)
    return [{"file": path, "offset": piece.offset, "length": piece.length, "line": piece.first_line} for piece in found]


def plain(field):
    """A field without dictionaries, which not every engine takes, of a struct that may be null."""
    type_ = field.type
    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
    elif pa.types.is_struct(type_):
        type_ = pa.struct([plain(child) for child in type_])
    return field.with_type(type_).with_nullable(True)


def schema():
    """What `read_piece` yields: rows and rejects, of which each line has one."""
    rows = decant.read(b"", EVENTS, line_numbers=True)
    types = [pa.struct([plain(field) for field in pa.schema(stream)]) for stream in (rows, rows.rejects)]
    return pa.schema([("file", pa.string()), ("row", types[0]), ("reject", types[1])])


def read_piece(file, offset, length, line):
    """The batches of a piece, in the order of its lines; first the rows."""
    with open(file, "rb") as input_:
        input_.seek(offset)
        data = input_.read(length)
    out = schema()
    rows = decant.read(data, EVENTS, line_numbers=True, first_line=line, first_offset=offset, rejects=REJECTS)
    for place, stream in enumerate((rows, rows.rejects), 1):
        for batch in stream.reader():
            struct = batch.to_struct_array().cast(out.field(place).type)
            arrays = [pa.repeat(file, len(batch)), pa.nulls(len(batch), out.field(3 - place).type)]
            arrays.insert(place, struct)
            yield pa.RecordBatch.from_arrays(arrays, schema=out)
            die_once()


def die_once():
    """Kills this worker once, if DECANT_KILL names a file that is not there yet: what a test of a cluster asks for."""
    marker = os.environ.get("DECANT_KILL")
    if marker is None:
        return
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def report(rejects):
    """What was wrong where, of a table of rejects and their files: of each kind the number, and the first one."""
    found = {}
    for row in rejects.to_pylist():
        known = found.setdefault((row["file"], row["path"] or "", row["code"]), [0, row])
        known[0] += row["count"]
        if (row["line"] or 1 << 63) < (known[1]["line"] or 1 << 63):
            known[1] = row
    lines = []
    for (file, path, _), (count, first) in sorted(found.items()):
        # Lines that were counted alone have no place.
        place = f"line {first['line']}, byte {first['offset']}" if first["line"] else "somewhere"
        lines.append(f"{os.path.basename(file)}: {count} lines, first at {place}: "
                     f"{path + ': ' if path else ''}{first['message']}")
    return lines
