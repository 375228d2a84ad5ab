"""What every client of other languages does, in one table: the same calls through each that has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.e2e.clients.driver import ClientError
from tests.e2e.clients.names import AWKWARD, LONGEST, awkward

if TYPE_CHECKING:
    from tests.e2e.clients.driver import Driver
    from tests.e2e.clients.programs import Clients
    from tests.e2e.platform import Platform

pytestmark = pytest.mark.e2e

AVRO = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
AVRO_2 = {**AVRO, "fields": [*AVRO["fields"], {"name": "note", "type": "string", "default": "-"}]}
AVRO_BAD = {**AVRO, "fields": [{"name": "id", "type": "string"}]}
JSON = {"type": "object", "title": "Order", "properties": {"id": {"type": "integer"}}}
PROTO = 'syntax = "proto3";\npackage shop;\n\nmessage Order {\n  int64 id = 1;\n}\n'
SCHEMAS = {"AVRO": json.dumps(AVRO), "JSON": json.dumps(JSON), "PROTOBUF": PROTO}

EVERY = ("confluent-js", "kafkajs", "franz-go", "lensesio-go", "confluent-java")
# Clients that know more than Avro, that delete, that set levels.
FORMATS = ("confluent-js", "kafkajs", "franz-go")
DELETING = ("confluent-js", "franz-go", "confluent-java")
LISTING = (*DELETING, "lensesio-go")
# What a client cannot say: one cleans its paths of dots, one encodes UTF-16 where UTF-8 is meant.
UNSPEAKABLE = {"lensesio-go": {"dots"}, "confluent-java": {"letters", "emoji", "longest of emoji"}}
SPOKEN = [(name, kind) for name in EVERY for kind in AWKWARD if kind not in UNSPEAKABLE.get(name, ())]


@pytest.fixture
def client(request: pytest.FixtureRequest, clients: Clients) -> Driver:
    return clients[request.param]


def each(*names: str) -> pytest.MarkDecorator:
    """Run a test with each of these clients."""
    return pytest.mark.parametrize("client", names, indirect=True)


def avro(schema: object) -> dict[str, Any]:
    return {"schemaType": "AVRO", "schema": json.dumps(schema)}


@pytest.mark.parametrize(("name", "kind"), [(one, kind) for one in FORMATS for kind in SCHEMAS])
def test_a_schema_of_each_format_registers_once(clients: Clients, name: str, kind: str, topic: str) -> None:
    given = {"subject": topic, "schemaType": kind, "schema": SCHEMAS[kind]}
    first = clients[name].call("register", **given)
    assert clients[name].call("register", **given) == first
    assert clients[name].call("lookup", **given)["id"] == first


@each(*EVERY)
def test_a_schema_reads_back(client: Driver, platform: Platform, topic: str) -> None:
    made = client.call("register", subject=topic, **avro(AVRO))
    assert client.call("latest", subject=topic)["id"] == made
    assert client.call("version", subject=topic, version=1)["id"] == made
    assert platform.versions(topic) == [1]


@each(*LISTING)
def test_ids_versions_and_subjects_are_read(client: Driver, topic: str) -> None:
    made = client.call("register", subject=topic, **avro(AVRO))
    assert json.loads(client.call("by_id", id=made)["schema"]) == AVRO
    assert client.call("versions", subject=topic) == [1]
    assert topic in client.call("subjects")
    assert client.call("lookup", subject=topic, **avro(AVRO))["version"] == 1


@each(*EVERY)
def test_an_incompatible_schema_is_refused_with_the_reason(client: Driver, topic: str) -> None:
    client.call("register", subject=topic, **avro(AVRO))
    with pytest.raises(ClientError) as refused:
        client.call("register", subject=topic, **avro(AVRO_BAD))
    assert refused.value.status in {409, None}
    assert refused.value.code in {40901, None}
    assert "TYPE_MISMATCH" in refused.value.message


@each(*EVERY)
def test_a_subject_that_is_not_there_is_said(client: Driver, topic: str) -> None:
    with pytest.raises(ClientError, match=r"40401|not found") as refused:
        client.call("latest", subject=topic)
    assert refused.value.status in {404, None}


@each(*DELETING)
def test_compatibility_is_asked_without_storing(client: Driver, topic: str) -> None:
    client.call("register", subject=topic, **avro(AVRO))
    assert client.call("compatible", subject=topic, **avro(AVRO_2)) is True
    assert client.call("compatible", subject=topic, **avro(AVRO_BAD)) is False
    assert client.call("versions", subject=topic) == [1]


@each(*DELETING)
def test_a_level_is_set_and_read(client: Driver, topic: str) -> None:
    assert client.call("set_level", subject=topic, level="FULL_TRANSITIVE") == "FULL_TRANSITIVE"
    assert client.call("level", subject=topic) == "FULL_TRANSITIVE"


@each(*DELETING)
def test_versions_and_subjects_are_deleted(client: Driver, platform: Platform, topic: str) -> None:
    for schema in (AVRO, AVRO_2):
        client.call("register", subject=topic, **avro(schema))
    client.call("delete_version", subject=topic, version=1)
    assert client.call("versions", subject=topic) == [2]
    assert client.call("delete", subject=topic, permanent=False) == [2]
    assert client.call("delete", subject=topic, permanent=True) == [1, 2]
    assert topic not in platform.call("GET", "/subjects?deleted=true").json()


def test_the_table_of_names_is_as_awkward_as_it_says(topic: str) -> None:
    names = [awkward(kind, topic) for kind in AWKWARD]
    assert len(set(names)) == len(AWKWARD)
    assert {len(awkward(kind, topic)) for kind in ("longest", "longest of emoji")} == {LONGEST}


@pytest.mark.parametrize(("name", "kind"), [one for one in SPOKEN if one[0] not in DELETING])
def test_an_awkward_name_registers_and_reads(
    clients: Clients, platform: Platform, name: str, kind: str, topic: str
) -> None:
    subject = awkward(kind, topic)
    made = clients[name].call("register", subject=subject, **avro(AVRO))
    assert clients[name].call("latest", subject=subject)["id"] == made
    assert clients[name].call("lookup", subject=subject, **avro(AVRO))
    assert platform.versions(subject) == [1]


@pytest.mark.parametrize(("name", "kind"), [one for one in SPOKEN if one[0] in DELETING])
def test_an_awkward_name_registers_reads_and_is_deleted(
    clients: Clients, platform: Platform, name: str, kind: str, topic: str
) -> None:
    client, subject = clients[name], awkward(kind, topic)
    made = client.call("register", subject=subject, **avro(AVRO))
    assert client.call("latest", subject=subject)["id"] == made
    assert client.call("lookup", subject=subject, **avro(AVRO))
    assert client.call("set_level", subject=subject, level="NONE") == "NONE"
    assert client.call("compatible", subject=subject, **avro(AVRO_BAD)) is True
    assert platform.versions(subject) == [1]
    client.call("delete", subject=subject, permanent=False)
    client.call("delete", subject=subject, permanent=True)
    gone = platform.call("GET", f"/subjects/{quote(subject, safe='')}/versions?deleted=true")
    assert gone.status_code == 404
