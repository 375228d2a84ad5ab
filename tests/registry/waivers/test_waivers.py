"""Waivers: given for one schema, used once, ended, recorded; and what they do not waive."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accord.model import SubjectName
from accord_server.kit import tenancy
from registry import services
from registry.errors import IncompatibleSchema, TooMuchContention
from registry.models import Waiver
from registry.queries.waivers import waiver_record
from registry.records import RegisteredVersion, RegisterVersion
from registry.services import registration, replaying, waivers, waiving
from tenants.models import AuditRecord
from tests.registry.client import Registry, record
from tests.registry.forgetting import forget_everything
from tests.registry.policies.asking import NAMESPACE, Native, subject_place
from tests.registry.texts import source
from tests.registry.threads import all_at_once, interrupted

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

WAIVERS = f"{NAMESPACE}/waivers"
MISSING = "READER_FIELD_MISSING_DEFAULT_VALUE"
NEXT = record("a", "b")


@pytest.fixture
def history(api: Registry) -> None:
    """A subject under BACKWARD_TRANSITIVE, of two versions that *b* without default breaks."""
    api.level("s", "BACKWARD_TRANSITIVE")
    api.registered("s", record("a"))
    api.registered("s", record("a", {"name": "c", "type": "int", "default": 0}))


def body(candidate: object = NEXT, **members: Any) -> dict[str, Any]:
    until = (timezone.now() + timedelta(days=1)).isoformat()
    return {
        "subject": "s",
        "schema": json.dumps(candidate),
        "reason": "agreed",
        "expires_at": until,
        **members,
    }


def give(native: Native, schema: object = NEXT, **members: Any) -> Any:
    return native.ok("POST", WAIVERS, body(schema, **members))


def refused(native: Native, **members: Any) -> tuple[int, str, str]:
    answer = native.call("POST", WAIVERS, body(**members))
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


def test_a_waiver_lets_one_schema_in_once(native: Native, api: Registry, history: None) -> None:
    assert api.register("s", NEXT).status == 409
    waiver = give(native)
    assert waiver["findings"] == [{"rule": MISSING, "path": "/fields/1", "direction": "backward"}]
    assert api.register("s", record("a", "other")).status == 409
    assert api.check("s/versions", NEXT).body["is_compatible"] is False
    assert api.registered("s", NEXT) == 3
    used = native.ok("GET", f"{WAIVERS}/{waiver['id']}")
    assert (used["state"], used["version"], used["ended_by"]) == ("used", 3, "person:alice")
    api.delete("/subjects/s/versions/3")
    assert api.register("s", NEXT).status == 409


def test_the_history_names_the_waiver(native: Native, api: Registry, history: None) -> None:
    waiver = give(native)
    api.registered("s", NEXT)
    entry = native.ok("GET", f"{NAMESPACE}/subjects/s/history?limit=1")["items"][0]
    assert (entry["verdict"]["outcome"], entry["verdict"]["findings"]["block"]) == ("waived", 2)
    told = {"waiver": waiver["id"], "given_by": "person:alice", "reason": "agreed"}
    assert entry["verdict"]["waived_by"] == told


def test_the_audit_log_tells_its_life(native: Native, api: Registry, history: None, scope: Scope) -> None:
    first = give(native)
    native.ok("DELETE", f"{WAIVERS}/{first['id']}")
    second = give(native)
    api.registered("s", NEXT)
    tenancy.activate(scope.tenant.id)
    rows = AuditRecord.objects.scoped(scope).filter(object_kind="waiver").order_by("id")
    told = list(rows.values_list("action", "object_name"))
    assert told == [
        ("waiver.create", first["id"]),
        ("waiver.revoke", first["id"]),
        ("waiver.create", second["id"]),
        ("waiver.use", second["id"]),
    ]
    last: Any = rows.values_list("after", flat=True).last()
    assert (last["version"], last["rules"], last["reason"]) == (3, [MISSING], "agreed")


@pytest.mark.parametrize("values", [{"revoked_at": "now"}, {"expires_at": "now"}])
def test_one_that_ended_waives_nothing(
    native: Native, api: Registry, history: None, scope: Scope, values: dict[str, str]
) -> None:
    waiver = give(native)
    tenancy.activate(scope.tenant.id)
    Waiver.objects.scoped(scope).update(**dict.fromkeys(values, timezone.now()))
    assert api.register("s", NEXT).status == 409
    over = native.call("DELETE", f"{WAIVERS}/{waiver['id']}")
    assert (over.status_code, over.json()["code"]) == (409, "waiver_over")
    assert give(native)["state"] == "open"


def test_named_rules_are_waived_wherever_they_are_found(native: Native, api: Registry, history: None) -> None:
    give(native, rules=[MISSING])
    api.level("s", "NONE")
    api.registered("s", record("z"))
    api.level("s", "BACKWARD_TRANSITIVE")
    assert api.registered("s", NEXT) == 4


def test_what_breaks_anew_is_not_waived(native: Native, api: Registry, history: None) -> None:
    give(native)
    api.level("s", "NONE")
    api.registered("s", record({"name": "a", "type": "string"}))
    api.level("s", "BACKWARD_TRANSITIVE")
    assert api.register("s", NEXT).status == 409


def test_a_freeze_is_waived_by_name_alone(native: Native, api: Registry, history: None) -> None:
    native.enforce({"name": "frozen", "default": {"level": "FROZEN"}}, subject_place("s"))
    api.delete("/config/s")
    status, code, detail = refused(native)
    assert (status, code) == (422, "waiver_invalid")
    assert "FROZEN would still refuse the schema; name every rule to waive" in detail
    give(native, rules=["FROZEN"])
    assert api.registered("s", NEXT) == 3


def test_what_a_policy_asks_of_the_schema_is_waived_by_name_alone(
    native: Native, api: Registry, history: None
) -> None:
    native.enforce({"name": "names", "default": {"naming": {"types": "[a-z]+"}}})
    assert api.register("s", NEXT).status == 422
    assert refused(native)[:2] == (422, "waiver_invalid")
    give(native, rules=["NAME_PATTERN", MISSING])
    assert api.registered("s", NEXT) == 3


def test_limits_are_never_waived(native: Native, api: Registry, history: None) -> None:
    native.enforce({"name": "small", "default": {"limits": {"fields": 1}}})
    assert "make it smaller" in refused(native)[2]
    assert "never waived" in refused(native, rules=["LIMIT_EXCEEDED"])[2]


def test_all_comparisons_together_have_the_steps_of_one_check(
    native: Native, history: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replaying, "BYTES_AT_ONCE", 1)
    monkeypatch.setattr(waiving, "STEPS_PER_CHECK", 8)
    for rules in ([], [MISSING]):
        detail = refused(native, rules=rules)[2]
        assert "CHECK_TOO_LARGE would still refuse" in detail
        assert "choose a level that looks at fewer versions" in detail


def test_a_mode_is_not_waived(native: Native, api: Registry, history: None) -> None:
    give(native)
    api.mode("s", "READONLY")
    assert api.register("s", NEXT).code == 42205


@pytest.mark.parametrize(
    ("members", "status", "code"),
    [
        ({"reason": ""}, 400, "bad_request"),
        ({"reason": "x" * 501}, 400, "bad_request"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, 422, "waiver_invalid"),
        ({"expires_at": "2999-01-01T00:00:00Z"}, 422, "waiver_invalid"),
        ({"expires_at": "soon"}, 400, "bad_request"),
        ({"rules": ["NO_SUCH_RULE"]}, 422, "waiver_invalid"),
        ({"rules": "all"}, 400, "bad_request"),
        ({"rules": ["NAME_CHANGED"]}, 422, "waiver_invalid"),
        ({"schema": "{"}, 422, "invalid_schema"),
        ({"schema": json.dumps(record("a"))}, 409, "nothing_to_waive"),
        ({"schema": '{"type":"record","name":"R","fields":[]}'}, 409, "nothing_to_waive"),
    ],
)
def test_what_cannot_be_given_is_refused(
    native: Native, history: None, members: dict[str, Any], status: int, code: str
) -> None:
    assert refused(native, **members)[:2] == (status, code)


def test_bounds_hold_below_the_interface_too(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waivers, "MOST_FINDINGS", 0)
    assert "name the rules" in refused(native)[2]
    monkeypatch.setattr(waivers, "MOST_RULES", 0)
    assert "at most 0 rules" in refused(native, rules=[MISSING])[2]
    monkeypatch.setattr(waivers, "LONGEST_REASON", 1)
    assert "the reason is" in refused(native)[2]


def test_there_is_one_for_a_schema_and_so_many_for_a_namespace(
    native: Native, history: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(native)
    assert refused(native)[:2] == (409, "waiver_exists")
    monkeypatch.setattr(waivers, "MOST_OPEN", 1)
    assert refused(native, schema=json.dumps(record("a", "z")))[:2] == (409, "waiver_limit_reached")


def test_lists_come_in_parts_by_subject_and_state(native: Native, api: Registry, history: None) -> None:
    api.registered("t", record("a"))
    first, other = give(native), give(native, subject="t")
    native.ok("DELETE", f"{WAIVERS}/{first['id']}")
    part = native.ok("GET", f"{WAIVERS}?limit=1")
    rest = native.ok("GET", f"{WAIVERS}?limit=1&cursor={part['next']}")
    assert [one["id"] for one in (*part["items"], *rest["items"])] == [other["id"], first["id"]]
    assert [one["state"] for one in native.ok("GET", f"{WAIVERS}?subject=s")["items"]] == ["revoked"]
    assert [one["id"] for one in native.ok("GET", f"{WAIVERS}?state=open")["items"]] == [other["id"]]


def test_what_may_not_be_seen_looks_missing(
    native: Native, api_with: Callable[..., Registry], history: None
) -> None:
    waiver = give(native)
    narrow = Native(api_with("waiver.read", "waiver.write", subjects=("other",)).token)
    assert narrow.ok("GET", WAIVERS)["items"] == []
    assert narrow.call("GET", f"{WAIVERS}/{waiver['id']}").json()["code"] == "waiver_not_found"
    assert narrow.call("POST", WAIVERS, body()).json()["code"] == "right_missing"
    reader = Native(api_with("waiver.read").token)
    assert reader.ok("GET", f"{WAIVERS}/{waiver['id']}")["id"] == waiver["id"]
    assert reader.call("DELETE", f"{WAIVERS}/{waiver['id']}").status_code == 403


def register(scope: Scope, subject: str = "s") -> RegisteredVersion:
    return services.register_version(scope, RegisterVersion(SubjectName(subject), source(NEXT)))


def test_one_that_is_used_up_meanwhile_refuses(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(native)
    tenancy.activate(scope.tenant.id)
    monkeypatch.setattr(registration, "use_waiver", lambda *_given, **_named: False)
    with pytest.raises(TooMuchContention):
        register(scope)

    def late(*_given: object, **_named: object) -> bool:
        monkeypatch.setattr(registration, "waived", lambda *_given, **_named: None)
        return False

    monkeypatch.setattr(registration, "use_waiver", late)
    with pytest.raises(IncompatibleSchema):
        register(scope)


@pytest.mark.django_db(transaction=True)
def test_two_racing_registrations_cannot_both_use_it(native: Native, history: None, scope: Scope) -> None:
    give(native)

    tenancy.activate(scope.tenant.id)
    waiver = waiver_record(Waiver.objects.scoped(scope).get())

    def use(_number: int) -> object:
        return waivers.use_waiver(scope, waiver, version=3)

    assert sorted(all_at_once(scope, use, 6), key=str) == [False] * 5 + [True]


@pytest.mark.django_db(transaction=True)
def test_racing_registrations_of_the_schema_make_one_version(
    native: Native, history: None, scope: Scope
) -> None:
    give(native)
    made = all_at_once(scope, lambda _number: register(scope), 6)
    versions = [one for one in made if isinstance(one, RegisteredVersion)]
    assert len(versions) == 6
    assert [one.is_new for one in versions].count(True) == 1
    assert {one.version.number for one in versions} == {3}


@pytest.mark.django_db(transaction=True)
def test_one_that_an_equal_registration_uses_up_meanwhile_refuses_nothing(
    native: Native, history: None, scope: Scope
) -> None:
    give(native)
    forget_everything()
    tenancy.activate(scope.tenant.id)
    made = interrupted(scope, lambda: register(scope), after="registry_schema", by=lambda: register(scope))
    assert (made.is_new, made.version.number) == (False, 3)


@pytest.mark.usefixtures("history")
def test_a_waiver_is_for_a_schema_with_what_is_sent_with_it(api: Registry, native: Native) -> None:
    sent = {"properties": {"a": "1"}}
    give(native, metadata=sent)
    assert api.register("s", NEXT).error == (409, 40901)
    assert api.register("s", NEXT, metadata=sent).body["metadata"] == sent
