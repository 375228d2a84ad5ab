"""The calls of Confluent's client for Python beside its serializers, in three formats where they have one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from confluent_kafka.schema_registry import (
    ConfigCompatibilityLevel,
    Schema,
    SchemaReference,
    SchemaRegistryClient,
    ServerConfig,
)
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer, ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from tests.e2e.clients.formats import schema_of

if TYPE_CHECKING:
    from tests.e2e.clients.formats import Kit

pytestmark = pytest.mark.e2e

CUSTOMER = {"home": {"city": "Oslo"}}


def value_of(topic: str) -> SerializationContext:
    return SerializationContext(topic, MessageField.VALUE)


def test_a_reference_of_avro_is_followed(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, topic: str
) -> None:
    city = {"name": "city", "type": "string"}
    address = {"type": "record", "name": "Address", "namespace": "geo", "fields": [city]}
    home = {"name": "home", "type": "geo.Address"}
    customer = {"type": "record", "name": "Customer", "fields": [home]}
    client.register_schema(f"{topic}-address", Schema(json.dumps(address), "AVRO"))
    reference = SchemaReference("geo.Address", f"{topic}-address", 1)
    schema = Schema(json.dumps(customer), "AVRO", [reference])
    written = AvroSerializer(client, schema)(CUSTOMER, value_of(topic))
    assert AvroDeserializer(consumer)(written, value_of(topic)) == CUSTOMER
    assert client.get_latest_version(f"{topic}-value").schema.references == [reference]


def test_a_reference_of_json_schema_is_followed(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, topic: str
) -> None:
    address = {"type": "object", "properties": {"city": {"type": "string"}}}
    customer = {"title": "Customer", "type": "object", "properties": {"home": {"$ref": "address.json"}}}
    client.register_schema(f"{topic}-address", Schema(json.dumps(address), "JSON"))
    schema = Schema(json.dumps(customer), "JSON", [SchemaReference("address.json", f"{topic}-address", 1)])
    writer = JSONSerializer(schema, client)
    written = writer(CUSTOMER, value_of(topic))
    reader = JSONDeserializer(None, schema_registry_client=consumer)
    assert reader(written, value_of(topic)) == CUSTOMER


def test_a_message_brings_the_files_it_imports(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, topic: str
) -> None:
    """The serializer registers each imported file under its own name, and the file that imports it after."""
    package = topic.replace("-", "_")
    field, optional = FieldDescriptorProto, FieldDescriptorProto.LABEL_OPTIONAL
    city = field(name="city", number=1, type=field.TYPE_STRING, label=optional)
    address = FileDescriptorProto(
        name=f"{package}/address.proto",
        package=package,
        syntax="proto3",
        message_type=[DescriptorProto(name="Address", field=[city])],
    )
    home = field(
        name="home", number=1, type=field.TYPE_MESSAGE, label=optional, type_name=f".{package}.Address"
    )
    customer = FileDescriptorProto(
        name=f"{package}/customer.proto",
        package=package,
        syntax="proto3",
        dependency=[address.name],
        message_type=[DescriptorProto(name="Customer", field=[home])],
    )
    pool = DescriptorPool()
    for file in (address, customer):
        pool.Add(file)
    message = GetMessageClass(pool.FindMessageTypeByName(f"{package}.Customer"))
    written = ProtobufSerializer(message, client)(message(**CUSTOMER), value_of(topic))
    read = ProtobufDeserializer(message, schema_registry_client=consumer)(written, value_of(topic))
    assert read.home.city == "Oslo"
    reference = SchemaReference(address.name, address.name, 1)
    assert client.get_latest_version(f"{topic}-value").schema.references == [reference]
    assert client.get_referenced_by(address.name, 1) == [
        client.get_latest_version(f"{topic}-value").schema_id
    ]


def test_every_use_of_a_schema_is_found(client: SchemaRegistryClient, kit: Kit, topic: str) -> None:
    subjects = [f"{topic}-{one}" for one in "ab"]
    number = {client.register_schema(one, schema_of(kit, "email")) for one in subjects}.pop()
    assert client.get_subjects_by_schema_id(number) == subjects
    uses = client.get_schema_versions(number)
    assert [(one.subject, one.version) for one in uses] == [(one, 1) for one in subjects]
    assert kit.kind in client.get_schema_types()
    assert client.get_subjects(subject_prefix=topic) == subjects
    assert client.get_schema(number, subjects[0], fmt="").schema_type == kit.kind


def test_what_was_deleted_is_listed_apart(client: SchemaRegistryClient, kit: Kit, topic: str) -> None:
    for texts in (("email",), ("email", "note")):
        client.register_schema(topic, schema_of(kit, *texts))
    assert client.delete_version(topic, 1) == 1
    assert client.get_versions(topic) == [2]
    assert client.get_versions(topic, deleted_only=True) == [1]
    assert client.get_version(topic, 1, deleted=True).version == 1
    assert client.delete_version(topic, 1, permanent=True) == 1
    assert client.delete_subject(topic) == [2]
    assert client.delete_subject(topic, permanent=True) == [2]
    with pytest.raises(SchemaRegistryError) as missing:
        client.get_versions(topic, deleted=True)
    assert missing.value.error_code == 40401


def test_candidates_are_checked_against_one_and_all(
    client: SchemaRegistryClient, kit: Kit, topic: str
) -> None:
    client.register_schema(topic, schema_of(kit, "email"))
    client.set_compatibility(topic, "BACKWARD_TRANSITIVE")
    wider = schema_of(kit, "email", "note")
    assert client.test_compatibility(topic, wider)
    assert client.test_compatibility(topic, wider, 1)
    assert client.test_compatibility_all_versions(topic, wider)
    with pytest.raises(SchemaRegistryError) as unreadable:
        client.test_compatibility(topic, Schema("{", kit.kind))
    assert unreadable.value.error_code == 42201
    assert client.get_compatibility(topic) == "BACKWARD_TRANSITIVE"


def test_settings_of_a_subject_are_written_read_and_dropped(client: SchemaRegistryClient, topic: str) -> None:
    client.set_config(
        topic, ServerConfig(compatibility=ConfigCompatibilityLevel.FULL, compatibility_group="major")
    )
    kept = client.get_config(topic)
    assert (kept.compatibility_level, kept.compatibility_group) == ("FULL", "major")
    assert client.delete_config(topic).compatibility_level == "FULL"
    with pytest.raises(SchemaRegistryError) as missing:
        client.get_config(topic)
    assert missing.value.error_code == 40408
    assert client.update_mode(topic, "READONLY") == "READONLY"
    assert client.get_mode(topic) == "READONLY"
    assert client.delete_mode(topic) == "READONLY"
    assert client.get_global_mode() == "READWRITE"
    assert client.get_contexts()[0] == "."
