"""Lint of a candidate over the native API, by the policy in force, another one, or named rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.policies.asking import NAMESPACE

if TYPE_CHECKING:
    from tests.registry.client import Registry
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db

SCHEMA = '{"type": "enum",\n "name": "Kind",\n "symbols": ["BIG", "small"]}'
LINT = f"{NAMESPACE}/subjects/orders/lint"


def rules(answer: Any) -> list[tuple[str, str]]:
    """Rule and severity of each finding."""
    return [(one["rule"], one["severity"]) for one in answer["findings"]]


def test_without_a_policy_findings_are_hints(native: Native) -> None:
    told = native.ok("POST", LINT, {"schema": SCHEMA})
    assert (told["use"], told["is_asked"], told["is_allowed"]) == (["STANDARD"], False, True)
    assert ("AVRO_SYMBOL_UPPER_SNAKE_CASE", "warn") in rules(told)
    symbol = next(one for one in told["findings"] if one["path"] == "/symbols/1")
    assert symbol["at"] == {"line": 3, "column": 13}
    assert symbol["advice"].startswith("Write new enums so.")


def test_a_policy_says_what_counts_and_what_blocks(native: Native, api: Registry) -> None:
    lint = {"use": ["BASIC"], "severities": {"AVRO_ENUM_DEFAULT": "block"}}
    native.enforce({"name": "house", "default": {"lint": lint}})
    told = native.ok("POST", LINT, {"schema": SCHEMA})
    assert (told["is_asked"], told["is_allowed"]) == (True, False)
    assert rules(told) == [("AVRO_NAMESPACE_DEFINED", "warn"), ("AVRO_ENUM_DEFAULT", "block")]
    refused = api.register("orders", json.loads(SCHEMA))
    assert refused.error == (422, 42201)
    assert "AVRO_ENUM_DEFAULT at / (line 1, column 1): the enum" in refused.body["message"]
    verdict = native.ok("POST", f"{NAMESPACE}/subjects/orders/verdict", {"schema": SCHEMA})
    assert [one["rule"] for one in verdict["own"]] == [rule for rule, _ in rules(told)]


def test_rules_and_policies_may_be_tried(native: Native) -> None:
    named = native.ok("POST", LINT, {"schema": SCHEMA, "use": ["AVRO_ENUM_DEFAULT"]})
    assert rules(named) == [("AVRO_ENUM_DEFAULT", "warn")]
    policy = {"name": "tried", "default": {"lint": {"use": ["COMMENTS"]}}}
    assert rules(native.ok("POST", LINT, {"schema": SCHEMA, "policy": policy})) == [("AVRO_DOC_TYPE", "warn")]
    refused = native.call("POST", LINT, {"schema": SCHEMA, "use": ["NOTHING"]})
    assert refused.status_code == 400
    assert "no such lint rule" in refused.content.decode()
