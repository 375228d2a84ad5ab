"""The batch job on files of Protobuf records."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from accord.pipeline.batch import DecodeJob, DecodeReport, run_decode
from accord.pipeline.files import FileFormat
from tests.fakes import FakeRegistry
from tests.pipeline.messages import FIRST, TEXTS, V1, framed, message, order, proto

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def write(path: Path, *values: bytes | None) -> None:
    lines = [
        {
            "topic": "t",
            "partition": 0,
            "offset": offset,
            "value": None if one is None else b64encode(one).decode(),
        }
        for offset, one in enumerate(values)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def job_in(folder: Path) -> DecodeJob:
    source, output, quarantine = (str(folder / name) for name in ("in", "out", "aside"))
    return DecodeJob(source, output, quarantine, input_format=FileFormat.JSONL)


def test_every_record_lands_once(spark: SparkSession, tmp_path: Path) -> None:
    registry = FakeRegistry()
    for number, text in TEXTS.items():
        registry.add(number, proto(text))
    refund = framed(1, b"\x02\x04", message(V1, "shop.Refund")(id=1))
    orders = [order(1 + number % 3, id=number) for number in range(30)]
    write(tmp_path / "in", *orders, refund, None, b"test", orders[1][:-1])
    report = run_decode(spark, registry, job_in(tmp_path))
    reasons = {"tombstone": 1, "wrong_magic": 1, "other_record": 1, "undecodable": 1}
    assert report == DecodeReport(34, 30, reasons)
    rows = spark.read.parquet(str(tmp_path / "out")).orderBy("_offset").collect()
    assert [(row["_offset"], row["id"]) for row in rows] == [(number, number) for number in range(30)]
    assert spark.read.parquet(str(tmp_path / "aside")).count() == 4


def test_parquet_holds_every_type(spark: SparkSession, tmp_path: Path) -> None:
    text = """syntax = "proto3";
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/duration.proto";
    message All { google.protobuf.Duration took = 1; repeated google.protobuf.Duration all = 2;
      google.protobuf.Timestamp at = 3; uint64 big = 4; map<uint64, google.protobuf.Duration> by_big = 5; }"""
    registry = FakeRegistry()
    registry.add(1, proto(text))
    took = {"seconds": -90_000, "nanos": -1_000}
    value = message(text, "All")(
        took=took, all=[took], at={"seconds": 5}, big=2**64 - 1, by_big={2**64 - 1: took}
    )
    write(tmp_path / "in", framed(1, FIRST, value))
    assert run_decode(spark, registry, job_in(tmp_path)).decoded == 1
    (row,) = spark.read.parquet(str(tmp_path / "out")).collect()
    wanted = -timedelta(seconds=90_000, microseconds=1)
    assert (row.took, row["all"], list(row.by_big.values())) == (wanted, [wanted], [wanted])
    assert (int(row.big), row["at"].timestamp() % 60) == (2**64 - 1, 5)


def test_the_command_says_how_often_to_unroll() -> None:
    from accord.pipeline.jobs.decode import _job, decode

    words = ["--input=a", "--output=b", "--quarantine=c", "--registry-url=http://r", "--recursion-depth=2"]
    params: Any = decode.make_context("decode", words).params
    assert _job(params).options.recursion_depth == 2
