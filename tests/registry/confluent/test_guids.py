"""Reads by GUID, which is the same in every context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.client import PROBE, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

GUID = "095d71cf-1255-6b9d-5e33-0ad575b3df5d"


def test_case_133_one_schema_has_one_guid_everywhere(api: Registry) -> None:
    newer = api.with_new_members()
    api.registered(":.c2:other", PROBE)
    guids = {newer.register(name, "string").body["guid"] for name in ("s", ":.c1:s", ":.c2:t")}
    assert guids == {GUID}
    pairs = [{"context": ".", "id": 1}, {"context": ".c1", "id": 1}, {"context": ".c2", "id": 2}]
    assert api.ok("GET", f"/schemas/guids/{GUID}/ids") == pairs
    assert api.ok("GET", f"/schemas/guids/{GUID}") == {"schema": '"string"'}
    unknown = api.get(f"/schemas/guids/{GUID[:-1]}0")
    assert (unknown.error, unknown.body["message"]) == ((404, 40403), f"Schema {GUID[:-1]}0 not found")


@pytest.mark.parametrize("text", [GUID, GUID.upper(), GUID.replace("-", "")])
def test_the_spellings_of_a_guid(api: Registry, text: str) -> None:
    api.registered(":.c1:s", "string")
    assert api.ok("GET", f"/schemas/guids/{text}") == {"schema": '"string"'}
    assert api.ok("GET", f"/contexts/.c9/schemas/guids/{text}/ids") == [{"context": ".c1", "id": 1}]


@pytest.mark.parametrize(
    "text", ["x", f"{{{GUID}}}", f"urn:uuid:{GUID}", GUID[:8], GUID + "0", "%00", "١" * 32]
)
def test_what_is_no_guid_is_unknown(api: Registry, text: str) -> None:
    api.registered("s", "string")
    assert api.get(f"/schemas/guids/{text}").error == (404, 40403)
    assert api.ok("GET", f"/schemas/guids/{text}/ids") == []


def test_newer_clients_see_a_schema_without_a_subject(api: Registry) -> None:
    api.registered("s", "string")
    newer = api.with_new_members()
    by_id, by_guid = newer.ok("GET", "/schemas/ids/1"), newer.ok("GET", f"/schemas/guids/{GUID}")
    assert by_guid == by_id
    assert set(by_guid) == {"guid", "schemaType", "schema", "ts", "deleted"}


def test_a_soft_deleted_schema_is_still_there(api: Registry) -> None:
    api.registered("s", "string")
    api.delete("/subjects/s")
    assert api.with_new_members().ok("GET", f"/schemas/guids/{GUID}")["deleted"] is True
    api.delete("/subjects/s?permanent=true")
    assert api.get(f"/schemas/guids/{GUID}").error == (404, 40403)
    assert api.ok("GET", f"/schemas/guids/{GUID}/ids") == []


def test_a_guid_in_another_form(api: Registry) -> None:
    api.registered("part", record("x", name="Part"))
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    reference = {"name": "Part", "subject": "part", "version": 1}
    made = api.with_new_members().register("whole", whole, references=[reference]).body
    resolved = api.ok("GET", f"/schemas/guids/{made['guid']}?format=resolved")["schema"]
    assert '"name":"x"' in resolved


def test_a_guid_opens_what_may_be_read_by_id(api: Registry, api_with: Callable[..., Registry]) -> None:
    for subject in ("s", ":.c1:t"):
        api.registered(subject, "string")
    path = f"/schemas/guids/{GUID}"
    narrow = api_with("schema.read", subjects=(":.c1:t",))
    assert narrow.ok("GET", path) == {"schema": '"string"'}
    assert narrow.ok("GET", f"{path}/ids") == [{"context": ".c1", "id": 1}]
    assert api_with("schema.read", subjects=("x",)).get(path).error == (404, 40403)
    reader = api_with("subject.read")
    assert reader.get(path).error == (403, 403)
    assert reader.ok("GET", f"{path}/ids") == []
