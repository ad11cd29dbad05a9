# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""A lazy frame of Polars over a source."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ._rows import Rejects, read
from ._schema import Schema

if TYPE_CHECKING:
    import polars


class RejectWarning(UserWarning):
    """Lines have no row, and nobody asked for them."""


def scan_polars(
    source: Any, schema: Any, *, rejects_to: Callable[[Rejects], object] | None = None, **options: Any,
) -> polars.LazyFrame:
    """A lazy frame that reads its source when a query needs it, each time anew, batch by batch.

        frame = decant.scan_polars("logs/*.ndjson.gz", {"id": "int64", "score": "double?"})
        frame.filter(polars.col("score") > 0.5).group_by("id").len().collect()

    Filters and the columns of a query are applied to each batch, so that no more than what passes is in memory; a limit
    without an order ends reading. What is not in the schema is not read: that is where to say which columns are needed.
    Queries for fewer columns have the same rows.

    source, schema, options: as in `read`, but for sources that can be read once: file objects, descriptors and iterables are
    TypeErrors. rejects_to: called with the rejects of each query that read the source to its end. Without it, a
    RejectWarning says how many lines have no row, and which is the first.
    """
    import polars
    from polars.io.plugins import register_io_source

    if not _can_be_read_again(source):
        raise TypeError("a lazy frame may read its source several times: a path, a pattern, a list of paths, or a buffer")
    parsed = schema if isinstance(schema, Schema) else Schema(schema)
    with read(source, parsed, **options) as rows:
        columns = polars.Schema(rows)  # type: ignore[arg-type,unused-ignore]

    def batches(
        with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        more = {} if batch_size is None or options.get("batch_rows") is not None else {"batch_rows": batch_size}
        left = n_rows
        with read(source, parsed, **{**options, **more}) as rows:
            for batch in rows:
                frame = polars.DataFrame(batch)
                if left is not None:
                    frame = frame.head(left)
                    left -= frame.height
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield frame if with_columns is None else frame.select(with_columns)
                if left == 0:
                    return
            (rejects_to or _warn)(rows.rejects)

    return register_io_source(io_source=batches, schema=columns, is_pure=False)


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
