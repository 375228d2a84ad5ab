"""Many writer schemas: still read, whatever number the JVM could compile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.pipeline import DecodeOptions, decode
from tests.fakes import FakeRegistry
from tests.pipeline.records import avro, frame_of, framed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
MANY = 130


def schema(number: int, *, has_own_field: bool) -> dict[str, Any]:
    """An order of twenty fields; where it is its own, one of them is."""
    fields: list[dict[str, Any]] = [
        {"name": f"f{one}", "type": ["null", "string"] if one % 2 else "long"} for one in range(19)
    ]
    last = {"name": f"own{number}" if has_own_field else "last", "type": "int", "doc": f"version {number}"}
    return {"type": "record", "name": "Order", "fields": [*fields, last]}


def value(written: dict[str, Any], number: int) -> dict[str, Any]:
    names = [field["name"] for field in written["fields"]]
    return {name: number if place % 2 == 0 else f"v{number}" for place, name in enumerate(names[:-1])} | {
        names[-1]: number
    }


@pytest.mark.parametrize("has_own_field", [True, False])
def test_each_record_is_read_with_its_own_schema(spark: SparkSession, *, has_own_field: bool) -> None:
    registry, values = FakeRegistry(), []
    for number in range(1, MANY + 1):
        written = schema(number, has_own_field=has_own_field)
        registry.add(number, avro(written))
        values.append(framed(number, written, value(written, number)))
    unknown = b"\x00\x00\x00\x00\x00a", b"\x00\x7f\xff\xff\xffa"
    frame = frame_of(spark, *values, *unknown, values[7][:-1])
    read = decode(frame, registry, DecodeOptions()).orderBy("offset").collect()
    field = "own{}" if has_own_field else "last"
    got = [(row.schema_id, row.decoded.f1, row.decoded[field.format(row.schema_id)]) for row in read[:MANY]]
    assert got == [(str(number), f"v{number}", number) for number in range(1, MANY + 1)]
    assert [row.quarantine_reason for row in read[MANY:]] == ["unknown_schema"] * 2 + ["undecodable"]


def test_schemas_that_read_alike_are_compiled_once(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    registry = FakeRegistry()
    for number in range(1, MANY + 1):
        registry.add(number, avro(schema(number, has_own_field=False)))
    options = DecodeOptions(identities=tuple(range(1, MANY + 1)))
    decode(frame_of(spark), registry, options).explain("extended")
    plan = capsys.readouterr().out.partition("== Physical Plan ==")[2]
    assert plan.count("from_avro(") == 1
