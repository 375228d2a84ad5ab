"""What `@confluentinc/schemaregistry` does beyond the calls of every client: records, rules, headers."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import descriptor_pb2

from tests.e2e.clients.driver import ClientError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.e2e.clients.driver import Driver
    from tests.e2e.clients.programs import Clients

pytestmark = pytest.mark.e2e

LATEST = {"useLatestVersion": True}
AVRO = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "fields": [{"name": "id", "type": "int"}, {"name": "note", "type": "string", "confluent:tags": ["PII"]}],
}
JSON = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Order",
    "type": "object",
    "properties": {"id": {"type": "integer"}, "note": {"type": "string", "confluent:tags": ["PII"]}},
}
PROTO = 'syntax = "proto3";\npackage shop;\nmessage Order {\n  int32 id = 1;\n  string note = 2;\n}\n'
SCHEMAS = {"AVRO": json.dumps(AVRO), "JSON": json.dumps(JSON), "PROTOBUF": PROTO}
ORDER = {"id": 7, "note": "late"}


@pytest.fixture
def client(clients: Clients) -> Driver:
    return clients["confluent-js"]


def descriptors() -> str:
    """Return a set with the file of `shop.Order`, as a program in JavaScript has it from its compiler."""
    kinds = descriptor_pb2.FieldDescriptorProto
    message = descriptor_pb2.DescriptorProto(name="Order")
    for number, (name, kind) in enumerate((("id", kinds.TYPE_INT32), ("note", kinds.TYPE_STRING)), start=1):
        message.field.add(name=name, number=number, type=kind, label=kinds.LABEL_OPTIONAL, json_name=name)
    file = descriptor_pb2.FileDescriptorProto(
        name="shop/order.proto", package="shop", syntax="proto3", message_type=[message]
    )
    return base64.b64encode(descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()).decode()


def record(topic: str, kind: str, value: object, **settings: object) -> dict[str, Any]:
    """Return the arguments of a serialization."""
    about = {"descriptors": descriptors(), "message": "shop.Order"} if kind == "PROTOBUF" else {}
    return {"topic": topic, "type": kind, "value": value, "conf": settings, **about}


def read(
    client: Driver, topic: str, kind: str, written: dict[str, Any], **settings: object
) -> dict[str, Any]:
    value = client.call("deserialize", topic=topic, type=kind, conf=settings, **written)
    return {name: value[name] for name in value if not name.startswith("$")}


def register(client: Driver, subject: str, kind: str, **more: object) -> int:
    made: int = client.call("register", subject=subject, schemaType=kind, schema=SCHEMAS[kind], **more)
    return made


def rules(kind: str, *some: Mapping[str, object]) -> dict[str, object]:
    return {kind: list(some)}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_records_are_written_with_the_latest_version(client: Driver, kind: str, topic: str) -> None:
    made = register(client, f"{topic}-value", kind)
    written = client.call("serialize", **record(topic, kind, ORDER, **LATEST))
    assert int.from_bytes(base64.b64decode(written["payload"])[1:5]) == made
    assert read(client, topic, kind, written) == ORDER


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_producer_registers_what_it_writes(client: Driver, kind: str, topic: str) -> None:
    written = client.call("serialize", **record(topic, kind, ORDER, autoRegisterSchemas=True))
    assert client.call("versions", subject=f"{topic}-value") == [1]
    assert read(client, topic, kind, written) == ORDER


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_guid_travels_in_a_header(client: Driver, kind: str, topic: str) -> None:
    register(client, f"{topic}-value", kind)
    written = client.call("serialize", **record(topic, kind, ORDER, guid=True, **LATEST))
    header = base64.b64decode(written["header"])
    guid = client.call("latest", subject=f"{topic}-value")["guid"]
    assert (header[0], header[1:17].hex()) == (1, guid.replace("-", ""))
    assert read(client, topic, kind, written) == ORDER


def test_a_schema_is_read_by_its_guid(client: Driver, topic: str) -> None:
    made = client.call("register_full", subject=topic, schemaType="JSON", schema=SCHEMAS["JSON"])
    assert json.loads(client.call("by_guid", guid=made["guid"])["schema"]) == JSON


@pytest.mark.parametrize(("strategy", "subject"), [("RECORD", "{name}"), ("TOPIC_RECORD", "{topic}-{name}")])
@pytest.mark.parametrize(("kind", "name"), [("AVRO", "Record1"), ("PROTOBUF", "shop.Order")])
def test_a_strategy_names_the_subject(
    client: Driver, kind: str, name: str, strategy: str, subject: str, topic: str
) -> None:
    asked = record(topic, kind, ORDER, autoRegisterSchemas=True, strategy=strategy)
    written = client.call("serialize", **asked)
    assert client.call("versions", subject=subject.format(topic=topic, name=name))
    assert read(client, topic, kind, written, strategy=strategy) == ORDER


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_version_is_chosen_by_its_metadata(client: Driver, kind: str, topic: str) -> None:
    subject = f"{topic}-value"
    client.call("set_level", subject=subject, level="NONE")
    for stage in ("test", "live", "draft"):
        register(client, subject, kind, metadata={"properties": {"stage": stage}})
    found = client.call("with_metadata", subject=subject, metadata={"stage": "live"})
    assert found["version"] == 2
    conf = {"useLatestWithMetadata": {"stage": "live"}}
    written = client.call("serialize", **record(topic, kind, ORDER, **conf))
    assert int.from_bytes(base64.b64decode(written["payload"])[1:5]) == found["id"]


@pytest.mark.parametrize("kind", ["AVRO", "JSON"])
def test_a_condition_in_cel_refuses_a_record(client: Driver, kind: str, topic: str) -> None:
    rule = {
        "name": "small",
        "kind": "CONDITION",
        "type": "CEL",
        "mode": "WRITE",
        "expr": "message.note.size() < 6",
    }
    register(client, f"{topic}-value", kind, ruleSet=rules("domainRules", rule))
    written = client.call("serialize", **record(topic, kind, ORDER, **LATEST))
    assert read(client, topic, kind, written) == ORDER
    with pytest.raises(ClientError, match="small"):
        client.call("serialize", **record(topic, kind, {"id": 1, "note": "far too long"}, **LATEST))


@pytest.mark.parametrize("kind", ["AVRO", "JSON"])
def test_a_transformation_in_cel_reaches_tagged_fields(client: Driver, kind: str, topic: str) -> None:
    rule = {
        "name": "hide",
        "kind": "TRANSFORM",
        "type": "CEL_FIELD",
        "mode": "WRITE",
        "tags": ["PII"],
        "expr": "typeName == 'STRING' ; value + '-hidden'",
    }
    register(client, f"{topic}-value", kind, ruleSet=rules("domainRules", rule))
    written = client.call("serialize", **record(topic, kind, ORDER, **LATEST))
    assert read(client, topic, kind, written) == {"id": 7, "note": "late-hidden"}


def test_a_migration_in_jsonata_renames_a_field(client: Driver, topic: str) -> None:
    subject = f"{topic}-value"
    client.call("set_config", subject=subject, config={"compatibilityGroup": "major"})
    register(client, subject, "JSON", metadata={"properties": {"major": "1"}})
    written = client.call("serialize", **record(topic, "JSON", ORDER, **LATEST))
    changed = {**JSON, "properties": {"id": {"type": "integer"}, "remark": {"type": "string"}}}
    rule = {
        "name": "rename",
        "kind": "TRANSFORM",
        "type": "JSONATA",
        "mode": "UPGRADE",
        "expr": "$merge([$sift($, function($v, $k) {$k != 'note'}), {'remark': $.'note'}])",
    }
    client.call(
        "register",
        subject=subject,
        schemaType="JSON",
        schema=json.dumps(changed),
        metadata={"properties": {"major": "2"}},
        ruleSet=rules("migrationRules", rule),
    )
    value = read(client, topic, "JSON", written, useLatestWithMetadata={"major": "2"})
    assert value == {"id": 7, "remark": "late"}


@pytest.mark.parametrize("kind", ["AVRO", "JSON", "PROTOBUF"])
def test_a_schema_is_read_with_what_it_refers_to(client: Driver, kind: str, topic: str) -> None:
    inner, outer, name = REFERENCES[kind]
    client.call("register", subject=f"{topic}-inner", schemaType=kind, schema=inner)
    references = [{"name": name, "subject": f"{topic}-inner", "version": 1}]
    client.call("register", subject=f"{topic}-value", schemaType=kind, schema=outer, references=references)
    assert client.call("latest", subject=f"{topic}-value")["references"] == references
    with pytest.raises(ClientError) as refused:
        client.call("delete_version", subject=f"{topic}-inner", version=1)
    assert refused.value.code == 42206


@pytest.mark.parametrize("kind", ["AVRO", "JSON"])
def test_a_record_is_written_with_what_its_schema_refers_to(client: Driver, kind: str, topic: str) -> None:
    inner, outer, name = REFERENCES[kind]
    client.call("register", subject=f"{topic}-inner", schemaType=kind, schema=inner)
    references = [{"name": name, "subject": f"{topic}-inner", "version": 1}]
    client.call("register", subject=f"{topic}-value", schemaType=kind, schema=outer, references=references)
    customer = {"home": {"city": "Oslo"}}
    written = client.call("serialize", **record(topic, kind, customer, **LATEST, validate=True))
    assert read(client, topic, kind, written) == customer


REFERENCES = {
    "AVRO": (
        json.dumps(
            {
                "type": "record",
                "name": "Address",
                "namespace": "geo",
                "fields": [{"name": "city", "type": "string"}],
            }
        ),
        json.dumps(
            {"type": "record", "name": "Customer", "fields": [{"name": "home", "type": "geo.Address"}]}
        ),
        "geo.Address",
    ),
    "JSON": (
        json.dumps({"type": "object", "properties": {"city": {"type": "string"}}}),
        json.dumps({"type": "object", "properties": {"home": {"$ref": "address.json"}}}),
        "address.json",
    ),
    "PROTOBUF": (
        'syntax = "proto3";\npackage geo;\nmessage Address {\n  string city = 1;\n}\n',
        'syntax = "proto3";\nimport "geo/address.proto";\nmessage Customer {\n  geo.Address home = 1;\n}\n',
        "geo/address.proto",
    ),
}


def test_a_whole_record_of_settings_is_written_and_read(client: Driver, topic: str) -> None:
    config = {"compatibility": "FORWARD", "normalize": True, "compatibilityGroup": "major"}
    client.call("set_config", subject=topic, config=config)
    told = client.call("config", subject=topic)
    assert told == {"compatibilityLevel": "FORWARD", "normalize": True, "compatibilityGroup": "major"}


def test_the_level_of_the_registry_is_read(client: Driver) -> None:
    assert client.call("default_level") == "BACKWARD"


def test_associations_are_a_plain_not_found(client: Driver, topic: str) -> None:
    with pytest.raises(ClientError) as refused:
        client.call("associations", topic=topic)
    assert refused.value.status == 404


def test_a_bearer_token_is_accepted(client: Driver, topic: str) -> None:
    register(client, topic, "AVRO")
    assert topic in client.call("subjects_with", auth="bearer")
