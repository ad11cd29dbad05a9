# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A directory of JSON Lines to Parquet by Spark: files, pieces, batches, each by mapInArrow. Here on two local workers;
# `spark-submit --master …` makes it as many as the cluster has, if the directories are shared and the wheel is installed on
# every machine.
#
#   on_spark.py INPUT OUTPUT

import glob
import os
import sys

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from events import PIECE, PIECES, pieces, read_piece, report, schema


def main(input_, output):
    size = int(os.environ.get("DECANT_PIECE", PIECE))
    files = [(path,) for path in sorted(glob.glob(os.path.join(os.path.abspath(input_), "*.ndjson")))]
    # Two workers, and four attempts for each task. Snappy, Spark's default, is a library for glibc, which Java may not have.
    spark = (SparkSession.builder.master(os.environ.get("DECANT_MASTER", "local[2,4]"))
             .config("spark.ui.enabled", "false").config("spark.sql.parquet.compression.codec", "gzip")
             .getOrCreate())
    spark.sparkContext.setLogLevel("OFF")

    def cut(batches):
        for batch in batches:
            for path in batch["path"].to_pylist():
                yield pa.RecordBatch.from_pylist(pieces(path, size), schema=PIECES)

    def read_pieces(batches):
        for batch in batches:
            for row in batch.to_pylist():
                yield from read_piece(row["file"], row["offset"], row["length"], row["line"])

    listed = spark.createDataFrame(files, "path string").repartition(max(len(files), 1))
    parts = listed.mapInArrow(cut, from_arrow_schema(PIECES)).cache()
    # One piece a task, wherever there is a worker.
    parts = parts.repartition(max(parts.count(), 1))
    parts.mapInArrow(read_pieces, from_arrow_schema(schema())).write.parquet(os.path.join(output, "events"))

    events = spark.read.parquet(os.path.join(output, "events"))
    print(f"{events.where('row is not null').count()} rows")
    rejects = events.where("reject is not null").select("file", "reject.*")
    print("\n".join(report(rejects.toArrow())))
    spark.stop()


main(sys.argv[1], sys.argv[2])
