"""The dictionary of fields: names with their types, conflicts, rights, parts of the list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_server.kit import tenancy
from registry.queries import field_dictionary, search_sources
from tests.registry.client import Registry, record
from tests.registry.discovery.asking import settle
from tests.registry.policies.asking import TENANT, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.cast import Actor

pytestmark = pytest.mark.django_db


@pytest.fixture
def _listed(api: Registry, alice: Actor) -> None:
    """Three subjects: ``id`` is a string in two and a long in one, ``total`` an integer in two formats."""
    text = {"name": "Id", "type": "string"}
    api.registered("a-value", record({"name": "id", "type": "string"}, {"name": "total", "type": "long"}))
    api.registered("b-value", record(text))
    api.registered("c-value", record({"name": "id", "type": "long"}))
    schema = json.dumps({"type": "object", "properties": {"total": {"type": "integer"}}})
    api.ok("POST", "/subjects/d-value/versions", {"schema": schema, "schemaType": "JSON"})
    settle(alice.tenant.id)


def names(token: str, query: str = "") -> Any:
    return Native(token).ok("GET", f"{TENANT}/fields{query}")


@pytest.mark.usefixtures("_listed")
def test_names_tell_their_types_and_whether_those_conflict(api: Registry) -> None:
    found = names(api.token)
    assert [(one["name"], one["is_conflicting"]) for one in found["items"]] == [
        ("Id", True),
        ("total", False),
    ]
    assert found["items"][0]["types"] == [
        {"format": "AVRO", "type": "string", "subjects": 2},
        {"format": "AVRO", "type": "long", "subjects": 1},
    ]
    assert [one["name"] for one in names(api.token, "?q=TO")["items"]] == ["total"]
    assert [one["name"] for one in names(api.token, "?conflicts=true")["items"]] == ["Id"]


@pytest.mark.usefixtures("_listed")
def test_a_name_tells_where_each_type_is(api: Registry) -> None:
    found = Native(api.token).ok("GET", f"{TENANT}/fields/ID")
    assert found["is_conflicting"]
    assert [(one["type"], [place["subject"] for place in one["places"]]) for one in found["types"]] == [
        ("string", ["a-value", "b-value"]),
        ("long", ["c-value"]),
    ]
    assert found["types"][1]["places"][0] == {
        "namespace": "default",
        "subject": "c-value",
        "version": 1,
        "path": "id",
    }


@pytest.mark.usefixtures("_listed")
def test_what_may_not_be_read_is_not_in_the_dictionary(api_with: Callable[..., Registry]) -> None:
    few = api_with("subject.read", subjects=("b-*",)).token
    assert [(one["name"], one["is_conflicting"]) for one in names(few)["items"]] == [("Id", False)]
    assert len(Native(few).ok("GET", f"{TENANT}/fields/id")["types"]) == 1
    for name in ("total", "missing"):
        nothing: Any = {"name": name, "is_conflicting": False, "types": []}
        assert Native(few).ok("GET", f"{TENANT}/fields/{name}") == nothing


@pytest.mark.usefixtures("_listed")
def test_the_list_goes_on_behind_a_name(api: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    first = names(api.token, "?limit=1")
    second = names(api.token, f"?limit=1&cursor={first['next']}")
    assert [one["items"][0]["name"] for one in (first, second)] == ["Id", "total"]
    assert second["next"] is None
    monkeypatch.setattr(field_dictionary, "LOOKED_THROUGH", 1)
    assert names(api.token, f"?conflicts=true&cursor={first['next']}")["items"] == []
    assert names(api.token, "?conflicts=true&limit=1")["next"] == first["next"]


def test_more_conflicts_than_asked_for_are_behind(api: Registry, alice: Actor) -> None:
    for subject, type_ in (("s", "string"), ("t", "long")):
        api.registered(subject, record(*({"name": name, "type": type_} for name in "ab")))
    settle(alice.tenant.id)
    first = names(api.token, "?conflicts=true&limit=1")
    assert [one["name"] for one in first["items"]] == ["a"]
    rest = names(api.token, f"?conflicts=true&limit=1&cursor={first['next']}")
    assert [one["name"] for one in rest["items"]] == ["b"]


@pytest.mark.usefixtures("_listed")
def test_the_dictionary_serves_as_well_where_there_are_many_subjects(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = search_sources.sources_of
    # None of the others is there, so that they change nothing but the way names are looked for.
    many = list(range(-600, 0))
    monkeypatch.setattr(field_dictionary, "sources_of", lambda *asked: [*sources(*asked), *many])
    with tenancy.tenant_context(scope.tenant.id):
        found = field_dictionary.field_names(scope, limit=10).names
    assert [(one.name, one.is_conflicting) for one in found] == [("Id", True), ("total", False)]


@pytest.mark.usefixtures("_listed")
def test_many_subjects_cost_as_many_statements_as_few(api: Registry, scope: Scope, alice: Actor) -> None:
    def statements() -> list[int]:
        counts = []
        for ask in (
            lambda: field_dictionary.field_names(scope, limit=10),
            lambda: field_dictionary.field_named(scope, "id"),
        ):
            with tenancy.tenant_context(scope.tenant.id), CaptureQueriesContext(connection) as captured:
                ask()
            counts.append(len(captured))
        return counts

    few = statements()
    for number in range(20):
        api.registered(
            f"more-{number}", record({"name": "id", "type": "string"}, {"name": f"x{number}", "type": "int"})
        )
    settle(alice.tenant.id)
    assert statements() == few
