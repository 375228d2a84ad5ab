"""The history of a subject: what was in force at each registration, and what the verdict was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit import tenancy
from registry.models import Version
from registry.registration_records import Outcome
from tests.registry.client import Registry, optional, record
from tests.registry.policies.asking import NAMESPACE, TENANT, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

HISTORY = f"{NAMESPACE}/subjects/s/history"
HOUSE: dict[str, Any] = {
    "name": "house",
    "default": {"preset": "confluent", "also_warns": "accord:queue-safe"},
}
NOTHING_FOUND = {"block": 0, "warn": 0, "info": 0}


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice."""
    return Native(api.token)


def history(native: Native, query: str = "") -> list[Any]:
    items: list[Any] = native.ok("GET", HISTORY + query)["items"]
    return items


def verdicts(native: Native) -> list[tuple[str, int]]:
    """What became of each registration, oldest first, and with how many versions it was compared."""
    return [(one["verdict"]["outcome"], one["verdict"]["compared"]) for one in reversed(history(native))]


@pytest.mark.parametrize(
    ("outcome", "is_compatible"),
    [("first", True), ("allowed", True), ("waived", False), ("unchecked", None), ("imported", None)],
)
def test_an_outcome_says_whether_it_is_compatible(outcome: str, is_compatible: bool | None) -> None:
    assert Outcome(outcome).is_compatible is is_compatible


def test_an_entry_tells_who_when_under_what_and_with_which_verdict(native: Native, api: Registry) -> None:
    number = api.registered("s", record("a"))
    (entry,) = history(native)
    assert (entry["version"], entry["id"], entry["format"], entry["level"]) == (1, number, "AVRO", "BACKWARD")
    assert (entry["created_by"], entry["deleted_at"], entry["findings"]) == ("person:alice", None, [])
    assert entry["verdict"] == {
        "outcome": "first",
        "is_compatible": True,
        "compared": 0,
        "findings": NOTHING_FOUND,
        "waived_by": None,
    }
    in_force = entry["in_force"]
    assert (in_force["preset"], in_force["policies"]) == ("confluent:8.1", [])
    assert in_force["level_origin"] == in_force["preset_origin"]
    assert in_force["level_origin"]["kind"] == "installation"


def test_later_changes_of_policy_change_no_entry(native: Native, api: Registry) -> None:
    native.enforce(HOUSE)
    api.registered("s", record("a"))
    first = history(native)
    native.replace("house", {"name": "house", "default": {"level": "NONE"}}, 1)
    native.ok("DELETE", f"{NAMESPACE}/policy-binding", If_Match="*")
    native.ok("DELETE", f"{TENANT}/policies/house", If_Match="*")
    assert history(native) == first
    (policy,) = first[0]["in_force"]["policies"]
    assert policy == {"policy": "house", "version": 1, "place": {"reach": "namespace", "name": "default"}}
    origin = first[0]["in_force"]["preset_origin"]
    assert (origin["policy"], origin["version"], origin["section"]) == ("house", 1, "default")


def test_the_outcome_says_how_a_version_was_let_in(native: Native, api: Registry) -> None:
    for level, schema in (("FULL_TRANSITIVE", record("a")), ("NONE", record("b"))):
        api.level("s", level)
        api.registered("s", schema)
    api.level("s", "BACKWARD_TRANSITIVE")
    api.registered("s", record(optional("a"), optional("b")))
    assert verdicts(native) == [("first", 0), ("unchecked", 0), ("allowed", 2)]
    newest = history(native)[0]["in_force"]["level_origin"]
    assert (newest["kind"], newest["scope"]) == ("config", "subject s")


def test_what_is_imported_was_not_judged(native: Native, api: Registry) -> None:
    api.mode("s", "IMPORT", "?force=true")
    assert api.register("s", record("a"), id=7, version=4).status == 200
    (entry,) = history(native)
    assert (entry["version"], entry["id"], entry["verdict"]["outcome"]) == (4, 7, "imported")


def test_warnings_are_counted_and_kept(native: Native, api: Registry) -> None:
    native.enforce(HOUSE)
    api.registered("s", record("a"))
    api.registered("s", record({"name": "a", "type": "long"}))
    entry = history(native)[0]
    assert entry["verdict"]["findings"] == {**NOTHING_FOUND, "warn": len(entry["findings"])}
    finding = entry["findings"][0]
    assert (finding["severity"], finding["direction"], finding["version"]) == ("warn", "backward", 1)


def test_it_comes_in_parts_with_soft_deleted_versions_marked(native: Native, api: Registry) -> None:
    for count in range(3):
        api.registered("s", record(*[optional(f"f{number}") for number in range(count)]))
    api.delete("/subjects/s/versions/2")
    part = native.ok("GET", f"{HISTORY}?limit=2")
    assert [(one["version"], bool(one["deleted_at"])) for one in part["items"]] == [(3, False), (2, True)]
    rest = native.ok("GET", f"{HISTORY}?limit=2&cursor={part['next']}")
    assert ([one["version"] for one in rest["items"]], rest["next"]) == ([1], None)
    api.delete("/subjects/s")
    assert len(history(native)) == 3
    api.delete("/subjects/s?permanent=true")
    gone = native.call("GET", HISTORY)
    assert (gone.status_code, gone.json()["code"]) == (404, "subject_not_found")


def test_policies_are_told_to_who_may_read_them(
    native: Native, api: Registry, api_with: Callable[..., Registry]
) -> None:
    native.enforce(HOUSE)
    api.registered("s", record("a"))
    (entry,) = history(Native(api_with("subject.read").token))
    assert (entry["in_force"], entry["level"], entry["verdict"]["outcome"]) == (None, "BACKWARD", "first")


def test_what_was_stored_before_tells_what_it_knows(native: Native, api: Registry, scope: Scope) -> None:
    api.registered("s", record("a"))
    with tenancy.tenant_context(scope.tenant.id):
        Version.objects.scoped(scope).update(in_force=None, judged=None)
    (entry,) = history(native)
    assert (entry["in_force"], entry["verdict"], entry["level"]) == (None, None, "BACKWARD")
