"""python-schema-registry-client, which knows Avro and JSON Schema."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from schema_registry.client import AsyncSchemaRegistryClient, SchemaRegistryClient
from schema_registry.client.errors import ClientError
from schema_registry.client.schema import AvroSchema, JsonSchema
from schema_registry.serializers.message_serializer import (
    AsyncAvroMessageSerializer,
    AvroMessageSerializer,
    JsonMessageSerializer,
)

from tests.e2e.clients.addresses import address, other_client

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ORDER: dict[str, Any] = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
NOTE = {"name": "note", "type": "string"}
WIDER = {**ORDER, "fields": [*ORDER["fields"], {**NOTE, "default": "-"}]}
OTHER = {**ORDER, "fields": [*ORDER["fields"], NOTE]}
NUMBER, TEXT = {"type": "integer"}, {"type": "string"}
OBJECT = {"type": "object", "properties": {"id": NUMBER}, "additionalProperties": False}
GROWN = {**OBJECT, "properties": {"id": NUMBER, "note": TEXT}}


@pytest.fixture
def other(platform: Platform) -> SchemaRegistryClient:
    """The client, with its credentials in the address."""
    return other_client(platform)


@pytest.mark.parametrize(
    ("schema", "wider"),
    [(AvroSchema(ORDER), AvroSchema(WIDER)), (JsonSchema(OBJECT), JsonSchema(GROWN))],
    ids=["AVRO", "JSON"],
)
def test_a_schema_is_registered_read_and_deleted(
    other: SchemaRegistryClient, topic: str, schema: Any, wider: Any
) -> None:
    assert other.check_version(topic, schema) is None
    number = other.register(topic, schema)
    assert other.register(topic, schema) == number
    found = other.get_by_id(number)
    assert found is not None
    assert found.raw_schema == schema.raw_schema
    assert other.test_compatibility(topic, wider)
    newer = other.register(topic, wider)
    latest = other.get_schema(topic)
    assert latest is not None
    assert (latest.version, latest.schema_id) == (2, newer)
    assert other.get_versions(topic) == [1, 2]
    uses = other.get_schema_subject_versions(newer)
    assert uses is not None
    assert any((one.subject, one.version) == (topic, 2) for one in uses)
    assert other.delete_version(topic, 1) == 1
    assert other.delete_subject(topic) == [2]
    assert topic not in other.get_subjects()


def test_a_refusal_has_its_code_and_reason(other: SchemaRegistryClient, topic: str) -> None:
    other.register(topic, AvroSchema(ORDER))
    with pytest.raises(ClientError) as refused:
        other.register(topic, AvroSchema(OTHER))
    assert refused.value.http_code == 409
    assert not other.test_compatibility(topic, AvroSchema(OTHER))
    said: Any = other.test_compatibility(topic, AvroSchema(OTHER), verbose=True)
    assert "READER_FIELD_MISSING_DEFAULT_VALUE" in said["messages"][0]
    assert other.delete_subject(f"{topic}-none") == []


def test_levels_are_set_and_read(other: SchemaRegistryClient, topic: str) -> None:
    """Without a subject the client reads ``/config/``, with a slash at the end."""
    assert other.get_compatibility() == "BACKWARD"
    with pytest.raises(ClientError) as unset:
        other.get_compatibility(topic)
    assert unset.value.http_code == 404
    assert other.update_compatibility("FULL", topic)
    assert other.get_compatibility(topic) == "FULL"


def test_records_come_back_as_written(other: SchemaRegistryClient, platform: Platform, topic: str) -> None:
    avro, json_ = AvroMessageSerializer(other), JsonMessageSerializer(other)
    for serializer, schema in ((avro, AvroSchema(ORDER)), (json_, JsonSchema(OBJECT))):
        subject = f"{topic}-{schema.schema_type}"
        written = serializer.encode_record_with_schema(subject, schema, {"id": 7})
        stranger = type(serializer)(other_client(platform))
        assert stranger.decode_message(written) == {"id": 7}


def test_what_is_awaited_comes_back_too(platform: Platform, topic: str) -> None:
    async def there_and_back() -> Any:
        client = AsyncSchemaRegistryClient(address(platform))
        client.client_kwargs["verify"] = False
        serializer = AsyncAvroMessageSerializer(client)
        written = await serializer.encode_record_with_schema(topic, AvroSchema(ORDER), {"id": 7})
        return await serializer.decode_message(written)

    assert asyncio.run(there_and_back()) == {"id": 7}
