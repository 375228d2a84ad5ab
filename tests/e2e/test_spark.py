"""From an unmodified Kafka serializer through the live registry into a Parquet table."""

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
from confluent_kafka.serialization import MessageField, SerializationContext

from accord.pipeline import SessionSettings, build_session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.platform import Platform

pytestmark = [pytest.mark.e2e, pytest.mark.spark]

COMMAND = [sys.executable, "-c", "from accord.pipeline.jobs import main; main()", "decode"]
ID = {"name": "id", "type": "long"}
NOTE = {"name": "note", "type": ["null", "string"], "default": None}
POISON = [b"", b"test", b"\x07\0\0\0\x01x", b"\0\x7f\xff\xff\xff\x02", b"\0\0"]


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


def rows(folder: Path) -> list[tuple[int, str | None]]:
    """The decoded table, read back in a Spark of its own."""
    session = build_session(SessionSettings(name="accord-test", master="local[1]"))
    try:
        table = session.read.parquet(str(folder / "out")).select("id", "note")
        return sorted(tuple(row) for row in table.collect())
    finally:
        session.stop()


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # PySpark's own
def test_records_of_the_live_registry_become_a_table(platform: Platform, topic: str, tmp_path: Path) -> None:
    dump(tmp_path / "in", [*written(platform, topic), *POISON])
    report = decode(platform, tmp_path)
    assert (report["read"], report["decoded"]) == (105, 100)
    assert sum(report["quarantined"].values()) == len(POISON)
    table = rows(tmp_path)
    assert table[0] == (0, None)
    assert table[99] == (99, "n99")
