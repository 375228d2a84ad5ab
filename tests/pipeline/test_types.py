"""Every Avro type and logical type as Spark shows it, values checked against fastavro's bytes."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from pyspark.sql import Row

from accord.pipeline import decode
from tests.pipeline.records import avro, frame_of, framed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.fakes import FakeRegistry
    from tests.pipeline.records import AvroJson

pytestmark = pytest.mark.spark

MONEY: AvroJson = {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}
FIXED_MONEY: AvroJson = {
    "type": "fixed",
    "name": "M",
    "size": 8,
    "logicalType": "decimal",
    "precision": 9,
    "scale": 2,
}
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
PAIR: AvroJson = {"type": "record", "name": "Pair", "fields": [{"name": "k", "type": "int"}]}

CASES: dict[str, tuple[AvroJson, object, str, object]] = {
    "boolean": ("boolean", True, "boolean", True),
    "int": ("int", -5, "int", -5),
    "long": ("long", 2**40, "bigint", 2**40),
    "float": ("float", 0.5, "float", 0.5),
    "double": ("double", 0.25, "double", 0.25),
    "bytes": ("bytes", b"\x00\xff", "binary", bytearray(b"\x00\xff")),
    "string": ("string", "ü", "string", "ü"),
    "enum": ({"type": "enum", "name": "E", "symbols": ["A", "B"]}, "B", "string", "B"),
    "fixed": ({"type": "fixed", "name": "F", "size": 2}, b"ab", "binary", bytearray(b"ab")),
    "array": ({"type": "array", "items": PAIR}, [{"k": 1}], "array<struct<k:int>>", [Row(k=1)]),
    "map": ({"type": "map", "values": ["null", "long"]}, {"a": 1}, "map<string,bigint>", {"a": 1}),
    "nullable": (["string", "null"], None, "string", None),
    "union": (["int", "string"], "a", "struct<member_int:int,member_string:string>", (None, "a")),
    "decimal": (MONEY, Decimal("12.34"), "decimal(9,2)", Decimal("12.34")),
    "fixed_decimal": (FIXED_MONEY, Decimal("-0.01"), "decimal(9,2)", Decimal("-0.01")),
    "date": ({"type": "int", "logicalType": "date"}, date(2026, 1, 2), "date", date(2026, 1, 2)),
    "millis": ({"type": "long", "logicalType": "timestamp-millis"}, NOON, "timestamp", 1767355200),
    "micros": ({"type": "long", "logicalType": "timestamp-micros"}, NOON, "timestamp", 1767355200),
    "local": (
        {"type": "long", "logicalType": "local-timestamp-micros"},
        NOON.replace(tzinfo=None),
        "timestamp_ntz",
        NOON.replace(tzinfo=None),
    ),
    "uuid": ({"type": "string", "logicalType": "uuid"}, UUID(int=1), "string", str(UUID(int=1))),
}


def test_every_type_has_its_column_and_its_value(spark: SparkSession, registry: FakeRegistry) -> None:
    fields = [{"name": name, "type": case[0]} for name, case in CASES.items()]
    schema: AvroJson = {"type": "record", "name": "All", "fields": fields}
    registry.add(60, avro(schema))
    value = {name: case[1] for name, case in CASES.items()}
    decoded = decode(frame_of(spark, framed(60, schema, value)), registry).select("decoded.*")
    types = {field.name: field.dataType.simpleString() for field in decoded.schema}
    assert types == {name: case[2] for name, case in CASES.items()}
    seconds = [f"CAST({name} AS long) AS {name}" for name in ("millis", "micros")]
    others = [name for name in CASES if name not in {"millis", "micros"}]
    row = decoded.selectExpr(*others, *seconds).collect()[0]
    assert row.asDict() == {name: case[3] for name, case in CASES.items()}
