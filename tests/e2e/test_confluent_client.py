"""The unmodified Confluent Python client against the platform as `make run` starts it."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

ORDER_V1 = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
ORDER_V2 = {**ORDER_V1, "fields": [*ORDER_V1["fields"], {"name": "note", "type": "string", "default": "-"}]}
ORDER_BAD = {**ORDER_V1, "fields": [{"name": "id", "type": "string"}]}
ADDRESS = {
    "type": "record",
    "name": "Address",
    "namespace": "geo",
    "fields": [{"name": "city", "type": "string"}],
}
CUSTOMER = {"type": "record", "name": "Customer", "fields": [{"name": "home", "type": "geo.Address"}]}


@pytest.fixture
def client(platform: Platform) -> Iterator[SchemaRegistryClient]:
    with SchemaRegistryClient(platform.client_settings()) as made:
        yield made


def avro(schema: object, references: list[SchemaReference] | None = None) -> Schema:
    return Schema(json.dumps(schema), "AVRO", references or [])


def value_of(topic: str) -> SerializationContext:
    return SerializationContext(topic, MessageField.VALUE)


def serializer(client: SchemaRegistryClient, schema: object, **settings: Any) -> AvroSerializer:
    made: AvroSerializer = AvroSerializer(client, json.dumps(schema), conf=settings)
    return made


def test_a_schema_registers_once_and_reads_back(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}-value"
    first = client.register_schema(subject, avro(ORDER_V1))
    assert client.register_schema(subject, avro(ORDER_V1)) == first
    assert json.loads(client.get_schema(first).schema_str or "") == ORDER_V1
    assert client.get_versions(subject) == [1]


def test_lookup_finds_the_version_of_an_equal_text(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}-value"
    made = client.register_schema(subject, avro(ORDER_V1))
    found = client.lookup_schema(subject, Schema(json.dumps(ORDER_V1, indent=4), "AVRO"))
    assert (found.schema_id, found.version) == (made, 1)


def test_an_incompatible_schema_is_refused_with_the_reason(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}-value"
    client.register_schema(subject, avro(ORDER_V1))
    with pytest.raises(SchemaRegistryError) as refusal:
        client.register_schema(subject, avro(ORDER_BAD))
    assert (refusal.value.http_status_code, refusal.value.error_code) == (409, 40901)
    assert "TYPE_MISMATCH" in refusal.value.error_message
    assert "/fields/0/type" in refusal.value.error_message


def test_compatibility_is_tested_without_storing(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}-value"
    client.register_schema(subject, avro(ORDER_V1))
    assert client.test_compatibility(subject, avro(ORDER_V2))
    assert not client.test_compatibility(subject, avro(ORDER_BAD))
    assert client.get_versions(subject) == [1]


def test_the_level_is_set_and_read(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}-value"
    client.set_compatibility(subject, "FULL_TRANSITIVE")
    assert client.get_compatibility(subject) == "FULL_TRANSITIVE"


def test_records_come_back_as_written(client: SchemaRegistryClient, topic: str) -> None:
    written = serializer(client, ORDER_V1)({"id": 7}, value_of(topic))
    assert AvroDeserializer(client)(written, value_of(topic)) == {"id": 7}


def test_an_old_record_is_read_with_a_newer_reader_schema(client: SchemaRegistryClient, topic: str) -> None:
    written = serializer(client, ORDER_V1)({"id": 7}, value_of(topic))
    reader = AvroDeserializer(client, json.dumps(ORDER_V2))
    assert reader(written, value_of(topic)) == {"id": 7, "note": "-"}


def test_a_producer_uses_the_latest_version(client: SchemaRegistryClient, topic: str) -> None:
    client.register_schema(f"{topic}-value", avro(ORDER_V1))
    client.register_schema(f"{topic}-value", avro(ORDER_V2))
    settings = {"auto.register.schemas": False, "use.latest.version": True}
    written = serializer(client, ORDER_V1, **settings)({"id": 7, "note": "late"}, value_of(topic))
    assert AvroDeserializer(client)(written, value_of(topic)) == {"id": 7, "note": "late"}


def test_a_producer_without_registration_finds_its_schema(client: SchemaRegistryClient, topic: str) -> None:
    made = client.register_schema(f"{topic}-value", avro(ORDER_V1))
    written = serializer(client, ORDER_V1, **{"auto.register.schemas": False})({"id": 1}, value_of(topic))
    assert int.from_bytes((written or b"")[1:5]) == made


def test_a_referenced_schema_travels_with_its_referrer(client: SchemaRegistryClient, topic: str) -> None:
    client.register_schema(f"{topic}-address", avro(ADDRESS))
    schema = avro(CUSTOMER, [SchemaReference("geo.Address", f"{topic}-address", 1)])
    client.register_schema(f"{topic}-value", schema)
    written = AvroSerializer(client, schema)({"home": {"city": "Oslo"}}, value_of(topic))
    assert AvroDeserializer(client)(written, value_of(topic)) == {"home": {"city": "Oslo"}}


def test_a_protobuf_descriptor_comes_back_as_it_was_sent(client: SchemaRegistryClient, topic: str) -> None:
    name = topic.replace("-", "_")
    kind, label = FieldDescriptorProto.TYPE_INT32, FieldDescriptorProto.LABEL_OPTIONAL
    field = FieldDescriptorProto(name="id", number=1, type=kind, label=label)
    message = DescriptorProto(name="Order", field=[field])
    file = FileDescriptorProto(name=f"{name}.proto", package=name, syntax="proto3", message_type=[message])
    sent = base64.b64encode(file.SerializeToString()).decode()
    made = client.register_schema(f"{topic}-value", Schema(sent, "PROTOBUF"))
    stored = client.get_version(f"{topic}-value", 1).schema.schema_str or ""
    assert stored.startswith(f'syntax = "proto3";\npackage {name};\n')
    given = client.get_schema(made, fmt="serialized").schema_str or ""
    back = FileDescriptorProto.FromString(base64.b64decode(given))
    back.message_type[0].field[0].ClearField("json_name")  # protoc fills it in, and no name is stored
    back.name = file.name
    assert back == file


def test_a_referenced_version_cannot_be_deleted(client: SchemaRegistryClient, topic: str) -> None:
    client.register_schema(f"{topic}-address", avro(ADDRESS))
    schema = avro(CUSTOMER, [SchemaReference("geo.Address", f"{topic}-address", 1)])
    client.register_schema(f"{topic}-value", schema)
    with pytest.raises(SchemaRegistryError) as refusal:
        client.delete_version(f"{topic}-address", 1)
    assert refusal.value.error_code == 42206


def test_a_subject_is_deleted_softly_then_for_good(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}-value"
    client.register_schema(subject, avro(ORDER_V1))
    assert client.delete_subject(subject) == [1]
    assert subject not in client.get_subjects()
    assert subject in client.get_subjects(deleted=True)
    assert client.delete_subject(subject, permanent=True) == [1]
    assert subject not in client.get_subjects(deleted=True)


def test_normalized_registration_ignores_attribute_order(client: SchemaRegistryClient, topic: str) -> None:
    left = {"type": "string", "b": 1, "a": 2}
    right = {"a": 2, "b": 1, "type": "string"}
    first = client.register_schema(f"{topic}-value", avro(left), normalize_schemas=True)
    assert client.register_schema(f"{topic}-key", avro(right), normalize_schemas=True) == first


def test_a_subject_with_every_awkward_character_works(client: SchemaRegistryClient, topic: str) -> None:
    subject = f"{topic}/a b%c:d+ü漢"
    client.register_schema(subject, avro(ORDER_V1))
    assert client.get_latest_version(subject).subject == subject
    assert subject in client.get_subjects()


def test_a_bearer_token_is_accepted(platform: Platform, topic: str) -> None:
    settings = platform.bearer_settings()
    with SchemaRegistryClient(settings) as client:
        assert client.register_schema(f"{topic}-value", avro(ORDER_V1)) > 0


def test_an_unknown_id_is_a_plain_not_found(client: SchemaRegistryClient) -> None:
    with pytest.raises(SchemaRegistryError) as refusal:
        client.get_schema(2_000_000_000)
    assert (refusal.value.http_status_code, refusal.value.error_code) == (404, 40403)
