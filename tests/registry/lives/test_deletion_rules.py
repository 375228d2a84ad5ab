"""Switches that forbid deletions: of the installation, of a tenant, of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import Registry, record
from tests.registry.lives.asking import refused, traces
from tests.registry.policies.asking import NAMESPACE, TENANT, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

OPEN = {"forbids_soft": False, "forbids_permanent": False}
SOFT, PERMANENT = {**OPEN, "forbids_soft": True}, {**OPEN, "forbids_permanent": True}


@pytest.fixture(autouse=True)
def versions(api: Registry) -> None:
    """A subject with two versions, of which one is soft-deleted."""
    api.registered("s", record("a"))
    api.level("s", "NONE")
    api.registered("s", record("b"))
    api.delete("/subjects/s/versions/1")


def put(native: Native, place: str, rules: dict[str, bool], **headers: str) -> Any:
    return native.call("PUT", f"{place}/deletion-rules", rules, **(headers or {"If_Match": "*"}))


@pytest.mark.parametrize(("place", "by"), [(NAMESPACE, "namespace"), (TENANT, "tenant")])
def test_deletions_are_switched_off_and_on(
    api: Registry, native: Native, scope: Scope, place: str, by: str
) -> None:
    born = native.ok("GET", f"{place}/deletion-rules")
    assert born == {**OPEN, "revision": 1, "in_force": {}}
    made = put(native, place, SOFT, If_Match='"1"')
    assert made.json() == {**SOFT, "revision": 2, "in_force": {"soft": by}}
    for path in ("/subjects/s", "/subjects/s/versions/2", "/subjects/s/versions/latest"):
        refusal = api.delete(path)
        assert refusal.error == (422, 42205)
        assert f"Soft deletion is switched off by the {by}" in refusal.body["message"]
    assert api.delete("/subjects/s/versions/1?permanent=true").status == 200
    _, noted = traces(scope, "deletion_rules.changed")
    assert (noted.before, noted.after) == (OPEN, SOFT)
    assert refused(put(native, place, OPEN, If_Match='"1"')) == (412, "changed_meanwhile")
    assert put(native, place, PERMANENT).json()["in_force"] == {"permanent": by}
    assert api.delete("/subjects/s").status == 200
    assert api.delete("/subjects/s?permanent=true").error == (422, 42205)
    assert api.delete("/subjects/s/versions/2?permanent=true").error == (422, 42205)
    put(native, place, OPEN)
    assert api.delete("/subjects/s?permanent=true").status == 200


def test_the_outermost_is_named(api: Registry, native: Native, settings: Any) -> None:
    put(native, NAMESPACE, PERMANENT)
    put(native, TENANT, PERMANENT)
    path = "/subjects/s/versions/1?permanent=true"
    assert "by the tenant" in api.delete(path).body["message"]
    settings.ACCORD_FORBIDDEN_DELETIONS = "all"
    refusal = api.delete(path)
    assert "by the installation. Only its operator" in refusal.body["message"]
    assert "ACCORD_FORBIDDEN_DELETIONS" in refusal.body["message"]
    assert native.ok("GET", f"{NAMESPACE}/deletion-rules")["in_force"] == {
        "soft": "installation",
        "permanent": "installation",
    }
    settings.ACCORD_FORBIDDEN_DELETIONS = "soft"
    assert "by the installation" in api.delete("/subjects/s").body["message"]
    assert "by the tenant" in api.delete(path).body["message"]


def test_forced_changes_of_mode_delete_nothing_for_good(api: Registry, native: Native) -> None:
    put(native, NAMESPACE, PERMANENT)
    api.delete("/subjects/s")
    assert api.call("PUT", "/mode/s", {"mode": "IMPORT"}).error == (422, 42205)
    put(native, NAMESPACE, OPEN)
    api.ok("PUT", "/mode/s", {"mode": "IMPORT"})


def test_imports_delete_nothing_either(api: Registry, native: Native) -> None:
    run = native.ok("POST", f"{NAMESPACE}/imports", {"source": "elsewhere"})["id"]
    put(native, NAMESPACE, SOFT)
    line = {"context": ".", "subject": "s", "version": 2}
    answer = native.call("POST", f"{NAMESPACE}/imports/{run}/deletions", line)
    assert refused(answer) == (403, "deletion_forbidden")
    assert api.versions("s") == [2]


def test_who_may_switch(api_with: Callable[..., Registry]) -> None:
    reader = Native(api_with("namespace.read", "tenant.read").token)
    for place in (NAMESPACE, TENANT):
        assert reader.call("GET", f"{place}/deletion-rules").status_code == 200
        assert refused(put(reader, place, SOFT)) == (403, "right_missing")
