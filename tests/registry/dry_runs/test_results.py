"""What a dry run finds: versions that another policy would have judged differently, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.model import Comparison, Direction, Finding, Severity, Verdict
from registry.services.verdict_changes import change_between
from tests.registry.client import Registry, optional, record
from tests.registry.dry_runs.asking import DRY_RUNS, tried
from tests.registry.policies.asking import TENANT, subject_place

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db

ADDED = "READER_FIELD_MISSING_DEFAULT_VALUE"
FORWARD = ("forward", 1, None, "block")


@pytest.fixture
def history(api: Registry) -> None:
    """Subject *a* loses a required field in version 2, which old readers miss; *b* adds an optional one."""
    api.registered("a", record("x", "y"))
    api.registered("a", record("x"))
    api.registered("b", record("x"))
    api.registered("b", record("x", optional("y")))


def strict(**default: Any) -> dict[str, Any]:
    return {"name": "strict", "default": {"level": "FULL", **default}}


@pytest.mark.parametrize(
    "proposal",
    [{"level": "FULL"}, {"document": strict()}, {"document": "name: strict\ndefault: {level: FULL}"}],
)
def test_what_another_policy_refuses_is_listed_with_the_rules_that_do(
    native: Native, history: None, scope: Scope, proposal: Any
) -> None:
    run, rows = tried(native, scope, **proposal)
    assert rows == [("a", 2, "refused", [(ADDED, *FORWARD)])]
    assert (run["state"], run["progress"], run["cut"]) == ("done", {"done": 2, "total": 2}, None)
    assert run["changes"] == {"refused": 1, "allowed": 0, "severity": 0}
    assert run["comparisons"] > 0


def test_what_another_policy_allows_is_listed_with_the_rules_that_refuse_it_now(
    native: Native, history: None, scope: Scope
) -> None:
    native.enforce(strict())
    run, rows = tried(native, scope, level="BACKWARD")
    assert rows == [("a", 2, "allowed", [(ADDED, "forward", 1, "block", None)])]
    assert run["proposal"]["level"] == "BACKWARD"


def test_findings_that_only_weigh_otherwise_are_listed_too(
    native: Native, history: None, scope: Scope
) -> None:
    _, rows = tried(native, scope, document=strict(rules={ADDED: "warn"}))
    assert rows == [("a", 2, "severity", [(ADDED, "forward", 1, None, "warn")])]


def test_a_policy_that_is_bound_is_tried_where_it_is_bound(
    native: Native, history: None, scope: Scope
) -> None:
    native.enforce({"name": "strict"}, subject_place("b"))
    run, rows = tried(native, scope, document=strict())
    assert run["places"] == [{"reach": "subject", "name": "b"}]
    assert (rows, run["progress"]["total"]) == ([], 1)


def test_a_stored_version_is_tried_instead_of_what_the_place_has(
    native: Native, history: None, scope: Scope
) -> None:
    native.enforce(strict())
    native.replace("strict", {"name": "strict", "default": {"level": "NONE"}}, 1)
    run, rows = tried(native, scope, policy="strict", version=1)
    assert (run["proposal"]["version"], [row[:3] for row in rows]) == (1, [("a", 2, "refused")])


@pytest.mark.parametrize(
    ("reach", "name", "total"),
    [("tenant", "", 2), ("namespace", "", 2), ("prefix", "a", 1), ("subject", "b", 1)],
)
def test_a_place_can_be_named(
    native: Native, history: None, scope: Scope, reach: str, name: str, total: int
) -> None:
    place = {"reach": reach, "name": name}
    run, rows = tried(native, scope, document=strict(), place=place)
    assert (run["progress"]["total"], len(rows)) == (total, 0 if name == "b" else 1)
    assert run["places"][0]["reach"] == reach


def test_what_a_schema_itself_lacks_counts(native: Native, history: None, scope: Scope) -> None:
    naming = {"name": "names", "default": {"naming": {"types": "[a-z]+"}}}
    _, rows = tried(native, scope, document=naming, place={"reach": "subject", "name": "b"})
    asked = [("NAME_PATTERN", None, None, None, "block")]
    assert rows == [("b", 1, "refused", asked), ("b", 2, "refused", asked)]


def test_two_refusals_for_different_reasons_are_a_change(native: Native, history: None, scope: Scope) -> None:
    native.enforce(strict())
    _, rows = tried(native, scope, level="FROZEN", place={"reach": "subject", "name": "a"})
    assert [row[:3] for row in rows] == [("a", 2, "severity")]
    assert {one[0]: one[3:] for one in rows[0][3]} == {"FROZEN": (None, "block"), ADDED: ("block", None)}


def test_changes_come_in_parts_and_by_kind(native: Native, history: None, scope: Scope) -> None:
    naming = {"name": "names", "default": {"naming": {"types": "[a-z]+"}}}
    run, rows = tried(native, scope, document=naming)
    changes = f"{DRY_RUNS}/{run['id']}/changes"
    assert len(rows) == 4
    first = native.ok("GET", f"{changes}?limit=3")
    rest = native.ok("GET", f"{changes}?limit=3&cursor={first['next']}")
    assert (len(first["items"]), len(rest["items"]), rest["next"]) == (3, 1, None)
    assert native.ok("GET", f"{changes}?change=allowed")["items"] == []
    assert native.call("GET", f"{changes}?change=other").status_code == 400


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "proposal_invalid"),
        ({"level": "FULL", "policy": "p"}, 422, "proposal_invalid"),
        ({"level": "FULL", "version": 1}, 422, "proposal_invalid"),
        ({"level": "SIDEWAYS"}, 422, "unknown_level"),
        ({"place": {"reach": "tenant", "namespace": "x"}, "level": "FULL"}, 400, "bad_request"),
        ({"policy": "missing"}, 404, "policy_not_found"),
        ({"document": "name: ["}, 422, "policy_flawed"),
        ({"document": {"name": "p", "default": {"level": "X"}}}, 422, "policy_flawed"),
        ({"document": 3}, 400, "bad_request"),
        ({"level": "FULL", "place": {"reach": "planet"}}, 400, "bad_request"),
        ({"level": "FULL", "place": {"reach": "subject"}}, 400, "bad_request"),
        ({"level": "FULL", "place": {"reach": "tenant", "name": "x"}}, 400, "bad_request"),
        ({"level": "FULL", "place": {"reach": "subject", "name": "__GLOBAL"}}, 422, "invalid_subject"),
        ({"level": "FULL", "place": {"reach": "subject", "name": "a/versions"}}, 422, "place_invalid"),
    ],
)
def test_a_bad_request_says_what_is_wrong(native: Native, body: Any, status: int, code: str) -> None:
    answer = native.call("POST", DRY_RUNS, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content


def test_a_policy_of_the_tenant_counts_here(native: Native, history: None, scope: Scope) -> None:
    native.enforce({"name": "strict"}, f"{TENANT}/policy-binding")
    run, rows = tried(native, scope, document=strict())
    assert (run["places"][0]["reach"], len(rows)) == ("tenant", 1)


def test_what_says_the_same_is_not_compared(native: Native, history: None, scope: Scope) -> None:
    run, rows = tried(native, scope, level="BACKWARD")
    assert (run["comparisons"], run["progress"]["done"], rows) == (0, 2, [])


def test_the_heaviest_finding_of_a_place_counts() -> None:
    found = [
        Comparison(Direction.BACKWARD, number, (Finding("R", weight, "/a", "", "said"),))
        for number, weight in ((2, Severity.WARN), (1, Severity.BLOCK), (3, Severity.INFO))
    ]
    change = change_between(Verdict(), Verdict(tuple(found)))
    assert change is not None
    assert [(one.version, one.after) for one in change.decided_by] == [(1, "block")]
