"""The batch job on files: everything that was written is decoded or set aside, and nothing twice."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from py4j.protocol import Py4JJavaError

from accord.pipeline import ColumnTaken, EmptyRecord
from accord.pipeline.batch import DecodeJob, DecodeReport, WriteMode, run_decode
from accord.pipeline.errors import LostRecords
from accord.pipeline.files import FileFormat
from tests.pipeline.records import SCHEMAS, V1, avro, frame_of, framed, order, payload
from tests.pipeline.topic import RECORDS, expected, poisons, write_topic

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.fakes import FakeRegistry

pytestmark = pytest.mark.spark


@pytest.fixture
def job(tmp_path: Path) -> DecodeJob:
    return DecodeJob(str(tmp_path / "in"), str(tmp_path / "out"), str(tmp_path / "aside"))


def write_lines(path: str, *lines: dict[str, object]) -> None:
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))


def line(offset: int, value: bytes | None) -> dict[str, object]:
    text = None if value is None else b64encode(value).decode()
    return {"topic": "orders", "partition": 0, "offset": offset, "value": text}


@pytest.mark.timeout(600)
def test_every_record_of_a_large_topic_lands_once(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    """200,000 records of three writer schemas, one in a hundred of them poison."""
    write_topic(job.input)
    report = run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))
    assert report == DecodeReport(RECORDS, RECORDS - sum(poisons().values()), poisons())
    table = spark.read.parquet(job.output).orderBy("_offset").drop("_topic", "_partition", "_schema_id")
    differing = [
        (row, wanted)
        for row, wanted in zip(table.toLocalIterator(), expected(), strict=True)
        if row.asDict(recursive=True) != wanted
    ]
    assert differing == []


def test_the_quarantine_keeps_place_bytes_and_reason(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    lines = [line(41, b"test"), line(42, framed(1, V1, order(7, 1))), line(43, None)]
    write_lines(job.input, *lines)
    run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))
    aside = spark.read.parquet(job.quarantine).orderBy("offset").collect()
    assert [tuple(row) for row in aside] == [
        ("orders", 0, 41, bytearray(b"test"), "wrong_magic"),
        ("orders", 0, 43, None, "tombstone"),
    ]


def test_the_table_shows_fields_and_surroundings_as_columns(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    write_lines(
        job.input, *(line(number, framed(number, SCHEMAS[number], order(5, number))) for number in SCHEMAS)
    )
    report = run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))
    assert report == DecodeReport(3, 3, {})
    around = ["_topic", "_partition", "_offset", "_schema_id"]
    assert spark.read.parquet(job.output).columns == [*around, "id", "amount", "customer", "note", "state"]


def test_a_dump_of_spark_s_own_is_read_too(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    frame_of(spark, framed(1, V1, order(7, 1)), b"").write.parquet(job.input)
    assert run_decode(spark, registry, job) == DecodeReport(2, 1, {"empty": 1})


def test_a_value_that_is_no_record_is_one_column(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    registry.add(8, avro("string"))
    write_lines(job.input, line(0, b"\x00\x00\x00\x00\x08" + payload("string", "hello")))
    run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))
    assert [row.value for row in spark.read.parquet(job.output).collect()] == ["hello"]


def test_a_field_called_like_its_surroundings_is_refused(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    schema = {"type": "record", "name": "Odd", "fields": [{"name": "_Offset", "type": "long"}]}
    registry.add(8, avro(schema))
    write_lines(job.input, line(0, framed(8, schema, {"_Offset": 1})))
    with pytest.raises(ColumnTaken, match="_Offset"):
        run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))


def write_odd(registry: FakeRegistry, path: str, *fields: tuple[str, Any, Any]) -> None:
    """One record of a schema with these fields: name, type, value."""
    odd = {
        "type": "record",
        "name": "Odd",
        "fields": [{"name": name, "type": kind} for name, kind, _ in fields],
    }
    registry.add(8, avro(odd))
    write_lines(path, line(0, framed(8, odd, {name: value for name, _, value in fields})))


def test_what_is_always_null_is_text_without_a_value(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    inner = {"type": "record", "name": "Inner", "fields": [{"name": "x", "type": "null"}]}
    lists = {"type": "array", "items": "null"}
    odd = [("a", "null", None), ("b", lists, [None]), ("c", inner, {"x": None}), ("d", "int", 4)]
    maps = {"type": "map", "values": "null"}
    write_odd(registry, job.input, *odd, ("e", maps, {"k": None}))
    assert run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL)).decoded == 1
    row = spark.read.parquet(job.output).select("a", "b", "c", "d", "e").collect()[0]
    assert row.asDict(recursive=True) == {"a": None, "b": [None], "c": {"x": None}, "d": 4, "e": {"k": None}}


def test_a_record_without_fields_is_refused_where_parquet_cannot_hold_it(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    nothing = {"type": "record", "name": "Nothing", "fields": []}
    write_odd(registry, job.input, ("items", {"type": "array", "items": nothing}, [{}]), ("a", "int", 1))
    with pytest.raises(EmptyRecord, match=r"'items\[\]', a record without fields; name a reader schema"):
        run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))


def test_a_table_of_records_without_fields_has_their_surroundings(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    write_odd(registry, job.input)
    run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))
    assert spark.read.parquet(job.output).columns == ["_topic", "_partition", "_offset", "_schema_id"]


def test_a_table_that_is_there_is_kept_unless_told_otherwise(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    from pyspark.errors import AnalysisException

    write_lines(job.input, line(0, framed(1, V1, order(7, 1))))
    lines = replace(job, input_format=FileFormat.JSONL)
    run_decode(spark, registry, lines)
    with pytest.raises(AnalysisException, match="PATH_ALREADY_EXISTS"):
        run_decode(spark, registry, lines)
    run_decode(spark, registry, replace(lines, mode=WriteMode.APPEND))
    assert spark.read.parquet(job.output).count() == 2
    run_decode(spark, registry, replace(lines, mode=WriteMode.OVERWRITE))
    assert spark.read.parquet(job.output).count() == 1


def test_a_line_that_is_no_record_ends_the_job(
    spark: SparkSession, registry: FakeRegistry, job: DecodeJob
) -> None:
    Path(job.input).write_text("not json\n")
    with pytest.raises(Py4JJavaError, match="FAILED_READ_FILE"):
        run_decode(spark, registry, replace(job, input_format=FileFormat.JSONL))


def test_counts_that_do_not_add_up_are_an_error() -> None:
    from accord.pipeline.batch import _report
    from accord.pipeline.reasons import Reason

    seen = {"read": 10, **{str(reason): 0 for reason in Reason}, "empty": 2}
    assert _report(seen, 8, 2) == DecodeReport(10, 8, {"empty": 2})
    with pytest.raises(LostRecords, match="read 10 records, but wrote 7 and set 2 aside"):
        _report(seen, 7, 2)
