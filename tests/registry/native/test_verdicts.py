"""The explained verdict over HTTP: findings, places, advice, every level, other policies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit import tenancy
from registry.models import CheckRun
from registry.services import run_check
from tests.registry.client import optional, record
from tests.registry.native.asking import ask, follow
from tests.registry.policies.asking import NAMESPACE, Native, subject_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

OLD = record("a")
BROKEN = record({"name": "a", "type": "string"})
PRETTY = json.dumps(BROKEN, indent=2)


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice; the subject *s* has three versions that read each other."""
    api.level("s", "FULL_TRANSITIVE")
    for count in range(3):
        api.registered("s", record("a", *[optional(f"f{number}") for number in range(count)]))
    return Native(api.token)


def verdict(native: Native, schema: object, **members: object) -> Any:
    """Ask for the verdict on a schema given as a value or as a text."""
    text = schema if isinstance(schema, str) else json.dumps(schema)
    return native.ok("POST", f"{NAMESPACE}/subjects/s/verdict", {"schema": text, **members})


def refusal(native: Native, **members: object) -> tuple[int, str]:
    """Return how a question is refused."""
    body = {"schema": json.dumps(OLD), **members}
    answer = native.call("POST", f"{NAMESPACE}/subjects/s/verdict", body)
    return answer.status_code, json.loads(answer.content)["code"]


def test_a_refusal_says_what_breaks_for_whom_where_and_what_to_do(native: Native) -> None:
    told = verdict(native, PRETTY, name="the draft")
    first = told["comparisons"][0]
    finding = first["findings"][0]
    assert (told["verdict"], told["is_compatible"]) == ("blocked", False)
    assert told["summary"].startswith("Readers on version 3 cannot read what writers on the draft write.")
    assert (first["direction"], first["version"], first["reader"]) == ("forward", 3, "version 3")
    assert (finding["rule"], finding["severity"], finding["path"]) == (
        "TYPE_MISMATCH",
        "block",
        "/fields/0/type",
    )
    assert finding["new"]["line"] > 1
    assert finding["old"]["line"] == 1
    assert finding["advice"]


def test_all_seven_levels_name_the_newest_version_that_fails(native: Native) -> None:
    told = verdict(native, record("a", {"name": "f1", "type": "int"}))
    failing = {name: (one["version"], one["directions"]) for name, one in told["levels"].items()}
    assert failing == {
        "NONE": (None, []),
        "BACKWARD": (None, []),
        "BACKWARD_TRANSITIVE": (2, ["backward"]),
        "FORWARD": (None, []),
        "FORWARD_TRANSITIVE": (None, []),
        "FULL": (None, []),
        "FULL_TRANSITIVE": (2, ["backward"]),
    }
    assert told["levels"]["FULL_TRANSITIVE"]["rules"] == ["READER_FIELD_MISSING_DEFAULT_VALUE"]


def test_the_policy_in_force_is_named_with_the_origin_of_each_value(native: Native) -> None:
    native.enforce("name: payments\ndefault: {preset: accord:1}")
    told = verdict(native, OLD)
    assert (told["verdict"], told["level"], told["preset"]) == ("allowed", "FULL_TRANSITIVE", "accord:1")
    origins = {name: told["policy"]["values"][name]["origin"]["words"] for name in ("level", "preset")}
    assert "subject s" in origins["level"]
    assert "payments" in origins["preset"]


def test_what_a_policy_asks_of_the_schema_itself_blocks_under_every_level(native: Native) -> None:
    native.enforce("name: docs\ndefault: {required: {docs: [record]}}")
    told = verdict(native, OLD)
    assert [one["verdict"] for one in told["levels"].values()] == ["blocked"] * 7
    assert told["own"][0]["new"] == {"line": 1, "column": 1}


@pytest.mark.parametrize(
    "level",
    ["NONE", "forward_till(3)", "BACKWARD_TILL(1)_AND_FORWARD_TILL(2000000000)", {"backward": {"till": 1}}],
)
def test_another_level_is_tried_and_not_saved(native: Native, level: object) -> None:
    assert verdict(native, BROKEN, level=level)["level"] != "FULL_TRANSITIVE"
    assert verdict(native, BROKEN)["level"] == "FULL_TRANSITIVE"


def test_another_policy_is_tried_as_if_it_were_bound_to_the_subject(native: Native) -> None:
    native.enforce("name: mild\ndefault: {rules: {TYPE_MISMATCH: warn}}", subject_place("s"))
    strict = {"name": "strict", "default": {"rules": {"TYPE_MISMATCH": "block"}}}
    native.create(strict)
    assert verdict(native, BROKEN)["verdict"] == "allowed_with_warnings"
    for policy in ("strict", "strict@1", strict):
        told = verdict(native, BROKEN, policy=policy)
        assert told["verdict"] == "blocked"
        assert [one["policy"] for one in told["policy"]["policies"]] == ["strict"]
    assert verdict(native, BROKEN)["verdict"] == "allowed_with_warnings"


@pytest.mark.parametrize(
    ("members", "status", "code"),
    [
        ({"level": "SIDEWAYS"}, 422, "unknown_level"),
        ({"level": {"sideways": "all"}}, 422, "unknown_level"),
        ({"strictness": "FULL"}, 400, "bad_request"),
        ({"policy": "nobody"}, 404, "policy_not_found"),
        ({"policy": 5}, 400, "bad_request"),
        ({"policy": {"name": "x", "defaults": {}}}, 422, "policy_flawed"),
        ({"schema": " "}, 422, "empty_schema"),
        ({"schema": "{"}, 422, "invalid_schema"),
        ({"format": "COBOL"}, 400, "bad_request"),
        ({"references": [{"name": "P", "subject": "p", "version": 1}]}, 422, "reference_not_found"),
    ],
)
def test_a_wrong_question_is_told_what_is_wrong(
    native: Native, members: dict[str, object], status: int, code: str
) -> None:
    assert refusal(native, **members) == (status, code)


def test_a_flaw_of_a_policy_to_try_is_named_by_its_member(native: Native) -> None:
    body = {"schema": '"int"', "policy": {"name": "tried", "default": {"level": "SIDEWAYS"}}}
    problem = native.call("POST", f"{NAMESPACE}/subjects/s/verdict", body).json()
    assert [one["pointer"] for one in problem["problems"]] == ["/default/level"]
    assert "The policy cannot be used: default.level: there is no level" in problem["detail"]


def test_a_first_version_is_held_against_nothing(native: Native) -> None:
    told = native.ok("POST", f"{NAMESPACE}/subjects/new/verdict", {"schema": '"int"'})
    assert (told["verdict"], told["comparisons"]) == ("allowed", [])


def test_who_may_check_and_not_read_sees_neither_old_places_nor_policies(
    native: Native, api_with: Callable[..., Registry]
) -> None:
    told = verdict(Native(api_with("compat.check").token), PRETTY)
    findings = [one for each in told["comparisons"] for one in each["findings"]]
    assert [one["old"] for one in findings] == [None] * len(findings)
    assert told["policy"] is None
    assert findings[0]["new"]["line"] > 1


def test_a_check_that_runs_by_itself_ends_in_the_same_document(
    native: Native, api: Registry, api_with: Callable[..., Registry], scope: Scope
) -> None:
    members: Any = {"name": "draft", "policy": {"name": "mild", "default": {"preset": "accord:1"}}}
    asked = ask(api, BROKEN, **members)
    assert asked.status_code == 202, asked.content
    tenancy.activate(scope.tenant.id)
    assert run_check(scope, CheckRun.objects.scoped(scope).get().pk)
    result = follow(api, asked.headers["Location"]).json()["result"]
    told = verdict(native, BROKEN, **members)
    several = {"summary", "comparisons"}
    assert {key: result[key] for key in result if key not in several} == {
        key: told[key] for key in told if key not in several
    }
    assert result["comparisons"][:2] == told["comparisons"]
    blind = follow(api_with("compat.check"), asked.headers["Location"]).json()["result"]
    assert {one["old"] for each in blind["comparisons"] for one in each["findings"]} == {None}


def test_what_is_sent_with_the_schema_counts(native: Native, api: Registry) -> None:
    api.ok("PUT", "/config/s", {"compatibilityGroup": "major"})
    assert verdict(native, PRETTY)["verdict"] == "blocked"
    told = verdict(native, PRETTY, metadata={"properties": {"major": "2"}}, rule_set=None)
    assert (told["verdict"], told["comparisons"]) == ("allowed", [])


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"metadata": []}, "invalid_contract"),
        ({"metadata": {"sensitive": ["x"] * 1_001}}, "contract_too_large"),
        ({"rule_set": {"domainRules": [{"name": "r"}]}}, "invalid_rule_set"),
    ],
)
def test_what_cannot_be_sent_with_a_schema_is_refused(
    native: Native, members: dict[str, Any], code: str
) -> None:
    assert refusal(native, **members) == (422, code)
