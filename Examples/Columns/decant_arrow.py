# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Newline-delimited JSON as Arrow streams, from Python: libdecant over ctypes, and PyCapsules, which every library takes
# that knows Arrow. Nothing else is needed.
#
#   rows, rejects = read(schema, data)               of bytes, or of an mmap
#   rows, rejects = read_file(schema, path)          of a file of any size, as batches are asked for
#   pieces = split(data, count)                      for threads and tasks, each with its first line and byte
#
#   pyarrow.RecordBatchReader.from_stream(rows)      polars.DataFrame(rows)      duckdb: SELECT … FROM rows

import ctypes as c
import os

library = c.CDLL(os.environ.get("DECANT_LIBRARY", "libdecant.so"))
library.decant_schema_record.restype = c.c_void_p
library.decant_split_lines.restype = c.c_size_t
LINE, UTF8, BORROW = 1, 2, 4  # DECANT_COLUMNS_…


class Stream(c.Structure):  # struct ArrowArrayStream
    pass


Stream._fields_ = [(name, c.c_void_p) for name in ("get_schema", "get_next", "get_last_error")] + [
    ("release", c.CFUNCTYPE(None, c.POINTER(Stream))), ("private_data", c.c_void_p)]


class Error(c.Structure):  # decant_error
    _fields_ = [("size", c.c_size_t), ("code", c.c_int32), ("error_count", c.c_int32), ("offset", c.c_int64),
                ("line", c.c_int64), ("column", c.c_int64), ("path", c.c_char * 256), ("message", c.c_char * 1024),
                ("details", c.c_char * 2048)]


class Options(c.Structure):  # decant_options
    _fields_ = [("size", c.c_size_t), ("engine", c.c_int32), ("duplicate_keys", c.c_int32),
                ("maximum_depth", c.c_size_t), ("maximum_bytes", c.c_size_t), ("maximum_errors", c.c_size_t),
                ("source_name", c.c_char_p), ("memory", c.c_void_p), ("buffer", c.c_void_p),
                ("buffer_size", c.c_size_t), ("relaxations", c.c_uint32), ("redacts_input", c.c_int32),
                ("first_line", c.c_int64), ("first_offset", c.c_int64), ("batch_rows", c.c_int64),
                ("columns", c.c_uint32), ("reserved", c.c_uint32), ("framing", c.c_int32),
                ("skips_byte_order_mark", c.c_int32), ("elements_at", c.c_char_p)]


class Piece(c.Structure):  # decant_piece
    _fields_ = [("json", c.c_void_p), ("length", c.c_size_t), ("first_line", c.c_int64), ("first_offset", c.c_int64)]


class DecantError(ValueError):
    pass


def call(function, *arguments):
    error = Error(size=c.sizeof(Error))
    if function(*arguments, c.byref(error)) != 0:
        raise DecantError(error.message.decode())


class Schema:
    """What the lines are, as `decant_schema_parse` in decant.h describes it."""

    def __init__(self, description):
        text = description.encode()
        self.pointer = c.c_void_p()
        call(library.decant_schema_parse, text, c.c_size_t(len(text)), None, c.byref(self.pointer))
        self.record = c.c_void_p(library.decant_schema_record(self.pointer))

    def __del__(self):
        library.decant_schema_free(self.pointer)


class Rows:
    """A stream, which is handed out once. What it reads from lives until whoever took it has released it."""

    living = {}

    def __init__(self, *keeps):
        self.stream, self.keeps = Stream(), keeps

    def opened(self):
        # Ours calls the library's release, and then lets go of what was read.
        function = type(self.stream.release)
        theirs, key = function(c.cast(self.stream.release, c.c_void_p).value), object()

        @function
        def release(stream):
            theirs(stream)
            Rows.living.pop(key)

        Rows.living[key] = (self.keeps, release)
        self.stream.release = release
        return self

    def __arrow_c_stream__(self, requested_schema=None):
        new = c.pythonapi.PyCapsule_New
        new.restype, new.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
        return new(c.addressof(self.stream), b"arrow_array_stream", None)

    def __del__(self):
        if self.stream.release:
            self.stream.release(c.byref(self.stream))


def streams(function, schema, arguments, keeps, options):
    settings = Options(size=c.sizeof(Options), **options)
    rows, rejects = Rows(schema, settings, *keeps), Rows(schema, settings, *keeps)
    call(function, schema.record, *arguments, c.byref(settings), c.byref(rows.stream), c.byref(rejects.stream))
    return rows.opened(), rejects.opened()


def address_of(data):
    return c.c_char_p(data) if isinstance(data, bytes) else (c.c_char * len(data)).from_buffer(data)


def split(data, count):
    """At most `count` parts of about the same length that begin at lines: (offset, length, first line) of each."""
    found = (Piece * count)()
    made = library.decant_split_lines(address_of(data), c.c_size_t(len(data)), c.c_size_t(count), found)
    return [(piece.first_offset, piece.length, piece.first_line) for piece in found[:made]]


def read(schema, data, **options):
    """Rows and rejects of bytes, or of what else is writable memory, such as a bytearray or an mmap of a copy."""
    address = address_of(data)
    return streams(library.decant_read_arrow, schema, (address, c.c_size_t(len(data))), (data, address), options)


def read_file(schema, path, **options):
    """Rows and rejects of a file, or of any object with `readinto`, such as a pipe or a decompressor."""
    file = open(path, "rb", buffering=0) if isinstance(path, (str, os.PathLike)) else path

    @c.CFUNCTYPE(c.c_ssize_t, c.c_void_p, c.c_void_p, c.c_size_t)
    def more(_, buffer, capacity):
        try:
            return file.readinto((c.c_char * capacity).from_address(buffer)) or 0
        except OSError as failure:
            return -(failure.errno or 5)

    return streams(library.decant_read_arrow_from, schema, (more, None), (file, more), options)
