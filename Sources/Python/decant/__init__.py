# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Reads JSON Lines as Arrow columns, and reports every bad line: its number, its byte, the path and the reason.

    import decant, duckdb

    rows = decant.read("events.ndjson", {"id": "int64", "kind": "string", "score": "double?"})
    duckdb.sql("CREATE TABLE events AS SELECT * FROM rows")
    for reject in rows.rejects:
        print(reject.line, reject.path, reject.message)

`rows` and `rows.rejects` implement the Arrow PyCapsule interface, so pyarrow, DuckDB, Polars, pandas and nanoarrow
accept them. The package depends on none of these.
"""

from ._decant import DecantError, version as __version__
from ._infer import Inference, infer
from ._lazy import RejectWarning, dataset, scan_polars
from ._rows import Batch, Reject, Rejects, Rows, read, split
from ._schema import Field, Schema, field

__all__ = [
    "Batch", "DecantError", "Field", "Inference", "Reject", "RejectWarning", "Rejects", "Rows", "Schema", "__version__",
    "dataset", "field", "infer", "read", "scan_polars", "split",
]
