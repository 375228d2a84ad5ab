"""ClickHouse itself reads records of Kafka by the ids in front of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import chdb
import pytest
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

from tests.e2e.clients.addresses import address

if TYPE_CHECKING:
    from pathlib import Path

    from confluent_kafka.schema_registry import SchemaRegistryClient

    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ORDER: dict[str, Any] = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
WIDER: dict[str, Any] = {
    **ORDER,
    "fields": [*ORDER["fields"], {"name": "note", "type": ["null", "string"], "default": None}],
}
COLUMNS = "id Int64, note Nullable(String)"


def rows(path: Path, registry: str) -> list[Any]:
    """Read a file of framed records as ClickHouse reads a topic."""
    settings = f"format_avro_schema_registry_url = '{registry}', input_format_avro_allow_missing_fields = 1"
    read = f"SELECT * FROM file('{path}', 'AvroConfluent', '{COLUMNS}') ORDER BY id SETTINGS {settings}"  # noqa: S608  # of this test alone
    printed = chdb.query(read, "JSONCompactEachRow")  # type: ignore[no-untyped-call]  # comes without types
    return [json.loads(line) for line in str(printed).splitlines()]


def test_clickhouse_reads_records_of_two_versions(
    client: SchemaRegistryClient, platform: Platform, topic: str, tmp_path: Path
) -> None:
    context = SerializationContext(topic, MessageField.VALUE)
    old, new = (AvroSerializer(client, json.dumps(schema)) for schema in (ORDER, WIDER))
    written = [old({"id": 1}, context), new({"id": 2, "note": "späť"}, context), old({"id": 3}, context)]
    path = tmp_path / "records"
    path.write_bytes(b"".join(one or b"" for one in written))
    assert [int(one[0]) for one in rows(path, address(platform))] == [1, 2, 3]
    assert [one[1] for one in rows(path, address(platform, "OAuth"))] == [None, "späť", None]


def test_clickhouse_is_told_that_an_id_is_not_there(platform: Platform, tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_bytes(b"\0" + (2_000_000_000).to_bytes(4) + b"\2")
    with pytest.raises(RuntimeError, match=r"404|not found"):
        rows(path, address(platform))
