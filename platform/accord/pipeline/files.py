"""Files of framed records: how a topic looks when it lies in a folder.

*parquet*: a binary column ``value``, and beside it whatever describes the record (usually ``topic``,
``partition``, ``offset``, ``timestamp``, ``key``); this is what Spark's Kafka source gives and writes.

*jsonl*: one JSON object a line with ``topic`` (text), ``partition`` and ``offset`` (numbers) and ``value``,
the framed bytes in base64, or null for a tombstone. A line that is not such an object ends the job.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as sf

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LINE: Final = "topic string, partition int, offset long, value string"


class FileFormat(StrEnum):
    """The two kinds of files that hold framed records."""

    PARQUET = "parquet"
    JSONL = "jsonl"


def read_records(session: SparkSession, path: str, file_format: FileFormat) -> DataFrame:
    """The framed records of a file or folder; the column ``value`` is binary."""
    if file_format is FileFormat.PARQUET:
        return session.read.parquet(path)
    lines = session.read.schema(_LINE).option("mode", "FAILFAST").json(path)
    return lines.withColumn("value", sf.unbase64("value"))
