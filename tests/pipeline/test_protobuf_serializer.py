"""Records as an unmodified Kafka producer frames them: Confluent's own serializer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

from accord.formats.protobuf import builtin
from accord.model import Reference
from accord.pipeline import DecodeOptions, decode
from tests.fakes import FakeRegistry
from tests.pipeline.messages import message, proto
from tests.pipeline.records import frame_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
MONEY = (Path(builtin.__file__).parent / "google" / "type" / "money.proto").read_text()
ADDRESS = 'syntax = "proto3"; package geo; message Address { string city = 1; }'
SHOP = """syntax = "proto3";
package shop;
import "address.proto";
import "google/protobuf/timestamp.proto";
import "google/type/money.proto";
message Batch {
  message Refund { int64 id = 1; }
  message Order {
    int64 id = 1;
    geo.Address address = 2;
    google.protobuf.Timestamp at = 3;
    google.type.Money price = 4;
  }
}
"""


def registered(client: SchemaRegistryClient) -> FakeRegistry:
    """What a serializer registered, under the same ids and subjects."""
    registry = FakeRegistry()
    for subject in client.get_subjects():
        stored: Any = client.get_latest_version(subject)
        references = (Reference(one.name, one.subject, one.version) for one in stored.schema.references or ())
        registry.add(stored.schema_id, proto(stored.schema.schema_str, *references), subject)
    return registry


def test_records_of_confluent_s_serializer_become_a_table(spark: SparkSession) -> None:
    client = SchemaRegistryClient.new_client({"url": "mock://"})
    order, refund = (
        message(SHOP, f"shop.Batch.{name}", address=ADDRESS, google_type_money=MONEY)
        for name in ("Order", "Refund")
    )
    context = SerializationContext("orders", MessageField.VALUE)
    fields = {
        "id": 7,
        "address": {"city": "Bern"},
        "at": {"seconds": 5},
        "price": {"currency_code": "CHF", "units": 3},
    }
    values = [
        ProtobufSerializer(type(one), client, {"use.deprecated.format": False})(one, context)
        for one in (order(**fields), refund(id=8))
    ]
    registry = registered(client)
    assert len(registry.subjects) == 2
    decoded = decode(frame_of(spark, *values), registry, DecodeOptions(record="Order"))
    read, aside = decoded.orderBy("offset").collect()
    assert (read.quarantine_reason, aside.quarantine_reason) == (None, "other_record")
    assert (read.decoded.id, read.decoded["at"].timestamp() % 60) == (7, 5)
    assert read.decoded.address.city == "Bern"
    assert read.decoded.price.asDict() == {"currency_code": "CHF", "units": 3, "nanos": 0}
