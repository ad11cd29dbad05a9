# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A directory of JSON Lines to Parquet by Ray Data: files, pieces, batches. Here on two workers; `ray.init(address=…)`
# makes it as many as the cluster has, if the directories are shared and the wheel is installed on every machine.
#
#   on_ray.py INPUT OUTPUT

import glob
import os
import sys

import pyarrow as pa
import pyarrow.parquet
import ray

from events import PIECE, pieces, read_piece, report


def read_pieces(table):
    for row in table.to_pylist():
        for batch in read_piece(row["file"], row["offset"], row["length"], row["line"]):
            yield pa.Table.from_batches([batch])


def main(input_, output):
    size = int(os.environ.get("DECANT_PIECE", PIECE))
    files = [{"path": path} for path in sorted(glob.glob(os.path.join(os.path.abspath(input_), "*.ndjson")))]
    ray.init(num_cpus=2, object_store_memory=256 << 20, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    parts = ray.data.from_items(files, override_num_blocks=max(len(files), 1)).flat_map(
        lambda row: pieces(row["path"], size))
    # One piece a task, wherever there is a worker.
    parts = parts.materialize()
    parts = parts.repartition(max(parts.count(), 1))
    parts.map_batches(read_pieces, batch_format="pyarrow", batch_size=None).write_parquet(
        os.path.join(output, "events"))
    ray.shutdown()

    events = pa.parquet.read_table(os.path.join(output, "events"))
    rejects = events.filter(pa.compute.is_valid(events["reject"])).select(["file", "reject"]).flatten()
    rejects = rejects.rename_columns([name.removeprefix("reject.") for name in rejects.column_names])
    print(f"{events.num_rows - rejects.num_rows} rows")
    print("\n".join(report(rejects)))


main(sys.argv[1], sys.argv[2])
