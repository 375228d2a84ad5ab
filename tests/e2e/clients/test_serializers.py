"""Every serializer and deserializer of Confluent's client for Python, with what they can be told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from confluent_kafka.schema_registry import (
    AsyncSchemaRegistryClient,
    SchemaRegistryClient,
    header_schema_id_serializer,
    record_subject_name_strategy,
    topic_record_subject_name_strategy,
    topic_subject_name_strategy,
)
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.serialization import MessageField, SerializationContext

from tests.e2e.clients.formats import schema_of

if TYPE_CHECKING:
    from tests.e2e.clients.formats import Kit
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ORDER = {"id": 7, "email": "a@b.c"}
LATER_ORDER = {**ORDER, "note": "late"}


def value_of(topic: str, headers: Any = None) -> SerializationContext:
    return SerializationContext(topic, MessageField.VALUE, headers)


def id_of(written: bytes) -> int:
    assert written[0] == 0
    return int.from_bytes(written[1:5])


@pytest.mark.parametrize("field", [MessageField.KEY, MessageField.VALUE])
def test_keys_and_values_come_back_as_written(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, kit: Kit, topic: str, field: MessageField
) -> None:
    context = SerializationContext(topic, field)
    written = kit.writer(client, "email")(kit.value(ORDER), context)
    assert kit.plain(kit.reader(consumer, "email")(written, context)) == ORDER
    assert client.get_latest_version(f"{topic}-{field}").schema_id == id_of(written)


def test_what_is_awaited_comes_back_too(platform: Platform, kit: Kit, topic: str) -> None:
    async def there_and_back() -> Any:
        conf = platform.client_settings()
        async with AsyncSchemaRegistryClient(conf) as client, AsyncSchemaRegistryClient(conf) as consumer:
            writer = await kit.async_writer(client, "email")
            reader = await kit.async_reader(consumer, "email")
            return await reader(await writer(kit.value(ORDER), value_of(topic)), value_of(topic))

    assert kit.plain(asyncio.run(there_and_back())) == ORDER


@pytest.mark.parametrize(
    ("strategy", "subject"),
    [
        (topic_subject_name_strategy, "{topic}-value"),
        (record_subject_name_strategy, "{record}"),
        (topic_record_subject_name_strategy, "{topic}-{record}"),
    ],
    ids=["topic", "record", "topic and record"],
)
def test_subjects_are_named_by_the_strategy(
    client: SchemaRegistryClient,
    consumer: SchemaRegistryClient,
    kit: Kit,
    topic: str,
    strategy: Any,
    subject: str,
) -> None:
    writer = kit.writer(client, "email", subject_name_strategy=strategy)
    written = writer(kit.value(ORDER), value_of(topic))
    named = subject.format(topic=topic, record=kit.record_name)
    assert client.get_latest_version(named).schema_id == id_of(written)
    reader = kit.reader(consumer, "email", subject_name_strategy=strategy)
    assert kit.plain(reader(written, value_of(topic))) == ORDER


def test_a_producer_that_may_not_register_finds_its_schema(
    client: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    writer = kit.writer(client, "email", auto_register_schemas=False)
    with pytest.raises(SchemaRegistryError) as missing:
        writer(kit.value(ORDER), value_of(topic))
    assert missing.value.error_code == 40401
    number = client.register_schema(f"{topic}-value", schema_of(kit, "email"))
    assert id_of(writer(kit.value(ORDER), value_of(topic))) == number


def test_a_producer_uses_the_latest_version(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    client.register_schema(f"{topic}-value", schema_of(kit, "email"))
    latest = client.register_schema(f"{topic}-value", schema_of(kit, "email", "note"))
    latest_only: dict[str, Any] = {"auto_register_schemas": False, "use_latest_version": True}
    written = kit.writer(client, "email", "note", **latest_only)(kit.value(LATER_ORDER), value_of(topic))
    assert id_of(written) == latest
    reader = kit.reader(consumer, "email", "note", use_latest_version=True)
    assert kit.plain(reader(written, value_of(topic))) == LATER_ORDER


def test_a_producer_uses_the_version_with_its_metadata(
    client: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    subject = f"{topic}-value"
    first = client.register_schema(subject, schema_of(kit, "email", properties={"stage": "old one"}))
    client.register_schema(subject, schema_of(kit, "email", "note", properties={"stage": "new"}))
    chosen: dict[str, Any] = {"auto_register_schemas": False, "use_latest_with_metadata": {"stage": "new"}}
    newer = kit.writer(client, "email", "note", **chosen)(kit.value(LATER_ORDER), value_of(topic))
    assert id_of(newer) == client.get_latest_version(subject).schema_id
    found = client.get_latest_with_metadata(subject, {"stage": "new"})
    assert (found.version, found.schema_id) == (2, id_of(newer))
    assert client.get_version(subject, 1).schema_id == first
    with pytest.raises(SchemaRegistryError) as missing:
        client.get_latest_with_metadata(subject, {"stage": "none"})
    assert missing.value.error_code == 40403


def test_the_schema_travels_as_a_guid_in_a_header(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    headers: dict[str, bytes] = {}
    writer = kit.writer(client, "email", schema_id_serializer=header_schema_id_serializer)
    written = writer(kit.value(ORDER), value_of(topic, headers))
    carried = headers["__value_schema_id"]
    found = client.get_schema_by_guid(str(UUID(bytes=carried[1:17])))
    stored = client.get_latest_version(f"{topic}-value").schema
    assert (carried[0], found.schema_str) == (1, stored.schema_str)
    reader = kit.reader(consumer, "email")
    assert kit.plain(reader(written, value_of(topic, headers))) == ORDER


def test_a_producer_that_may_not_register_names_the_guid_too(
    client: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    made = client.register_schema_full_response(f"{topic}-value", schema_of(kit, "email"))
    headers: dict[str, bytes] = {}
    latest_only: dict[str, Any] = {"auto_register_schemas": False, "use_latest_version": True}
    writer = kit.writer(client, "email", schema_id_serializer=header_schema_id_serializer, **latest_only)
    writer(kit.value(ORDER), value_of(topic, headers))
    assert str(UUID(bytes=headers["__value_schema_id"][1:17])) == made.guid


def test_a_text_is_found_in_another_order_when_it_is_normalized(
    client: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    written = kit.writer(client, "email", normalize_schemas=True)(kit.value(ORDER), value_of(topic))
    stored = client.get_schema(id_of(written))
    again = client.lookup_schema(f"{topic}-value", stored, normalize_schemas=True)
    assert (again.schema_id, again.version) == (id_of(written), 1)
