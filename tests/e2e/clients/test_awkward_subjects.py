"""Subjects that addresses spell otherwise: registered, read and deleted by each client that allows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient

from tests.e2e.clients.addresses import other_client
from tests.e2e.clients.names import AWKWARD, awkward

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

FIELD = {"name": "id", "type": "long"}
# The other client puts a name into the address as it is: what means something there names another subject.
QUOTED = {"encoded slash", "query and fragment", "dots", "percent", "brackets"}
UNQUOTED = [name for name in AWKWARD if name not in QUOTED]


def order(topic: str) -> dict[str, object]:
    return {"type": "record", "name": "Order", "doc": topic, "fields": [FIELD]}


@pytest.mark.parametrize("name", AWKWARD)
def test_a_subject_lives_and_ends(client: SchemaRegistryClient, topic: str, name: str) -> None:
    subject, schema = awkward(name, topic), Schema(json.dumps(order(topic)), "AVRO")
    number = client.register_schema(subject, schema)
    assert client.lookup_schema(subject, schema).version == 1
    latest = client.get_latest_version(subject)
    assert (latest.subject, latest.schema_id) == (subject, number)
    assert subject in client.get_subjects(subject_prefix=subject)
    assert client.get_subjects_by_schema_id(number) == [subject]
    assert client.test_compatibility(subject, schema)
    assert client.set_compatibility(subject, "FULL")["compatibility"] == "FULL"  # type: ignore[index]  # an object, whatever its stubs say
    assert client.get_compatibility(subject) == "FULL"
    assert client.update_mode(subject, "READWRITE") == client.get_mode(subject) == "READWRITE"
    assert client.delete_version(subject, 1) == 1
    assert client.delete_subject(subject, permanent=True) == [1]
    assert subject not in client.get_subjects(deleted=True)


@pytest.mark.parametrize("name", AWKWARD)
def test_a_reference_may_lead_there(client: SchemaRegistryClient, topic: str, name: str) -> None:
    subject = awkward(name, topic)
    client.register_schema(subject, Schema(json.dumps(order(topic)), "AVRO"))
    home = {"name": "home", "type": "Order"}
    user = {"type": "record", "name": "User", "fields": [home]}
    reference = SchemaReference("Order", subject, 1)
    number = client.register_schema(f"{topic}-value", Schema(json.dumps(user), "AVRO", [reference]))
    assert client.get_referenced_by(subject, 1) == [number]
    assert client.get_latest_version(f"{topic}-value").schema.references == [reference]


@pytest.mark.parametrize("name", UNQUOTED)
def test_a_subject_lives_and_ends_where_names_are_not_quoted(
    platform: Platform, topic: str, name: str
) -> None:
    client, subject = other_client(platform), awkward(name, topic)
    number = client.register(subject, order(topic))
    found = client.get_schema(subject)
    assert found is not None
    assert (found.subject, found.schema_id) == (subject, number)
    assert client.get_versions(subject) == [1]
    assert client.update_compatibility("FULL", subject)
    assert client.get_compatibility(subject) == "FULL"
    assert client.delete_version(subject, 1) == 1
    assert client.get_versions(subject) == []
