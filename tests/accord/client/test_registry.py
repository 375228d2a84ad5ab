"""The verbs of the client against Confluent-shaped answers over real HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from accord.client import CheckAnswer, Registered, RegistryNotFound
from accord.errors import ReferenceNotFound
from accord.model import Format, Reference, SchemaText, SubjectName

if TYPE_CHECKING:
    from accord.client import RegistryClient
    from tests.accord.client.stand_in import StandIn

GUID = "095d71cf-1255-6b9d-5e33-0ad575b3df5d"
STRING = SchemaText(Format.AVRO, '"string"')
ADDRESS = Reference("geo.Address", "address-value", 2)
VERSION = {"subject": "a-value", "version": 3, "id": 7, "schema": '"string"'}


def test_subjects_are_listed(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /subjects?deleted=false", ["a", ":.c:b"])
    assert client.subjects() == ["a", ":.c:b"]


def test_a_prefix_and_deleted_subjects_are_asked_for(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /subjects?deleted=true&subjectPrefix=%3A.c%3A", [])
    assert client.subjects(prefix=":.c:", has_deleted=True) == []


def test_versions_are_listed(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /subjects/a/versions", [1, 2, 4])
    assert client.versions("a") == [1, 2, 4]


@pytest.mark.parametrize(
    ("subject", "segment"),
    [
        ("a/b c%é", "a%2Fb%20c%25%C3%A9"),
        (SubjectName("a", ".ctx"), "%3A.ctx%3Aa"),
        ("..", "%2E%2E"),
        ("a?b#c", "a%3Fb%23c"),
    ],
)
def test_a_subject_travels_as_one_segment(
    client: RegistryClient, registry: StandIn, subject: SubjectName | str, segment: str
) -> None:
    registry.answer(f"GET /subjects/{segment}/versions", [1])
    assert client.versions(subject) == [1]


def test_a_version_is_read(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /subjects/a-value/versions/latest?deleted=false", {**VERSION, "guid": GUID})
    read = client.latest("a-value")
    assert (read.subject, read.number, read.id, read.guid) == (SubjectName("a-value"), 3, 7, UUID(GUID))
    assert read.schema == STRING


def test_type_and_references_are_read(client: RegistryClient, registry: StandIn) -> None:
    reference = {"name": "geo.Address", "subject": "address-value", "version": 2}
    registry.answer("GET /schemas/ids/7", {"schema": "{}", "schemaType": "JSON", "references": [reference]})
    assert client.schema(7) == SchemaText(Format.JSON, "{}", (ADDRESS,))


def test_a_schema_is_registered_with_its_references(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("POST /subjects/a/versions?normalize=true", {"id": 7})
    assert client.register("a", SchemaText(Format.AVRO, "{}", (ADDRESS,)), normalize=True) == Registered(7)
    assert registry.asked[0].body == {
        "schema": "{}",
        "schemaType": "AVRO",
        "references": [{"name": "geo.Address", "subject": "address-value", "version": 2}],
    }


def test_a_talkative_registry_tells_version_and_guid(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("POST /subjects/a/versions", {"id": 7, "version": 2, "guid": GUID, "schema": '"string"'})
    assert client.register("a", STRING) == Registered(7, 2, UUID(GUID))


def test_a_schema_is_looked_up(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("POST /subjects/a-value", VERSION)
    assert client.look_up("a-value", STRING).number == 3


def test_a_candidate_is_checked_with_reasons(client: RegistryClient, registry: StandIn) -> None:
    call = "POST /compatibility/subjects/a/versions?verbose=true"
    registry.answer(call, {"is_compatible": False, "messages": ["because"]})
    assert client.check("a", STRING) == CheckAnswer(is_compatible=False, messages=("because",))


def test_deletions_tell_what_went(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("DELETE /subjects/a?permanent=false", [1, 2])
    registry.answer("DELETE /subjects/a/versions/2?permanent=true", 2)
    assert client.delete_subject("a") == [1, 2]
    assert client.delete_version("a", 2, permanent=True) == 2


def test_levels_are_read_and_set(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /config?defaultToGlobal=true", {"compatibilityLevel": "BACKWARD"})
    registry.answer("PUT /config/a", {"compatibility": "FULL"})
    assert client.level() == "BACKWARD"
    assert client.set_level("FULL", "a") == "FULL"
    assert registry.asked[-1].body == {"compatibility": "FULL"}


def test_what_never_changes_is_asked_once(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /schemas/ids/7", {"schema": '"string"'})
    registry.answer(f"GET /schemas/guids/{GUID}", {"schema": '"string"'})
    assert {client.schema(7), client.schema(7), client.schema(UUID(GUID)), client.schema(UUID(GUID))} == {
        STRING
    }
    assert len(registry.asked) == 2


def test_a_missing_schema_is_asked_for_again(client: RegistryClient, registry: StandIn) -> None:
    registry.refuse("GET /schemas/ids/7", 404, 40403, "Schema 7 not found")
    registry.answer("GET /schemas/ids/7", {"schema": '"string"'})
    with pytest.raises(RegistryNotFound):
        client.schema(7)
    assert client.schema(7) == STRING


def test_a_numbered_reference_is_resolved_once(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /subjects/address-value/versions/2?deleted=true", VERSION)
    assert [client.resolve(ADDRESS), client.resolve(ADDRESS)] == [STRING, STRING]
    assert len(registry.asked) == 1


def test_a_reference_to_the_latest_is_asked_anew(client: RegistryClient, registry: StandIn) -> None:
    registry.answer("GET /subjects/address-value/versions/-1?deleted=true", VERSION)
    for _ in range(2):
        client.resolve(Reference("geo.Address", "address-value", -1))
    assert len(registry.asked) == 2


def test_a_dangling_reference_has_the_library_s_own_error(client: RegistryClient) -> None:
    with pytest.raises(ReferenceNotFound, match='subject "address-value" and version 2'):
        client.resolve(ADDRESS)
