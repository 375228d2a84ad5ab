"""Orders in three versions, and records framed by hand, independently of the library."""

from __future__ import annotations

import io
import json
import struct
from typing import TYPE_CHECKING, Any, TypeAlias

import fastavro

from accord.model import Format, Reference, SchemaText

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

AvroJson: TypeAlias = str | list[Any] | dict[str, Any]

CUSTOMER: dict[str, Any] = {
    "type": "record",
    "name": "Customer",
    "fields": [{"name": "name", "type": "string"}],
}
CUSTOMER_V3 = {
    **CUSTOMER,
    "fields": [*CUSTOMER["fields"], {"name": "tags", "type": {"type": "array", "items": "string"}}],
}
V1: dict[str, Any] = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "amount", "type": "int"},
        {"name": "customer", "type": CUSTOMER},
    ],
}
V2: dict[str, Any] = {
    **V1,
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "amount", "type": "long"},
        {"name": "customer", "type": CUSTOMER},
        {"name": "note", "type": ["null", "string"], "default": None},
    ],
}
V3: dict[str, Any] = {
    **V1,
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "customer", "type": CUSTOMER_V3},
        {"name": "amount", "type": "double"},
        {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["NEW", "PAID"]}},
    ],
}
SCHEMAS = {1: V1, 2: V2, 3: V3}


def avro(schema: object, *references: Reference) -> SchemaText:
    return SchemaText(Format.AVRO, json.dumps(schema), references)


def payload(schema: AvroJson, value: object) -> bytes:
    buffer = io.BytesIO()
    fastavro.schemaless_writer(buffer, fastavro.parse_schema(schema), value)
    return buffer.getvalue()


def framed(number: int, schema: AvroJson, value: object) -> bytes:
    return b"\x00" + struct.pack(">I", number) + payload(schema, value)


def order(number: int, version: int) -> dict[str, Any]:
    """The value of one order: what each version knows of it."""
    made: dict[str, Any] = {"id": number, "amount": number % 1000, "customer": {"name": f"c{number % 97}"}}
    if version == 2:
        made["note"] = None if number % 3 else f"note {number}"
    if version == 3:
        made["amount"] = number / 4
        made["customer"]["tags"] = [f"t{number % 5}"] * (number % 3)
        made["state"] = "PAID" if number % 2 else "NEW"
    return made


def frame_of(spark: SparkSession, *values: bytes | None) -> DataFrame:
    rows = [(None if value is None else bytearray(value), offset) for offset, value in enumerate(values)]
    return spark.createDataFrame(rows, "value binary, offset long")
