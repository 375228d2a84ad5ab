"""Policies as documents: stored, read, changed by compare-and-set, reverted, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from tenants.models import AuditRecord
from tests.registry.policies.asking import NAMESPACE, TENANT, YAML

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db

FIRST = "# how we pay\nname: payments\ndefault:\n  preset: confluent\n  level: FULL\n"
SECOND = {"name": "payments", "default": {"level": "FULL_TRANSITIVE"}}
PAYMENTS = f"{TENANT}/policies/payments"


def test_a_policy_is_stored_pinned_and_keeps_its_text(native: Native) -> None:
    answer = native.call("POST", f"{TENANT}/policies?reason=because", FIRST)
    assert (answer.status_code, answer.headers["ETag"], answer.headers["Location"]) == (201, '"1"', PAYMENTS)
    stored = native.ok("GET", PAYMENTS)
    assert stored["document"]["default"] == {"preset": "confluent:8.1", "level": "FULL"}
    assert (stored["source"], stored["syntax"], stored["reason"]) == (FIRST, "yaml", "because")
    assert (stored["version"], stored["created_by"], stored["reverted_from"]) == (1, "person:alice", None)


def test_an_answer_to_a_change_says_what_it_means(native: Native) -> None:
    advice = native.create(FIRST)["advice"]
    assert set(advice) == {"avro", "json", "protobuf"}
    assert advice["avro"]["level"] == "FULL"
    assert [one["level"] for one in advice["avro"]["recommends"]] == [
        "FULL_TRANSITIVE",
        "BACKWARD_TRANSITIVE",
    ]


@pytest.mark.parametrize("accept", [YAML, "application/json"])
def test_a_policy_is_read_as_it_is_asked_for(native: Native, accept: str) -> None:
    native.create(FIRST)
    native.replace("payments", SECOND, 1)
    old, new = (native.call("GET", f"{PAYMENTS}/versions/{n}", Accept=accept) for n in (1, 2))
    assert (old.headers["Content-Type"].partition(";")[0], old.headers["ETag"]) == (accept, '"1"')
    if accept == YAML:
        assert old.content.decode() == FIRST
        assert new.content == b"name: payments\ndefault:\n  level: FULL_TRANSITIVE\n"


def test_a_change_names_the_version_it_was_made_for(native: Native) -> None:
    native.create(FIRST)
    unnamed = native.call("PUT", PAYMENTS, SECOND)
    assert (unnamed.status_code, unnamed.json()["code"]) == (428, "version_not_named")
    changed = native.replace("payments", SECOND, 1)
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    late = native.replace("payments", FIRST, 1)
    assert (late.status_code, late.json()["code"]) == (412, "policy_changed")
    assert native.call("PUT", PAYMENTS, FIRST, If_Match="*").status_code == 200
    assert native.call("PUT", PAYMENTS, FIRST, If_Match='W/"3"').status_code == 400


def test_every_problem_is_named_by_its_place(native: Native) -> None:
    answer = native.call(
        "POST", f"{TENANT}/policies", "name: payments\ndefault:\n  level: SOMEHOW\n  presets: x\n"
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "policy_flawed")
    problems = answer.json()["problems"]
    assert [(one["line"], one["column"]) for one in problems] == [(3, 10), (4, 3)]
    assert problems[0]["path"] == "default.level"
    assert "did you mean preset?" in problems[1]["message"]


def test_a_name_must_be_that_of_the_address_and_none_that_is_reserved(native: Native) -> None:
    native.create(FIRST)
    other = native.replace("payments", "name: other\n", 1)
    reserved = native.call("POST", f"{TENANT}/policies", "name: validate\n")
    refused = {(one.status_code, one.json()["problems"][0]["path"]) for one in (other, reserved)}
    assert refused == {(422, "name")}


def test_a_text_is_tried_out_without_being_stored(native: Native) -> None:
    good = native.ok("POST", f"{TENANT}/policies/validate", FIRST)
    assert (good["is_valid"], good["document"]["default"]["preset"]) == (True, "confluent:8.1")
    assert good["advice"]["json"]["upgrade_first"] == "anyone"
    bad = native.ok("POST", f"{TENANT}/policies/validate", "name: [")
    assert (bad["is_valid"], bad["document"]) == (False, None)
    assert bad["problems"][0]["line"] == 1
    assert native.ok("GET", f"{TENANT}/policies") == {"items": [], "next": None}


def test_the_history_says_who_when_and_why(native: Native) -> None:
    native.create(FIRST)
    native.ok("PUT", f"{PAYMENTS}?reason=stricter", SECOND, If_Match='"1"')
    reverted = native.ok("POST", f"{PAYMENTS}/revert", {"version": 1, "reason": "too strict"}, If_Match='"2"')
    assert (reverted["version"], reverted["source"], reverted["reverted_from"]) == (3, FIRST, 1)
    history = native.ok("GET", f"{PAYMENTS}/versions")["items"]
    told = [(one["version"], one["reason"], one["reverted_from"], one["created_by"]) for one in history]
    by = "person:alice"
    assert told == [(3, "too strict", 1, by), (2, "stricter", None, by), (1, "", None, by)]


@pytest.mark.parametrize(("version", "status"), [(9, 404), (0, 400), ("x", 400)])
def test_only_a_version_that_was_can_come_back(native: Native, version: object, status: int) -> None:
    native.create(FIRST)
    answer = native.call("POST", f"{PAYMENTS}/revert", {"version": version}, If_Match='"1"')
    assert answer.status_code == status


def test_lists_come_in_parts(native: Native) -> None:
    for name in ("bb", "aa", "cc"):
        native.create({"name": name, "description": f"about {name}"})
    first = native.ok("GET", f"{TENANT}/policies?limit=2")
    assert [(one["name"], one["description"]) for one in first["items"]] == [
        ("aa", "about aa"),
        ("bb", "about bb"),
    ]
    rest = native.ok("GET", f"{TENANT}/policies?limit=2&cursor={first['next']}")
    assert ([one["name"] for one in rest["items"]], rest["next"]) == (["cc"], None)


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "limit=201", "cursor=%FF", "cursor=a"])
def test_a_part_nobody_can_mean_is_refused(native: Native, query: str) -> None:
    assert native.call("GET", f"{TENANT}/policies?{query}").status_code == 400


def test_a_name_is_taken_once(native: Native) -> None:
    native.create(FIRST)
    again = native.call("POST", f"{TENANT}/policies", SECOND)
    assert (again.status_code, again.json()["code"]) == (409, "policy_exists")


def test_a_bound_policy_stays_and_a_deleted_one_goes_on_counting(native: Native) -> None:
    native.create(FIRST)
    native.bind("payments")
    bound = native.call("DELETE", PAYMENTS, If_Match='"1"')
    assert (bound.status_code, bound.json()["code"]) == (409, "policy_bound")
    assert "namespace default" in bound.json()["detail"]
    native.ok("DELETE", f"{NAMESPACE}/policy-binding", If_Match="*")
    native.ok("DELETE", PAYMENTS, If_Match='"1"')
    assert native.call("GET", PAYMENTS).status_code == 404
    assert native.ok("GET", f"{TENANT}/policies")["items"] == []
    assert native.create(SECOND)["version"] == 2


def test_every_change_is_in_the_audit_log(native: Native, scope: Scope) -> None:
    native.create(FIRST)
    native.ok("PUT", f"{PAYMENTS}?reason=stricter", SECOND, If_Match='"1"')
    native.bind("payments")
    native.ok("DELETE", f"{NAMESPACE}/policy-binding", If_Match="*")
    native.ok("DELETE", PAYMENTS, If_Match='"2"')
    tenancy.activate(scope.tenant.id)
    rows = AuditRecord.objects.scoped(scope).filter(action__startswith="policy.").order_by("id")
    told = list(rows.values_list("action", "object_name", "after"))
    assert told == [
        ("policy.write", "payments", {"version": 1, "reason": ""}),
        ("policy.write", "payments", {"version": 2, "reason": "stricter"}),
        ("policy.bind", "namespace default", {"policy": "payments", "reason": ""}),
        ("policy.unbind", "namespace default", None),
        ("policy.delete", "payments", None),
    ]


def test_editors_get_the_schema(native: Native) -> None:
    assert native.ok("GET", f"{TENANT}/policy-schema")["title"] == "Accord policy"
