# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# decant_read_arrow() for Python, over ctypes: tables as nested lists, and both streams as objects that every consumer
# of the Arrow PyCapsule interface takes. For tables that descriptions do not have; the package for Python is in Sources/Python.

import ctypes as c
import os

library = c.CDLL(os.environ["DECANT_LIBRARY"])
library.decant_split_lines.restype = c.c_size_t
LINE, UTF8, BORROW = 1, 2, 4  # DECANT_COLUMNS_…
KINDS = ("BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FLOAT DOUBLE STRING TEXT CHARS ENUM FLAGS RAW KIND "
         "RECORD RECORD_POINTER ARRAY FIXED_ARRAY MAP KEY").split()
for number, name in enumerate(KINDS, 1):
    globals()[name] = number
OPTIONAL, DEFAULT, POINTER, FROM_TEXT = 1, 2, 4, 8
WIDTHS = dict(zip(range(1, 25), (1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16, 0, 4, 4, 8, 4, 0, 8, 8, 0, 8, 8)))


class Stream(c.Structure):  # struct ArrowArrayStream
    pass


Stream._fields_ = [(name, c.c_void_p) for name in ("get_schema", "get_next", "get_last_error")] + [
    ("release", c.CFUNCTYPE(None, c.POINTER(Stream))), ("private_data", c.c_void_p)]


class Error(c.Structure):  # decant_error
    _fields_ = [("size", c.c_size_t), ("code", c.c_int32), ("error_count", c.c_int32), ("offset", c.c_int64),
                ("line", c.c_int64), ("column", c.c_int64), ("path", c.c_char * 256), ("message", c.c_char * 1024),
                ("details", c.c_char * 2048)]


class Options(c.Structure):  # decant_options, up to the last member that is used here
    _fields_ = [("size", c.c_size_t), ("engine", c.c_int32), ("duplicate_keys", c.c_int32),
                ("maximum_depth", c.c_size_t), ("maximum_bytes", c.c_size_t), ("maximum_errors", c.c_size_t),
                ("source_name", c.c_char_p), ("memory", c.c_void_p), ("buffer", c.c_void_p),
                ("buffer_size", c.c_size_t), ("relaxations", c.c_uint32), ("redacts_input", c.c_int32),
                ("first_line", c.c_int64), ("first_offset", c.c_int64), ("batch_rows", c.c_int64),
                ("columns", c.c_uint32), ("rejects_unknown", c.c_int32), ("framing", c.c_int32),
                ("skips_byte_order_mark", c.c_int32), ("elements_at", c.c_char_p),
                ("release", c.c_void_p), ("release_context", c.c_void_p), ("maximum_memory", c.c_size_t),
                ("maximum_rejects", c.c_size_t), ("pretty", c.c_int32), ("tells_left_out", c.c_int32),
                ("maximum_rows", c.c_int64)]


class Piece(c.Structure):  # decant_piece
    _fields_ = [("json", c.c_void_p), ("length", c.c_size_t), ("first_line", c.c_int64), ("first_offset", c.c_int64)]


class Name(c.Structure):
    _fields_ = [("name", c.c_char_p), ("value", c.c_int64)]


class Bounds(c.Structure):
    _fields_ = [("minimum", c.c_int64), ("maximum", c.c_int64), ("least", c.c_double), ("most", c.c_double),
                ("shortest", c.c_size_t), ("longest", c.c_size_t), ("ends", c.c_uint32), ("reserved", c.c_uint32)]


class Record(c.Structure):
    pass


class Field(c.Structure):
    _fields_ = [("key", c.c_char_p), ("key_length", c.c_uint32), ("kind", c.c_uint16), ("element", c.c_uint16),
                ("flags", c.c_uint32), ("length_kind", c.c_uint16), ("scale", c.c_uint16),
                ("offset", c.c_uint32), ("length_offset", c.c_uint32), ("presence_offset", c.c_uint32),
                ("capacity", c.c_uint32),
                ("record", c.POINTER(Record)), ("names", c.POINTER(Name)), ("bounds", c.POINTER(Bounds)),
                ("default_value", c.c_void_p), ("column", c.c_char_p), ("other_keys", c.c_void_p),
                ("member", c.c_char_p), ("zone", c.c_char_p), ("null_texts", c.c_void_p),
                ("records", c.c_void_p), ("extent", c.c_uint32), ("left_out_offset", c.c_uint32),
                ("conversion", c.c_void_p)]


Record._fields_ = [("size", c.c_size_t), ("fields", c.POINTER(Field)), ("field_count", c.c_size_t),
                   ("storage_offset", c.c_size_t), ("field_size", c.c_uint32), ("flags", c.c_uint32),
                   ("defaults", c.c_void_p)]


class Table:
    """A decant_record of fields (key, kind, {flags, element, record, names, capacity, counted, bounds, default})."""

    def __init__(self, fields):
        self.fields = (Field * max(len(fields), 1))()
        self.kept = []
        offset = 0
        for field, (key, kind, more) in zip(self.fields, fields):
            offset = (offset + 7) & ~7
            field.key, field.kind, field.offset = key.encode(), kind, offset
            field.flags, field.element = more.get("flags", 0), more.get("element", 0)
            field.capacity = more.get("capacity", 0)
            width = WIDTHS[kind]
            if "record" in more:
                table = Table(more["record"])
                self.kept.append(table)
                field.record = c.pointer(table.record)
                if kind == RECORD:
                    width = table.record.size
            if kind == CHARS:
                width = field.capacity
            if kind == FIXED_ARRAY:
                inner = table.record.size if field.element == RECORD else WIDTHS[field.element]
                width = inner * field.capacity
            if "names" in more:
                names = (Name * (len(more["names"]) + 1))(*[(n.encode(), v) for n, v in more["names"]])
                self.kept.append(names)
                field.names = names
            if "bounds" in more:
                field.bounds = c.pointer(Bounds(*more["bounds"]))
                self.kept.append(field.bounds)
            if "default" in more:
                value = more["default"]
                field.flags |= DEFAULT
                if isinstance(value, str):
                    value = c.create_string_buffer(value.encode())
                self.kept.append(value)
                field.default_value = c.cast(c.pointer(value), c.c_void_p)
            offset += width
            if more.get("counted") or kind in (ARRAY, MAP):
                offset = (offset + 7) & ~7
                field.length_offset = offset
                offset += 8
        offset = (offset + 7) & ~7
        self.record = Record(max(offset, 8), self.fields, len(fields), 0, c.sizeof(Field))


class Rows:
    """A stream, handed out once: to pyarrow, Polars, DuckDB or pandas."""

    def __init__(self, keeps):
        self.stream = Stream()
        self.keeps = keeps

    def __arrow_c_stream__(self, requested_schema=None):
        new = c.pythonapi.PyCapsule_New
        new.restype, new.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
        # The capsule's consumer moves the stream out of it.
        self.capsule = new(c.addressof(self.stream), b"arrow_array_stream", None)
        return self.capsule

    def __del__(self):
        if self.stream.release:
            self.stream.release(c.byref(self.stream))


class Failure(Exception):
    pass


def read(table, data, length=None, **options):
    """Both streams of newline-delimited JSON: of bytes, or of `length` bytes at an address."""
    settings = Options(size=c.sizeof(Options), **options)
    error = Error(size=c.sizeof(Error))
    keeps = (table, data, settings)
    rows, rejects = Rows(keeps), Rows(keeps)
    length = len(data) if length is None else length
    status = library.decant_read_arrow(
        c.byref(table.record), c.c_char_p(data) if isinstance(data, bytes) else c.c_void_p(data), c.c_size_t(length),
        c.byref(settings), c.byref(rows.stream), c.byref(rejects.stream), c.byref(error))
    if status != 0:
        raise Failure(status, error.message.decode())
    return rows, rejects
