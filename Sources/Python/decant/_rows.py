# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Reading: sources, options, and the streams of rows and rejects."""

from __future__ import annotations

import glob
import os
import stat
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from . import _decant
from ._schema import Schema

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]
    import polars
    import pyarrow  # type: ignore[import-untyped,unused-ignore]

Framing = Literal["lines", "records", "documents"]
DuplicateKeys = Literal["first", "last", "refuse"]
Relaxation = Literal["comments", "trailing_commas", "non_finite_numbers", "byte_order_mark", "lone_surrogates"]
Text = Literal["view", "utf8"]

_FRAMINGS = {"lines": 0, "records": 1, "documents": 2}
_DUPLICATES = {"first": 0, "last": 1, "refuse": 2}
_RELAXATIONS = {"comments": 1, "trailing_commas": 2, "non_finite_numbers": 4, "byte_order_mark": 8, "lone_surrogates": 16}
_TEXTS = {"view": 0, "utf8": 2}
_LINE = 1
_CHUNK = 1 << 20
Result = TypeVar("Result")


def read(
    source: Any, schema: Any, *, rejects: int | None = None, threads: int | None = None, batch_rows: int | None = None,
    framing: Framing = "lines", elements: str | None = None, line_numbers: bool = False, file_names: bool = False,
    text: Text | None = None, null_texts: Iterable[str] = (), duplicate_keys: DuplicateKeys = "first",
    relaxed: Relaxation | Iterable[Relaxation] = (), rejects_unknown: bool = False, redacts_input: bool = False,
    maximum_bytes: int | None = None, maximum_memory: int | None = None, maximum_depth: int | None = None,
    first_line: int = 1, first_offset: int = 0, columns: Iterable[str] | None = None, limit: int | None = None,
) -> Rows:
    """Reads a stream of JSON documents as Arrow columns. Lines that do not fit the schema become rejects.

        rows = decant.read("events.ndjson", {"id": "int64", "name": "string?"})
        table = rows.arrow()                            # or polars(), pandas(), or DuckDB: SELECT * FROM rows
        for reject in rows.rejects:
            print(reject.line, reject.path, reject.message)

    source: one of
        a path: .gz, .bz2, .xz and .zst are decompressed; under other names, gzip and Zstandard are recognized by their
            first bytes
        a pattern such as "logs/*.gz", or a list of paths: the files are read in order, and rejects have a column `file`
        a file descriptor
        bytes or another buffer, which must not change while it is read
        a file object
        an iterable of chunks, bytes or text, cut anywhere
        Paths and descriptors are read without the GIL.
    schema: a `Schema`, or an argument of `Schema`.

    rejects: the number of bad lines that are reported one by one, for each file; 65,536 by default. The others are
        counted in one last row.
    threads: the number of threads that read lines; by default one, the consumer's. With more, the rows and rejects and
        their order are the same. Threads read parts of 4 MiB; up to three parts for each thread are in memory.
        Documents, elements and reads with a limit have one thread: the end of an element is known only after all
        brackets before it. After fork(), the child process cannot continue reading.
    batch_rows: the most rows of a batch; by default 65,536, or as many as 8 MiB of lines have.
    framing: how rows are separated: "lines"; "records" (RFC 7464); "documents", one after another.
    elements: a JSON Pointer. The source is one document, and the rows are the elements of the array at the pointer.
    line_numbers: adds a last column `_line`, the line number of the row.
    file_names: with many files, adds a last column `_file`.
    text: "utf8", or "view" for Arrow's string_view, which is a little faster, but not supported by every consumer. The
        default is "utf8", or "view" if a pyarrow.Schema has string_view.
    null_texts: strings that count as null, such as "" and "NA", in every field that may be null; for one field, use
        `field()`.
    duplicate_keys: which of several members with the same key counts: "first", "last", or "refuse".
    relaxed: extensions of RFC 8259 that are accepted: "comments", "trailing_commas", "non_finite_numbers",
        "byte_order_mark", "lone_surrogates". A byte order mark at the beginning of the source is always accepted.
    rejects_unknown: rows with members that the schema does not name are rejects, which name the nearest key.
    redacts_input: rejects contain no text of the input.
    maximum_bytes, maximum_depth: limits for a row. A row beyond a limit is a reject.
    maximum_memory: the most bytes that the columns of a batch take; by default 64 times the bytes of its rows, and at
        least 128 MiB. A batch ends before it would exceed the limit. A row that exceeds it alone is a reject.
    first_line, first_offset: the place of the first byte, if the source is a part of a longer stream.
    columns: the names of the columns to read, in the schema's order; all by default. Other columns are not decoded: a
        line is a row if it is JSON and these columns are valid.
    limit: the most rows. The rejects are those of the lines before the last row.

    Returns at once. Batches are read once, when a consumer requests them. The methods of `Rows` raise the exceptions of
    the source unchanged. Other consumers raise their own exception with its text, and `Rows.failure` is the original;
    Ctrl-C is KeyboardInterrupt everywhere.

    Raises DecantError for an invalid schema, OSError for a path that cannot be opened, TypeError and ValueError for
    invalid arguments. Time is linear in the source. Memory holds one batch, 1 MiB of the source, and the rejects that
    were not read.
    """
    parsed = schema if isinstance(schema, Schema) and not null_texts else Schema(schema, null_texts=null_texts)
    if columns is not None:
        if rejects_unknown:
            raise ValueError("with rejects_unknown, all columns are read")
        parsed = parsed._only(columns)
    flags = _choice("text", ("view" if parsed._is_view else "utf8") if text is None else text, _TEXTS)
    if line_numbers:
        flags |= _LINE
    if elements is not None and not isinstance(elements, str):
        raise TypeError(f"elements is a JSON Pointer, not {type(elements).__name__}")
    relaxations = 0
    for name in (relaxed,) if isinstance(relaxed, str) else relaxed:
        relaxations |= _choice("relaxed", name, _RELAXATIONS)
    settings: dict[str, Any] = dict(
        rejects=_number("rejects", rejects), batch_rows=_number("batch_rows", batch_rows), columns=flags,
        framing=_choice("framing", framing, _FRAMINGS), elements=elements,
        maximum_bytes=_number("maximum_bytes", maximum_bytes), maximum_memory=_number("maximum_memory", maximum_memory),
        maximum_depth=_number("maximum_depth", maximum_depth),
        duplicate_keys=_choice("duplicate_keys", duplicate_keys, _DUPLICATES), relaxations=relaxations,
        skips_byte_order_mark=1, rejects_unknown=int(bool(rejects_unknown)), redacts=int(bool(redacts_input)),
        first_line=_number("first_line", first_line),
        first_offset=_number("first_offset", first_offset, least=0), limit=_number("limit", limit))
    settings["threads"] = _number("threads", threads)
    if framing == "documents" or elements is not None or limit is not None:
        settings["threads"] = 0
    paths = _paths(source)
    if paths is not None:
        if (first_line, first_offset) != (1, 0):
            raise ValueError("first_line and first_offset are of one source")
        if file_names and "_file" in parsed._names:
            raise ValueError("file_names: the schema has a column '_file', too")
        return _Files(paths, parsed, settings, bool(file_names)).streams()
    if file_names:
        raise ValueError("file_names is for many files: a pattern, or a list of paths")
    with _Opened(source) as opened:
        return Rows(*_decant.read(parsed._handle, opened, **settings))


def split(buffer: Any, count: int) -> list[Piece]:
    """Splits a buffer into at most `count` pieces of whole lines and about equal length, for threads or cluster tasks.

    Read a piece by `read(buffer[piece.offset:piece.offset + piece.length], …, first_line=piece.first_line,
    first_offset=piece.offset)`. Its rows and rejects are the same as in the whole buffer. Time is linear in the buffer, at
    the speed of memory.
    """
    return [Piece(*piece) for piece in _decant.split(buffer, count)]


class Piece(NamedTuple):
    """A piece of a buffer: the offset of its first byte, its length in bytes, and the number of its first line."""

    offset: int
    length: int
    first_line: int


@dataclass(frozen=True, slots=True)
class Reject:
    """A line without a row, and the reason."""

    line: int | None  #: from 1; None for the last row, which counts the lines that are not reported one by one
    line_offset: int | None  #: the offset of the line's first byte
    offset: int | None  #: the offset of the first offending byte, if known
    path: str | None  #: the JSON Pointer of the invalid value
    code: int  #: a decant_status of decant.h
    message: str
    text: str | None  #: the line's first 1,024 bytes
    count: int  #: the number of lines: 1 if `line` is not None
    file: str | None = None  #: the line's file, if the source has many

    @property
    def column(self) -> int | None:
        """The column of the first offending byte, in characters from 1; None if `text` ends before it."""
        if self.offset is None or self.line_offset is None or self.text is None:
            return None
        before = self.text.encode()[: self.offset - self.line_offset]
        return len(before.decode(errors="ignore")) + 1


class Batch:
    """Some rows. Any consumer of the Arrow PyCapsule interface can take them once: `pyarrow.record_batch(batch)`."""

    __slots__ = ("_schema", "_array")

    def __init__(self, schema: object, array: object) -> None:
        self._schema, self._array = schema, array

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        if self._array is None:
            raise ValueError("the batch was handed out before")
        schema, array, self._schema, self._array = self._schema, self._array, None, None
        return schema, array


class _Stream:
    __slots__ = ("_stream", "_is_ended", "__weakref__")

    def __init__(self, stream: _decant.Stream) -> None:
        self._stream, self._is_ended = stream, False

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hands the stream to a consumer, once."""
        self._check_unread()
        return self._stream.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._stream.__arrow_c_schema__()

    @property
    def failure(self) -> BaseException | None:
        """The exception of the source, or None. The complete rows before it were returned."""
        return self._stream.failure

    def close(self) -> None:
        """Drops the rest of the stream. Does nothing if a consumer has taken the stream."""
        self._stream.close()

    def batches(self) -> Iterator[Batch]:
        """Yields the remaining batches. Raises the exceptions of the source unchanged."""
        for array in self._arrays():
            yield Batch(self._stream.__arrow_c_schema__(), array)

    def _arrays(self) -> Iterator[object]:
        self._check_unread()
        while (array := self._stream.read_batch()) is not None:
            yield array
        self._is_ended = True

    def _check_unread(self) -> None:
        """Raises ValueError if the stream was read to its end: no rows would look like an empty source."""
        if self._is_ended:
            raise ValueError("the stream was read to its end before, and is read once: call decant.read() again, or keep what was "
                             "read, such as in arrow()")

    def reader(self) -> pyarrow.RecordBatchReader:
        """Returns a pyarrow reader, which raises the exceptions of the source unchanged."""
        import pyarrow

        self._check_unread()
        return pyarrow.RecordBatchReader.from_batches(
            pyarrow.schema(self), (pyarrow.record_batch(batch) for batch in self.batches()))

    def arrow(self) -> pyarrow.Table:
        """Reads the rest as a pyarrow Table."""
        return self._consumed(lambda stream: stream.reader().read_all())

    def polars(self) -> polars.DataFrame:
        """Reads the rest as a Polars DataFrame."""
        import polars

        return self._consumed(polars.DataFrame)

    def pandas(self) -> pandas.DataFrame:
        """Reads the rest as a pandas DataFrame, through pyarrow."""
        return self.arrow().to_pandas()

    def _consumed(self, consumer: Callable[[Any], Result]) -> Result:
        self._stream.catch_failure()
        try:
            return consumer(self)
        except BaseException:
            if self.failure is not None:
                raise self.failure from None
            raise


class Rejects(_Stream):
    """The lines that have no row, in order. Read them after the rows; otherwise the rows are buffered in memory.

    Iteration yields `Reject` objects. As Arrow columns, the rejects have the attributes of `Reject`: `line`, `line_offset`,
    `offset`, `path`, `code`, `message`, `text` and `count`.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[Reject]:
        for batch in self._arrays():
            for row in _decant.tuples_of_rejects(batch):
                yield Reject(*row)


class Rows(_Stream):
    """The rows of a stream, which are read when a consumer requests them. Iteration yields batches."""

    __slots__ = ("rejects",)

    rejects: Rejects  #: the lines that have no row

    def __init__(self, rows: _decant.Stream, rejects: _decant.Stream) -> None:
        super().__init__(rows)
        self.rejects = Rejects(rejects)

    def __iter__(self) -> Iterator[Batch]:
        return self.batches()

    def close(self) -> None:
        """Drops the remaining rows and rejects. Does nothing to a stream that a consumer has taken."""
        super().close()
        self.rejects.close()

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# --- Arguments ---------------------------------------------------------------------------------------------------

def _choice(name: str, value: Any, choices: Mapping[str, int]) -> int:
    if not isinstance(value, str):
        raise TypeError(f"{name} is one of {', '.join(map(repr, choices))}, not {type(value).__name__}")
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(map(repr, choices))}, not {value!r}")
    return choices[value]


def _number(name: str, value: int | None, least: int = 1) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}")
    number = value.__index__()
    if not least <= number < 1 << 63:
        raise ValueError(f"{name} is {least} or more, not {number}")
    return number


# --- Many files --------------------------------------------------------------------------------------------------

def _paths(source: Any) -> list[str] | None:
    """The files of a pattern or of a list of paths; None for other sources."""
    if isinstance(source, (list, tuple)) and not source:
        raise ValueError("the source is an empty list, of neither paths nor chunks")
    if isinstance(source, (list, tuple)) and source and all(isinstance(path, (str, os.PathLike)) for path in source):
        paths = [os.fsdecode(path) for path in source]
        for path in paths:
            os.stat(path)
        return paths
    if isinstance(source, str) and source[:1] in ("{", "[") and not os.path.lexists(source):
        raise ValueError("a str is a path; text is read from text.encode()")
    if isinstance(source, (str, os.PathLike)):
        pattern = os.fsdecode(source)
        if glob.has_magic(pattern) and not os.path.lexists(pattern):
            paths = sorted(path for path in glob.glob(pattern, recursive=True) if not os.path.isdir(path))
            if not paths:
                raise FileNotFoundError(2, "no file matches the pattern", pattern)
            return paths
    return None


class _File:
    """One of many files: its streams of rows and rejects, and the batches that are kept in memory."""

    def __init__(self, path: str, streams: tuple[_decant.Stream, _decant.Stream]) -> None:
        #: Valid UTF-8, as a column of text needs it.
        self.name, self.streams = os.fsencode(path).decode(errors="replace"), streams
        #: The remaining batches of a side, if the other side has closed the file.
        self.batches: list[deque[object] | None] = [None, None]

    def read_batch(self, side: int) -> object | None:
        kept = self.batches[side]
        if kept is None:
            return self.streams[side].read_batch()
        return kept.popleft() if kept else None


class _Side:
    """The batches of rows (0) or of rejects (1) of all files."""

    def __init__(self, files: _Files, side: int) -> None:
        self.files, self.side = files, side
        self.file: _File | None = None
        self.names = files.names_rows or side == 1

    def __iter__(self) -> _Side:
        return self

    def __next__(self) -> object:
        while True:
            if self.file is None:
                self.file = self.files.next(self.side)
                if self.file is None:
                    raise StopIteration
            file, side = self.file, self.side
            batch = file.read_batch(side) if side == 1 or self.files.left != 0 else None
            if batch is not None:
                if side == 0 and self.files.left is not None:
                    self.files.left -= _decant.cut(batch, self.files.left)
                return _decant.add_text(batch, file.name) if self.names else batch
            file.streams[side].close()
            self.files.leave(file, side)
            self.file = None


class _Files:
    """The files of a source, opened in order by the side that reaches a file first. When one side has read a file, the other
    side's batches are moved to memory, so that the file can be closed."""

    def __init__(self, paths: list[str], schema: Schema, settings: dict[str, Any], names_rows: bool) -> None:
        self.paths, self.schema, self.settings, self.names_rows = iter(paths), schema, settings, names_rows
        self.lock = threading.Lock()
        #: The number of rows that may still be returned; None without a limit.
        self.left: int | None = settings["limit"] or None
        self.waiting: tuple[deque[_File], deque[_File]] = (deque(), deque())
        self.sides: list[Callable[[], _Side | None]] = []

    def streams(self) -> Rows:
        sides = [_Side(self, 0), _Side(self, 1)]
        self.sides = [weakref.ref(side) for side in sides]
        made = [_decant.iterate(side, self.schema_of(place)) for place, side in enumerate(sides)]
        return Rows(made[0], made[1])

    def schema_of(self, side: int) -> Callable[[], object]:
        streams = _decant.read(self.schema._handle, b"", **self.settings)
        names = self.names_rows or side == 1

        def make() -> object:
            schema = streams[side].__arrow_c_schema__()
            return _decant.add_column(schema, side == 0) if names else schema

        return make

    def next(self, side: int) -> _File | None:
        with self.lock:
            if self.waiting[side]:
                return self.waiting[side].popleft()
            path = next(self.paths, None) if self.left != 0 else None
            if path is None:
                return None
            settings = {**self.settings, "limit": self.left or 0}
            with _Opened(path) as opened:
                file = _File(path, _decant.read(self.schema._handle, opened, **settings))
            if self.sides[1 - side]() is not None:
                self.waiting[1 - side].append(file)
            else:
                file.streams[1 - side].close()
            return file

    def leave(self, file: _File, side: int) -> None:
        """Ends one side's reading of a file. If the other side has not begun with the file, its batches are kept."""
        other = 1 - side
        with self.lock:
            if file not in self.waiting[other]:
                return
            if self.sides[other]() is None:
                self.waiting[other].remove(file)
            else:
                kept: deque[object] = deque()
                while (batch := file.streams[other].read_batch()) is not None:
                    kept.append(batch)
                file.batches[other] = kept
        file.streams[other].close()


# --- Sources -----------------------------------------------------------------------------------------------------

class _Opened:
    """A source as the C half accepts it: a buffer, a function, or a descriptor with the form that the file's name says. The C
    half duplicates the descriptor."""

    def __init__(self, source: Any) -> None:
        self.source, self.descriptor = source, -1

    def __enter__(self) -> Any:
        source = self.source
        if isinstance(source, (str, os.PathLike)):
            return self.open_path(os.fspath(source))
        if isinstance(source, int) and not isinstance(source, bool):
            os.fstat(source)
            return (source, 0, None)
        # First: a mapping has a read(), too, which would go on where the last one ended.
        try:
            return memoryview(source)
        except TypeError:
            pass
        if hasattr(source, "readinto"):
            return _FromReadinto(source.readinto)
        if hasattr(source, "read"):
            return _FromChunks(iter(lambda: source.read(_CHUNK), None)).pull
        if not hasattr(source, "__iter__") or isinstance(source, Mapping):
            raise TypeError(f"a source is a path, a descriptor, a buffer, a file or an iterable of chunks, not "
                            f"{type(source).__name__}")
        return _FromChunks(iter(source), skips_empty=True).pull

    def open_path(self, path: str | bytes) -> Any:
        suffix = os.path.splitext(os.fsdecode(path))[1].lower()
        form = _FORMS.get(suffix, 0)
        decompress = _DECOMPRESSORS.get(suffix)
        if decompress is not None and not (form and _decant.can_decompress(form)):
            return _FromReadinto(decompress(path).readinto, os.fsdecode(path))
        self.descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        if stat.S_ISDIR(os.fstat(self.descriptor).st_mode):
            self.__exit__()
            raise IsADirectoryError(21, os.strerror(21), path)
        return (self.descriptor, form, os.fsdecode(path))

    def __exit__(self, *_: object) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


class _FromReadinto:
    """Reads a file object into a buffer of this object: a file object that keeps the buffer does no harm. Errors of a file
    that was opened here name the file."""

    __slots__ = ("readinto", "buffer", "name")

    def __init__(self, readinto: Callable[[memoryview], int | None], name: str | None = None) -> None:
        self.readinto, self.buffer, self.name = readinto, bytearray(_CHUNK), name

    def __call__(self, most: int) -> memoryview:
        part = memoryview(self.buffer)[: min(most, _CHUNK)]
        try:
            count = self.readinto(part)
        except Exception as error:
            if self.name is None or len(error.args) != 1:
                raise
            error.args = (f"{self.name}: {error}",)
            raise
        if count is None:
            raise BlockingIOError("the source has no bytes yet: it is not blocking")
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"readinto() of the source returned {type(count).__name__}, not a number")
        if not 0 <= count <= len(part):
            raise ValueError(f"readinto() of the source returned {count} for a buffer of {len(part)} bytes")
        return part[:count]


class _FromChunks:
    """Reads from chunks of any length. An empty chunk of an iterable is skipped; an empty result of read() ends the file."""

    __slots__ = ("chunks", "rest", "skips_empty")

    def __init__(self, chunks: Iterator[Any], skips_empty: bool = False) -> None:
        self.chunks, self.rest, self.skips_empty = chunks, memoryview(b""), skips_empty

    def pull(self, most: int) -> memoryview:
        while not self.rest:
            try:
                chunk = next(self.chunks)
            except StopIteration:
                return self.rest
            if isinstance(chunk, str):
                chunk = chunk.encode()
            try:
                self.rest = memoryview(chunk).cast("B")
            except TypeError:
                hint = "; many files are a list of paths" if isinstance(chunk, os.PathLike) else ""
                raise TypeError(f"a chunk of the source is {type(chunk).__name__}, not bytes or text{hint}") from None
            if not self.rest and not self.skips_empty:
                break
        part, self.rest = self.rest[:most], self.rest[most:]
        return part


def _bz2(path: str | bytes) -> Any:
    import bz2

    return bz2.open(path, "rb")


def _xz(path: str | bytes) -> Any:
    import lzma

    return lzma.open(path, "rb")


def _zstd(path: str | bytes) -> Any:
    try:
        from compression import zstd  # type: ignore  # from Python 3.14 on

        return zstd.open(path, "rb")
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore
    except ImportError:
        raise ImportError("a .zst file needs libzstd, Python 3.14, or the package zstandard") from None
    return zstandard.open(path, "rb")


#: Forms that the C half decompresses, Zstandard if it was built with libzstd. Otherwise Python does.
_FORMS = {".gz": 1, ".zst": 2}
_DECOMPRESSORS: dict[str, Callable[[str | bytes], Any]] = {".bz2": _bz2, ".xz": _xz, ".zst": _zstd}
