"""Searching what older versions had, and by the level that is in force."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from registry.models import FieldEntry
from tests.registry.client import Registry, optional, record
from tests.registry.discovery.asking import Searcher, settle
from tests.registry.policies.asking import NAMESPACE, TENANT, Native

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor

pytestmark = pytest.mark.django_db


@pytest.fixture
def searcher(alice: Actor, api: Registry) -> Searcher:
    """Alice, after a subject had three versions: ``b`` was in two of them, ``c`` in one."""
    for names in ("abc", "ab", "a"):
        api.registered("s", record(*map(optional, names)))
    settle(alice.tenant.id)
    return Searcher(api.token)


def test_what_the_latest_has_no_more_is_found_in_history_alone(searcher: Searcher) -> None:
    assert searcher.paths("field:b") == []
    (hit,) = searcher.found("field:b in:history")["items"]
    assert (hit["subject"], hit["version"], hit["is_past"]) == ("s", 2, True)
    assert searcher.found("field:c -in:latest")["items"][0]["version"] == 1
    assert searcher.paths("field:a in:history") == []
    assert searcher.found("field:a in:latest")["items"][0]["is_past"] is False


def test_versions_that_are_deleted_are_no_history(searcher: Searcher, api: Registry, alice: Actor) -> None:
    api.ok("DELETE", "/subjects/s/versions/2")
    assert searcher.paths("field:b in:history") == []
    settle(alice.tenant.id)
    assert searcher.found("field:b in:history")["items"][0]["version"] == 1
    api.ok("DELETE", "/subjects/s")
    settle(alice.tenant.id)
    assert searcher.paths("field:b in:history") == []
    assert searcher.paths("field:b in:history state:deleted") == ["s#b"]


def test_past_fields_are_not_in_the_dictionary(searcher: Searcher) -> None:
    found = Native(searcher.token).ok("GET", f"{TENANT}/fields")
    assert [one["name"] for one in found["items"]] == ["a"]


def test_of_very_many_past_fields_some_are_listed(
    api: Registry, scope: Scope, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.services.indexing.MOST_PAST", 1)
    for names in ("abc", "a"):
        api.registered("s", record(*map(optional, names)))
    settle(alice.tenant.id)
    with tenancy.tenant_context(scope.tenant.id):
        assert FieldEntry.objects.scoped(scope).filter(number__gt=0).count() == 1


def test_levels_are_searched_by_as_they_are_in_force(searcher: Searcher, api: Registry, alice: Actor) -> None:
    assert searcher.found("field:a compat:backward")["items"][0]["level"] == "BACKWARD"
    assert searcher.found("field:a")["facets"]["compat"] == [{"value": "backward", "count": 1}]
    api.ok("PUT", "/config/s", {"compatibility": "FULL_TRANSITIVE"})
    settle(alice.tenant.id)
    assert searcher.paths("field:a compat:full*") == ["s#a"]
    api.ok("PUT", "/config", {"compatibility": "NONE"})
    settle(alice.tenant.id)
    assert searcher.paths("field:a compat:full*") == ["s#a"]
    api.ok("DELETE", "/config/s")
    settle(alice.tenant.id)
    assert searcher.paths("field:a compat:none") == ["s#a"]
    assert searcher.paths("field:a -compat:none") == []


def test_levels_of_policies_are_searched_by(api: Registry, alice: Actor) -> None:
    for name in ("orders-a", "orders-b", "people"):
        api.registered(name, record("a"))
    native, searcher = Native(api.token), Searcher(api.token)

    def levels() -> list[str]:
        settle(alice.tenant.id)
        return [one["level"] for one in sorted(searcher.found("field:a")["items"], key=itemgetter("subject"))]

    native.enforce("name: all\ndefault: {level: FULL}\n", f"{TENANT}/policy-binding")
    assert levels() == ["FULL"] * 3
    native.enforce("name: here\ndefault: {level: FORWARD}\n")
    assert levels() == ["FORWARD"] * 3
    native.enforce("name: some\ndefault: {level: NONE}\n", f"{NAMESPACE}/prefixes/orders-/policy-binding")
    assert levels() == ["NONE", "NONE", "FORWARD"]
    native.enforce("name: one\ndefault: {level: FULL}\n", f"{NAMESPACE}/subjects/orders-b/policy-binding")
    assert levels() == ["NONE", "FULL", "FORWARD"]
    native.replace("one", "name: one\ndefault: {level: BACKWARD}\n", 1)
    assert levels() == ["NONE", "BACKWARD", "FORWARD"]
    api.registered(":.other:orders-a", record("a"))
    assert sorted(levels()) == ["BACKWARD", "FORWARD", "FORWARD", "NONE"]
