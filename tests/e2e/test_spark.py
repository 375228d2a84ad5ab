"""From an unmodified Kafka serializer through the live registry into a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

from accord.client import RegistryClient
from accord.formats.protobuf import service
from accord.pipeline import SessionSettings, build_session
from accord.pipeline import decode as decode_frame
from tests.accord.protobuf_texts import COMPILER
from tests.pipeline.messages import V3, message
from tests.pipeline.records import frame_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.e2e.platform import Platform

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # PySpark's own
]

COMMAND = [sys.executable, "-c", "from accord.pipeline.jobs import main; main()", "decode"]
ID = {"name": "id", "type": "long"}
NOTE = {"name": "note", "type": ["null", "string"], "default": None}
POISON = [b"", b"test", b"\x07\0\0\0\x01x", b"\0\x7f\xff\xff\xff\x02", b"\0\0"]


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    session = build_session(SessionSettings(name="accord-test", master="local[1]"))
    yield session
    session.stop()


def order(*fields: dict[str, Any]) -> str:
    return json.dumps({"type": "record", "name": "Order", "namespace": "shop", "fields": list(fields)})


def written(platform: Platform, topic: str) -> list[bytes]:
    """Records of two versions as a producer frames them."""
    context = SerializationContext(topic, MessageField.VALUE)
    with SchemaRegistryClient(platform.client_settings()) as client:
        first, second = (AvroSerializer(client, text) for text in (order(ID), order(ID, NOTE)))
        old = [first({"id": number}, context) for number in range(50)]
        new = [second({"id": number, "note": f"n{number}"}, context) for number in range(50, 100)]
    return [value for value in [*old, *new] if value]


def dump(path: Path, values: list[bytes]) -> None:
    lines = (
        {"topic": "t", "partition": 0, "offset": offset, "value": b64encode(value).decode()}
        for offset, value in enumerate(values)
    )
    path.write_text("\n".join(map(json.dumps, lines)))


def decode(platform: Platform, folder: Path) -> dict[str, Any]:
    places = [f"--input={folder / 'in'}", f"--output={folder / 'out'}", f"--quarantine={folder / 'aside'}"]
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "ACCORD_URL": platform.registry_url,
        "ACCORD_TOKEN": platform.token,
    }
    command = [*COMMAND, *places, "--input-format=jsonl", "--master=local[1]"]
    finished = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    report: dict[str, Any] = json.loads(finished.stdout)
    return report


def rows(spark: SparkSession, folder: Path) -> list[tuple[int, str | None]]:
    """The decoded table, read back."""
    table = spark.read.parquet(str(folder / "out")).select("id", "note")
    return sorted(tuple(row) for row in table.collect())


def test_records_of_the_live_registry_become_a_table(
    platform: Platform, topic: str, tmp_path: Path, spark: SparkSession
) -> None:
    dump(tmp_path / "in", [*written(platform, topic), *POISON])
    report = decode(platform, tmp_path)
    assert (report["read"], report["decoded"]) == (105, 100)
    assert sum(report["quarantined"].values()) == len(POISON)
    table = rows(spark, tmp_path)
    assert table[0] == (0, None)
    assert table[99] == (99, "n99")


def test_protobuf_of_the_live_registry_becomes_columns(
    platform: Platform, topic: str, spark: SparkSession
) -> None:
    """The serializer registers descriptors, not text, and names the message by its place in the file."""
    service.use(COMPILER)
    kind = message(V3, "shop.Order")
    with SchemaRegistryClient(platform.client_settings()) as client:
        serializer = ProtobufSerializer(kind, client, {"use.deprecated.format": False})
        context = SerializationContext(topic, MessageField.VALUE)
        values = [serializer(kind(id=number, state=1), context) for number in (7, 8)]
    with RegistryClient(platform.registry_url, platform.token) as registry:
        decoded = decode_frame(frame_of(spark, *values, *POISON), registry)
        found = decoded.orderBy("offset").collect()
    assert [(row.decoded.id, row.decoded.state) for row in found[:2]] == [(7, "PAID"), (8, "PAID")]
    assert all(row.quarantine_reason for row in found[2:])
