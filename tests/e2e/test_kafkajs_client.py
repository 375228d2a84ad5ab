"""What `@kafkajs/confluent-schema-registry` does beyond the calls of every client: records, levels."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.clients.driver import ClientError

if TYPE_CHECKING:
    from tests.e2e.clients.driver import Driver
    from tests.e2e.clients.programs import Clients
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

AVRO = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "int"}]}
AVRO_2 = {**AVRO, "fields": [*AVRO["fields"], {"name": "note", "type": "string", "default": "-"}]}
JSON = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
PROTO = 'syntax = "proto3";\npackage shop;\nmessage Order {\n  int32 id = 1;\n}\n'
SCHEMAS = {"AVRO": json.dumps(AVRO), "JSON": json.dumps(JSON), "PROTOBUF": PROTO}
ADDRESS = {"type": "record", "name": "Address", "fields": [{"name": "city", "type": "string"}]}
CUSTOMER = {"type": "record", "name": "Customer", "fields": [{"name": "home", "type": "Address"}]}


@pytest.fixture
def client(clients: Clients) -> Driver:
    return clients["kafkajs"]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_records_come_back_as_written(client: Driver, kind: str, topic: str) -> None:
    made = client.call("register", subject=topic, schemaType=kind, schema=SCHEMAS[kind])
    payload = client.call("encode", id=made, value={"id": 7})
    assert int.from_bytes(base64.b64decode(payload)[1:5]) == made
    assert client.call("decode", payload=payload) == {"id": 7}


def test_an_old_record_is_read_with_a_newer_schema(client: Driver, topic: str) -> None:
    made = client.call("register", subject=topic, schemaType="AVRO", schema=json.dumps(AVRO))
    payload = client.call("encode", id=made, value={"id": 7})
    assert client.call("decode", payload=payload, reader=AVRO_2) == {"id": 7, "note": "-"}


def test_the_first_registration_sets_the_level(client: Driver, platform: Platform, topic: str) -> None:
    assert platform.call("GET", f"/config/{topic}").status_code == 404
    given = {"subject": topic, "schemaType": "AVRO", "schema": json.dumps(AVRO)}
    client.call("register", level="FORWARD", **given)
    assert platform.call("GET", f"/config/{topic}").json() == {"compatibilityLevel": "FORWARD"}
    with pytest.raises(ClientError, match="Compatibility does not match"):
        client.call("register", level="FULL", **given)


def test_a_record_is_written_with_what_its_schema_refers_to(client: Driver, topic: str) -> None:
    client.call("register", subject=f"{topic}-inner", schemaType="AVRO", schema=json.dumps(ADDRESS))
    references = [{"name": "Address", "subject": f"{topic}-inner", "version": 1}]
    text = json.dumps(CUSTOMER)
    made = client.call("register", subject=topic, schemaType="AVRO", schema=text, references=references)
    payload = client.call("encode", id=made, value={"home": {"city": "Oslo"}})
    assert client.call("decode", payload=payload) == {"home": {"city": "Oslo"}}


def test_an_unknown_id_is_a_plain_not_found(client: Driver) -> None:
    payload = base64.b64encode(b"\0" + (2_000_000_000).to_bytes(4) + b"x").decode()
    with pytest.raises(ClientError) as refused:
        client.call("decode", payload=payload)
    assert refused.value.status == 404
