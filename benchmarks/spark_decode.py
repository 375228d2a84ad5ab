"""Decoding framed records with mixed writer schemas: the pipeline against Spark's bare ``from_avro``.

The yardstick is the least Spark can do with the same bytes: each writer's records lie in a column of their
own frame, nothing is dispatched, checked or merged. The pipeline gets them mixed, finds their schemas'
ids, checks magic byte, length and end of each record and merges three versions into one type. Both sides
read the same cached rows and write every column to Spark's ``noop`` sink.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf
from pyspark.sql.avro.functions import from_avro

from accord.pipeline import SessionSettings, accepted, build_session, decode
from benchmarks.harness import Result, Side, compare, report
from tests.fakes import FakeRegistry
from tests.pipeline.records import SCHEMAS, avro
from tests.pipeline.topic import poison_at, values, version_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

COPIES = 5  # of the topic: enough records that planning does not decide


def registry() -> FakeRegistry:
    """The three writer schemas."""
    made = FakeRegistry()
    for number, schema in SCHEMAS.items():
        made.add(number, avro(schema))
    return made


def records(session: SparkSession) -> DataFrame:
    """The sound records of the topic, cached, each with the number of its writer schema."""
    rows = [
        (version_at(offset), bytearray(value))
        for offset, value in enumerate(values())
        if poison_at(offset) is None
    ]
    once = session.createDataFrame(rows, "version int, value binary")
    copies = once.crossJoin(session.range(COPIES).select(sf.col("id").alias("copy"))).drop("copy")
    cached = copies.repartition(2).cache()
    cached.count()
    return cached


def bare(frame: DataFrame) -> list[DataFrame]:
    """The yardstick: one frame for each writer schema, payloads read by ``from_avro`` alone."""
    return [
        frame.where(sf.col("version") == number).select(
            from_avro(sf.expr("substring(value, 6)"), json.dumps(schema)).alias("decoded")
        )
        for number, schema in SCHEMAS.items()
    ]


def seconds(frames: Callable[[], list[DataFrame]]) -> Callable[[], float]:
    """Make a run that costs the seconds of writing some frames to nowhere, planning included."""

    def run() -> float:
        started = time.perf_counter()
        for frame in frames():
            frame.write.format("noop").mode("overwrite").save()
        return time.perf_counter() - started

    return run


def result(session: SparkSession) -> tuple[Result, int]:
    """Compare the two sides in turn; also the number of records each run reads."""
    frame = records(session)
    known = registry()
    mixed = frame.drop("version")
    compared = compare(
        "Decoding framed Avro of three writer schemas",
        "s",
        ours=Side("accord.pipeline.decode", seconds(lambda: [accepted(decode(mixed, known)).drop("value")])),
        yardstick=Side("bare from_avro", seconds(lambda: bare(frame))),
    )
    return compared, frame.count()


def main() -> None:
    """Print records per second of both sides and the ratio of throughputs."""
    session = build_session(SessionSettings(name="bench", driver_memory="3g"))
    session.sparkContext.setLogLevel("ERROR")
    try:
        compared, count = result(session)
    finally:
        session.stop()
    ours, theirs = (statistics.median(costs) for costs in (compared.our_costs, compared.yardstick_costs))
    print(report([compared]))
    print(
        f"  throughput {count / ours:,.0f} records/s against {count / theirs:,.0f}: ratio {theirs / ours:.2f}"
    )


if __name__ == "__main__":
    main()
