"""Decoding framed records with mixed writer schemas: the pipeline against Spark's bare ``from_avro``.

The yardstick is the least Spark can do with the same bytes: each writer's records lie in a column of their
own frame, nothing is dispatched, checked or merged. The pipeline gets them mixed, finds their schemas'
ids, checks magic byte, length and end of each record and merges three versions into one type. Both sides
read the same cached rows and write the decoded values to Spark's ``noop`` sink.
"""

from __future__ import annotations

import json
import statistics
from functools import partial
from typing import TYPE_CHECKING

import psutil
from pyspark.sql import functions as sf
from pyspark.sql.avro.functions import from_avro

from accord.pipeline import DecodeOptions, SessionSettings, accepted, build_session, decode
from benchmarks.harness import Result, Side, compare, report
from tests.fakes import FakeRegistry
from tests.pipeline.records import SCHEMAS, avro
from tests.pipeline.topic import poison_at, values, version_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

COPIES = 5  # of the topic: enough records that planning does not decide
WARM_UPS = 5  # runs of every side until the JVM has compiled what it is going to
WAYS = {"ids looked for": DecodeOptions(), "ids named": DecodeOptions(identities=tuple(SCHEMAS))}


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


def cpu_seconds(frames: Callable[[], list[DataFrame]]) -> Callable[[], float]:
    """Make a run that costs the processor seconds Spark spends on writing some frames to nowhere.

    Planning, compiling and collecting garbage are included. Processor time rather than time, because
    the JVM has threads for both cores and whatever else runs on the machine must not decide.
    """

    def run() -> float:
        started = spent()
        for frame in frames():
            frame.write.format("noop").mode("overwrite").save()
        return spent() - started

    return run


def spent() -> float:
    """Processor seconds of the JVM so far."""
    return sum(
        process.cpu_times().user + process.cpu_times().system
        for process in psutil.Process().children(recursive=True)
    )


def results(session: SparkSession) -> tuple[list[Result], int]:
    """Compare in turn: ids looked for in the data, ids named; also the number of records of a run."""
    frame = records(session)
    known = registry()
    mixed = frame.drop("version")
    yardstick = Side("bare from_avro", cpu_seconds(lambda: bare(frame)))
    for _ in range(WARM_UPS):
        yardstick.run()
        for options in WAYS.values():
            cpu_seconds(partial(ours, mixed, known, options))()
    compared = [
        compare(
            f"Decoding framed Avro of three writer schemas, {name}",
            "CPU s",
            ours=Side("accord.pipeline.decode", cpu_seconds(partial(ours, mixed, known, options))),
            yardstick=yardstick,
        )
        for name, options in WAYS.items()
    ]
    return compared, frame.count()


def ours(mixed: DataFrame, known: FakeRegistry, options: DecodeOptions) -> list[DataFrame]:
    """The pipeline's table of the mixed records."""
    return [accepted(decode(mixed, known, options), options).drop("value")]


def throughput(result: Result, count: int) -> str:
    """Records per processor second of both sides, and ours as a ratio to the yardstick's."""
    costs, yardstick = (statistics.median(one) for one in (result.our_costs, result.yardstick_costs))
    return (
        f"  throughput ratio {yardstick / costs:.2f}: {count / costs:,.0f} records per CPU second"
        f" against {count / yardstick:,.0f}"
    )


def main() -> None:
    """Print the costs, and throughput as a ratio to the yardstick's."""
    session = build_session(SessionSettings(name="bench", driver_memory="3g"))
    session.sparkContext.setLogLevel("ERROR")
    try:
        compared, count = results(session)
    finally:
        session.stop()
    for one in compared:
        print(report([one]))
        print(throughput(one, count))


if __name__ == "__main__":
    main()
