"""Columns to framed records and back."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from accord.codecs import NotAvro
from accord.model import Format, SchemaText
from accord.naming import parse_subject
from accord.pipeline import ColumnTaken, DecodeOptions, EncodeOptions, decode, encode
from tests.pipeline.records import V2, V3, avro, frame_of, framed, order

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.fakes import FakeRegistry

pytestmark = pytest.mark.spark
ORDERS = parse_subject("orders-value")


def test_what_is_decoded_encodes_to_the_same_bytes(spark: SparkSession, registry: FakeRegistry) -> None:
    values = [framed(3, V3, order(number, 3)) for number in range(20)]
    decoded = decode(frame_of(spark, *values), registry).drop("value")
    encoded = encode(decoded, registry, EncodeOptions(ORDERS)).orderBy("offset").collect()
    assert [bytes(row.value) for row in encoded] == values


def test_records_are_brought_up_to_a_newer_version(spark: SparkSession, registry: FakeRegistry) -> None:
    frame = frame_of(spark, framed(2, V2, order(6, 2)))
    decoded = decode(frame, registry, DecodeOptions(reader=avro(V2))).drop("value")
    encoded = encode(decoded, registry, EncodeOptions(2)).collect()[0]
    assert bytes(encoded.value) == framed(2, V2, order(6, 2))


def test_a_guid_frames_records_too(spark: SparkSession, registry: FakeRegistry) -> None:
    guid = UUID(int=7)
    registry.add(guid, avro("long"))
    frame = spark.createDataFrame([(3,)], "decoded long")
    encoded = encode(frame, registry, EncodeOptions(guid)).collect()[0]
    assert bytes(encoded.value) == b"\x01" + guid.bytes + b"\x06"


def test_a_null_stays_a_tombstone(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(9, avro(["null", "long"]))
    frame = spark.createDataFrame([(None,)], "decoded long")
    assert encode(frame, registry, EncodeOptions(9)).collect()[0].value is None


def test_another_column_is_not_overwritten(spark: SparkSession, registry: FakeRegistry) -> None:
    frame = spark.createDataFrame([(1, b"")], "decoded long, value binary")
    with pytest.raises(ColumnTaken, match="'value'"):
        encode(frame, registry, EncodeOptions(ORDERS))


def test_only_avro_is_encoded(spark: SparkSession, registry: FakeRegistry) -> None:
    registry.add(9, SchemaText(Format.JSON, "{}"))
    with pytest.raises(NotAvro, match="JSON, expected AVRO"):
        encode(spark.createDataFrame([(1,)], "decoded long"), registry, EncodeOptions(9))
