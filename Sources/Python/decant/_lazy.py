# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Lazy sources: each query reads the source again, with the columns that it needs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ._rows import Batch, Rejects, read
from ._schema import Schema

if TYPE_CHECKING:
    import polars
    import pyarrow.dataset  # type: ignore[import-untyped,unused-ignore]


class RejectWarning(UserWarning):
    """Some lines have no row, and the query passed no `rejects_to`."""


def scan_polars(
    source: Any, schema: Any, *, rejects_to: Callable[[Rejects], object] | None = None, whole_rows: bool = True,
    **options: Any,
) -> polars.LazyFrame:
    """Returns a Polars LazyFrame. Each query reads the source again, batch by batch.

        frame = decant.scan_polars("logs/*.ndjson.gz", {"id": "int64", "score": "double?"})
        frame.filter(polars.col("score") > 0.5).group_by("id").len().collect()

    The filters of a query are applied to each batch. Reading ends at the limit of a query that does not sort.

    source, schema, options: as in `read`. Sources that can be read only once (file objects, descriptors, iterables)
    raise TypeError.
    whole_rows: if True, all queries have the same rows: the lines that are valid in every column of the schema. So a
    count is that of `SELECT *`. If False, only the columns of the query are decoded, which is faster; a line that is
    wrong only in other columns is a row.
    rejects_to: called with the rejects of each query, up to the end of reading. It is not called if Polars drops the
    query before. Without it, a RejectWarning says how many lines have no row, and which is the first.
    """
    import polars
    from polars.io.plugins import register_io_source

    lazy = _Lazy(source, schema, rejects_to, whole_rows, options)
    with lazy.read() as rows:
        columns = polars.Schema(rows)  # type: ignore[arg-type,unused-ignore]

    def batches(
        with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        if n_rows == 0:
            return
        needed = None if not with_columns else [*with_columns, *(predicate.meta.root_names() if predicate is not None else ())]
        for batch in lazy.batches(needed, limit=n_rows, batch_rows=batch_size):
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if with_columns is None else frame.select(with_columns)

    return register_io_source(io_source=batches, schema=columns, is_pure=False)


def dataset(
    source: Any, schema: Any, *, rejects_to: Callable[[Rejects], object] | None = None, whole_rows: bool = True,
    **options: Any,
) -> pyarrow.dataset.Dataset:
    """Returns a pyarrow Dataset. Each query reads the source again. DuckDB can query the dataset by its variable's name.

        events = decant.dataset("logs/*.ndjson.gz", {"id": "int64", "kind": "string", "score": "double?"})
        duckdb.sql("SELECT kind, avg(score) FROM events WHERE id < 1000 GROUP BY kind")

    Filters are applied to each batch. The arguments are those of `scan_polars`. `rejects_to` is called with the rejects of
    each query that reads the source to its end.
    """
    import pyarrow
    import pyarrow.dataset

    lazy = _Lazy(source, schema, rejects_to, whole_rows, options)
    with lazy.read() as rows:
        columns = pyarrow.schema(rows)

    class Dataset(pyarrow.dataset.InMemoryDataset):  # type: ignore[misc]
        """Reads only through its scanner. The table of the base class has no rows."""

        def scanner(self, columns: Any = None, filter: Any = None, **more: Any) -> Any:
            names = list(columns) if isinstance(columns, (list, tuple)) else None
            needed = names + _columns_of(filter, self.schema, set(names)) if names else None
            rows = lazy.read(needed)
            made = pyarrow.schema(rows)

            def batches() -> Iterator[Any]:
                with rows:
                    for batch in rows:
                        yield pyarrow.record_batch(batch)
                    lazy.tell(rows.rejects)

            reader = pyarrow.RecordBatchReader.from_batches(made, batches())
            return pyarrow.dataset.Scanner.from_batches(reader, columns=columns, filter=filter, **more)

        def get_fragments(self, filter: Any = None) -> Any:
            raise TypeError("the dataset has no fragments: it is read by its scanner")

        def __reduce__(self) -> Any:
            return dataset_again, (source, lazy.schema, rejects_to, whole_rows, options)

    return Dataset(columns.empty_table())


def dataset_again(
    source: Any, schema: Schema, rejects_to: Callable[[Rejects], object] | None, whole_rows: bool, options: dict[str, Any],
) -> Any:
    return dataset(source, schema, rejects_to=rejects_to, whole_rows=whole_rows, **options)


def _columns_of(filter: Any, schema: Any, known: set[str]) -> list[str]:
    """The columns that a pyarrow expression needs in addition to `known`: without such a column it is an error."""
    import pyarrow
    import pyarrow.dataset

    needed = []
    for place, field in enumerate(schema) if filter is not None else ():
        if field.name in known:
            continue
        try:
            pyarrow.dataset.dataset(schema.remove(place).empty_table()).scanner(filter=filter)
        except pyarrow.ArrowInvalid:
            needed.append(field.name)
    return needed


class _Lazy:
    """A source that can be read repeatedly, and its options."""

    def __init__(
        self, source: Any, schema: Any, rejects_to: Callable[[Rejects], object] | None, whole_rows: bool,
        options: dict[str, Any],
    ) -> None:
        if not _can_be_read_again(source):
            raise TypeError("a query may read its source several times: a path, a pattern, a list of paths, or a buffer")
        self.source, self.options, self.rejects_to = source, options, rejects_to
        self.schema = schema if isinstance(schema, Schema) else Schema(schema)
        self.whole_rows = whole_rows or bool(options.get("rejects_unknown")) or self.schema._is_closed

    def read(self, columns: Iterable[str] | None = None, **more: Any) -> Any:
        options = {**self.options, **more}
        if columns is not None and not self.whole_rows:
            # Those of the source are no columns of the schema.
            wanted = set(columns) - {"_line", "_file"}
            if wanted:
                options["columns"] = wanted
        return read(self.source, self.schema, **options)

    def batches(self, columns: Iterable[str] | None, *, limit: int | None, batch_rows: int | None) -> Iterator[Batch]:
        more: dict[str, Any] = {} if limit is None else {"limit": limit}
        if batch_rows is not None and self.options.get("batch_rows") is None:
            more["batch_rows"] = batch_rows
        with self.read(columns, **more) as rows:
            yield from rows
            self.tell(rows.rejects)

    def tell(self, rejects: Rejects) -> None:
        (self.rejects_to or _warn)(rejects)


def _can_be_read_again(source: Any) -> bool:
    if isinstance(source, (str, os.PathLike)):
        return True
    if isinstance(source, (list, tuple)):
        return bool(source) and all(isinstance(path, (str, os.PathLike)) for path in source)
    try:
        memoryview(source)
    except TypeError:
        return False
    return True


def _warn(rejects: Rejects) -> None:
    first, count = None, 0
    for reject in rejects:
        first, count = first or reject, count + reject.count
    if first is not None:
        file = f"{first.file}: " if first.file is not None else ""
        path = f"{first.path}: " if first.path else ""
        warnings.warn(f"{count:,} line{'' if count == 1 else 's'} without a row, the first: {file}line {first.line}: {path}"
                      f"{first.message}", RejectWarning, stacklevel=2)
