"""States of versions of modules: what deprecated and disabled ones are still served for, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.model import SubjectName
from accord.policy import Budget
from accord_server.kit import tenancy
from registry.life_records import ChangeState
from registry.queries.modules import module_versions
from registry.services import module_states
from registry.services.configuration import change_config
from registry.services.module_judging import judged
from registry.services.module_states import change_module_state
from registry.version_states import VersionState
from tests.registry.client import Registry
from tests.registry.descriptors.asking import BROKEN, GROWN, TEXTS, Shelf
from tests.registry.lives.asking import WHY, refused, traces
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.model import Verdict
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

MODULE = f"{NAMESPACE}/modules/shop"
MORE = {**GROWN, "more.proto": 'syntax = "proto3"; message More {}'}
V1, V2 = "/modules/shop/versions/1", "/modules/shop/versions/2"


@pytest.fixture
def native(shelf: Shelf) -> Native:
    """The native API as Alice, with two versions of a module."""
    shelf.push("shop", TEXTS)
    shelf.push("shop", GROWN)
    return Native(shelf.token)


def at(number: int, module: str = MODULE) -> str:
    return f"{module}/versions/{number}/state"


def put(native: Native, number: int, state: str, module: str = MODULE) -> Any:
    return native.call("PUT", at(number, module), {"state": state, "reason": WHY}, If_Match="*")


def become(native: Native, number: int, state: str) -> Any:
    answer = put(native, number, state)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_state_is_changed_with_a_reason(native: Native, scope: Scope) -> None:
    born = native.call("GET", at(1))
    assert born.json() == {
        "module": "shop",
        "version": 1,
        "state": "enabled",
        "since": None,
        "transitions": ["deprecated", "disabled"],
        "revision": 1,
        "changes": [],
    }
    body = {"state": "deprecated", "reason": WHY}
    changed = native.call("PUT", at(1), body, If_Match=born.headers["ETag"])
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    (step,) = changed.json()["changes"]
    assert (step["before"], step["after"], step["reason"], step["changed_by"]) == (
        "enabled", "deprecated", WHY, "person:alice"
    )  # fmt: skip
    said, noted = traces(scope, "module.state_changed")
    assert said == {"module": "shop", "version": 1, "before": "enabled", "after": "deprecated", "reason": WHY}
    assert (noted.object_name, noted.before) == ("shop/1", {"state": "enabled"})
    assert refused(native.call("PUT", at(1), body, If_Match='"1"')) == (412, "changed_meanwhile")
    assert become(native, 1, "deprecated")["revision"] == 2
    assert native.call("GET", at(1), If_None_Match='"2"').status_code == 304


def test_what_cannot_be_changed(native: Native, shelf: Shelf, shelf_with: Callable[..., Shelf]) -> None:
    assert put(native, 1, "gone").status_code == 400
    assert refused(put(native, 9, "disabled")) == (404, "module_version_not_found")
    assert refused(put(native, 1, "disabled", f"{NAMESPACE}/modules/none")) == (404, "module_not_found")
    blind = put(Native(shelf_with("version.promote").token), 1, "disabled")
    assert refused(blind) == (403, "right_missing")
    assert "desc.read" in blind.json()["detail"]
    reader = Native(shelf_with("desc.read").token)
    assert refused(put(reader, 1, "disabled")) == (403, "right_missing")
    stranger = Native(shelf_with("desc.read", "version.promote", subjects=("other",)).token)
    assert refused(put(stranger, 1, "disabled")) == (404, "module_not_found")
    Registry(shelf.token).mode("shop", "READONLY")
    assert refused(put(native, 1, "disabled")) == (409, "read_only")


def test_a_deprecated_version_is_served_with_a_warning(native: Native, shelf: Shelf) -> None:
    reads = [V2, "/modules/shop/versions/latest/set", f"{V2}/zip", f"{V2}/files", f"{V2}/files/item.proto"]
    reads += [f"{V2}/{one}" for one in ("packages", "messages", "services")]
    assert not any("Deprecation" in shelf.get(path).headers for path in reads)
    since = become(native, 2, "deprecated")["since"]
    for path in reads:
        answer = shelf.get(path)
        assert answer.status == 200
        assert answer.headers["Deprecation"].startswith("@")
        assert f"deprecated since {since[:10]}" in answer.headers["Warning"]
    for path in reads[1:3] + reads[4:5]:
        same = shelf.get(path, If_None_Match=shelf.get(path).headers["ETag"])
        assert (same.status, "Deprecation" in same.headers) == (304, True)
    assert "Deprecation" not in shelf.get(f"{V1}/set").headers


def test_a_disabled_version_is_kept_and_not_handed_out(native: Native, shelf: Shelf) -> None:
    shelf.push("base", TEXTS)
    become(native, 2, "disabled")
    told = shelf.get(V2)
    assert (told.body["state"], "disabled since" in told.headers["Warning"]) == ("disabled", True)
    assert shelf.ok("GET", "/modules/shop/versions") == [1, 2]
    assert {one["name"]: one["latest"] for one in shelf.ok("GET", "/modules")["modules"]}["shop"] == 1
    assert shelf.ok("GET", "/modules/shop/versions/latest")["version"] == 1
    for path in (f"{V2}/set", f"{V2}/zip", f"{V2}/files/item.proto"):
        answer = shelf.get(path)
        assert answer.error == (409, "module_version_disabled")
        assert "version.promote" in answer.body["detail"]
    body = {"file": "item.proto", "subject": "x"}
    assert shelf.call("POST", f"{V2}/subjects", body).error == (409, "module_version_disabled")
    # It is looked at all the same.
    assert shelf.get(f"{V2}/messages").status == 200
    # It does not come in again, and nothing new depends on it.
    assert shelf.push("shop", GROWN).error == (409, "module_version_disabled")
    depends = shelf.push("cart", {"cart.proto": 'syntax = "proto3"; message C {}'}, "?depends=shop@2")
    assert depends.error == (409, "module_version_disabled")
    assert shelf.push("shop", MORE, "?expect=1").body["version"] == 3


def test_where_all_are_disabled_there_is_no_latest(native: Native, shelf: Shelf) -> None:
    become(native, 1, "disabled")
    become(native, 2, "disabled")
    assert shelf.get("/modules/shop/versions/latest/set").error == (404, "module_version_not_found")
    (module,) = shelf.ok("GET", "/modules")["modules"]
    assert (module["latest"], module["versions"]) == (None, 2)
    assert shelf.push("shop", BROKEN).body["version"] == 3


def test_what_comes_back_goes_with_those_around_it(native: Native, shelf: Shelf) -> None:
    become(native, 2, "disabled")
    become(native, 1, "disabled")
    assert shelf.push("shop", BROKEN).body["version"] == 3
    back = put(native, 2, "enabled")
    assert refused(back) == (409, "module_state_refused")
    assert "version 3 could not follow version 2" in back.json()["detail"]
    # Version 1 is no neighbour of version 3 once version 2 stands between them.
    become(native, 3, "disabled")
    become(native, 2, "enabled")
    become(native, 1, "deprecated")
    assert refused(put(native, 3, "enabled")) == (409, "module_state_refused")


def test_what_comes_back_is_judged_by_the_settings_in_force_when_it_is_stored(
    native: Native, shelf: Shelf, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_config(scope, SubjectName("shop"), {"compatibilityLevel": "NONE"})
    assert shelf.push("shop", BROKEN).body["version"] == 3
    become(native, 3, "disabled")

    def judged_too_early(*about: Any, **more: Any) -> Verdict:
        verdict = judged(*about, **more)
        change_config(scope, SubjectName("shop"), {"compatibilityLevel": "FULL"})
        return verdict

    monkeypatch.setattr(module_states, "judged", judged_too_early)
    assert refused(put(native, 3, "enabled")) == (409, "module_state_refused")


def test_what_comes_back_is_not_judged_without_end(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    become(native, 1, "disabled")
    monkeypatch.setattr(module_states, "Budget", lambda: Budget(1, 1))
    back = put(native, 1, "enabled")
    assert refused(back) == (409, "module_state_refused")
    assert "CHECK_TOO_LARGE" in back.json()["detail"]


def test_going_back_to_an_older_version(native: Native, shelf: Shelf) -> None:
    refusal = native.call("POST", f"{MODULE}/rollback", {"version": 9})
    assert refused(refusal) == (404, "module_version_not_found")
    Registry(shelf.token).ok("PUT", "/config/shop", {"compatibility": "NONE"})
    made = native.call("POST", f"{MODULE}/rollback", {"version": 1})
    document = {"module": "shop", "version": 3, "brings_back": 1, "is_new": True}
    assert (made.status_code, made.json()) == (201, document)
    assert shelf.get("/modules/shop/versions/3/set").raw == shelf.get(f"{V1}/set").raw
    again = native.call("POST", f"{MODULE}/rollback", {"version": 1})
    assert (again.status_code, again.json()["version"]) == (200, 3)
    become(native, 2, "disabled")
    disabled = native.call("POST", f"{MODULE}/rollback", {"version": 2})
    assert refused(disabled) == (409, "module_version_disabled")


def test_what_was_disabled_is_deleted_with_its_life(native: Native, shelf: Shelf, scope: Scope) -> None:
    become(native, 2, "disabled")
    assert shelf.ok("DELETE", V2) == {"deleted": [2]}
    with tenancy.tenant_context(scope.tenant.id):
        assert [one.number for one in module_versions(scope, "shop")] == [1]
        life = change_module_state(scope, "shop", ChangeState(1, VersionState.DISABLED, WHY))
    assert (life.revision, life.life.state) == (2, "disabled")
