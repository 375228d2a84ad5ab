"""What a parameter changes where nothing else is told by its test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import PROBE, optional, record

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

USER = record({"name": "home", "type": "Probe"}, name="User")
TO_PROBE = {"name": "Probe", "subject": "s", "version": 1}


@pytest.fixture
def users(api: Registry) -> list[int]:
    """The ids of two schemas that refer to the one of subject s."""
    api.registered("s", PROBE)
    return [api.registered(name, {**USER, "doc": name}, references=[TO_PROBE]) for name in ("u", "v")]


def test_the_version_with_given_metadata_in_a_form(api: Registry, users: list[int]) -> None:
    for form, kind in (("", "Probe"), ("?format=resolved", PROBE)):
        shown = json.loads(api.ok("GET", f"/subjects/u/metadata{form}")["schema"])
        assert shown["fields"] == [{"name": "home", "type": kind}]


def test_the_text_of_a_deleted_version(api: Registry) -> None:
    api.registered("s", PROBE)
    api.delete("/subjects/s/versions/1")
    assert api.get("/subjects/s/versions/1/schema").error == (404, 40401)
    assert json.loads(api.get("/subjects/s/versions/1/schema?deleted=true").raw) == PROBE


@pytest.mark.parametrize("query", ["offset=0&limit=1", "limit=1", "offset=1", "offset=2"])
def test_referring_ids_in_pages(api: Registry, users: list[int], query: str) -> None:
    expected = {"offset=1": users[1:], "offset=2": []}.get(query, users[:1])
    assert api.ok("GET", f"/subjects/s/versions/1/referencedby?{query}") == expected


def test_the_versions_of_an_id_in_pages(api: Registry) -> None:
    for subject in ("a", "b"):
        api.registered(subject, PROBE)
    assert api.ok("GET", "/schemas/ids/1/versions?offset=1") == [{"subject": "b", "version": 1}]


def test_a_check_of_what_is_normalized_first(api: Registry) -> None:
    api.registered("s", record("a"))
    for path in ("s/versions?normalize=true", "s/versions/1?normalize=true"):
        assert api.check(path, record("a", optional("b"))).body == {"is_compatible": True}
        assert api.check(path, record("b")).body == {"is_compatible": False}


def test_the_top_level_always_has_settings(api: Registry) -> None:
    api.ok("PUT", "/config/:.__GLOBAL:", {"compatibility": "FULL"})
    api.mode(":.__GLOBAL:", "READONLY_OVERRIDE")
    assert api.ok("GET", "/config?defaultToGlobal=true") == {"compatibilityLevel": "FULL"}
    assert api.ok("GET", "/mode?defaultToGlobal=true") == {"mode": "READONLY_OVERRIDE"}


def test_the_modes_of_the_default_context_go_together(api: Registry) -> None:
    api.mode("s", "READONLY")
    assert api.delete("/mode?recursive=true").body == {}
    assert api.get("/mode/s").error == (404, 40409)


def test_a_subject_is_forced_into_an_import(api: Registry) -> None:
    api.registered("s", PROBE)
    assert api.call("PUT", "/mode/s", {"mode": "IMPORT"}).error == (422, 42205)
    api.mode("s", "IMPORT", "?force=true")
    assert api.versions("s") == [1]


def test_associations_are_asked_for_by_id_as_well(api: Registry) -> None:
    assert api.get("/associations/resources/orders").error == (404, 40410)
