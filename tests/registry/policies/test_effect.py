"""Whatever a policy asks of a schema itself is asked when it is registered through Confluent's interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import record
from tests.registry.policies.asking import TENANT

if TYPE_CHECKING:
    from tests.registry.client import Registry
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db

KIND = {"type": "enum", "name": "Kind", "symbols": ["BIG", "small"]}
SCHEMA = record("id", {"name": "kind", "type": KIND}, namespace="shop")
# A part of a policy that this schema does not meet, and the rule that says so.
ASKED: list[tuple[dict[str, Any], str]] = [
    ({"limits": {"bytes": 40}}, "LIMIT_EXCEEDED"),
    ({"limits": {"depth": 3}}, "LIMIT_EXCEEDED"),
    ({"limits": {"fields": 1}}, "LIMIT_EXCEEDED"),
    ({"naming": {"subjects": "[a-z]+-value"}}, "NAME_PATTERN"),
    ({"naming": {"types": "[A-Z][a-z]+"}}, "NAME_PATTERN"),
    ({"naming": {"namespaces": "com[.].+"}}, "NAME_PATTERN"),
    ({"naming": {"fields": "[a-z]{3,}"}}, "NAME_PATTERN"),
    ({"naming": {"symbols": "[A-Z]+"}}, "NAME_PATTERN"),
    ({"required": {"docs": ["record"]}}, "DOC_MISSING"),
    ({"required": {"docs": ["field"]}}, "DOC_MISSING"),
    ({"required": {"docs": ["enum"]}}, "DOC_MISSING"),
]


@pytest.mark.parametrize(("asked", "rule"), ASKED, ids=lambda one: str(one)[:40])
def test_what_is_asked_is_asked_at_registration(
    native: Native, api: Registry, asked: dict[str, Any], rule: str
) -> None:
    api.registered("free", SCHEMA)
    native.enforce({"name": "house", "default": asked})
    refused = api.register("s", SCHEMA)
    assert refused.error == (422, 42201)
    assert f"{rule} at /" in refused.body["message"]


@pytest.mark.parametrize("asked", [{"naming": {"types": "X"}}, {"required": {"docs": ["record"]}}])
def test_a_severity_decides_whether_it_refuses(native: Native, api: Registry, asked: dict[str, Any]) -> None:
    (group, members), *_ = asked.items()
    native.enforce({"name": "house", "default": {group: {**members, "severity": "warn"}}})
    api.registered("s", SCHEMA)


def test_owners_cannot_be_asked_for_before_schemas_can_name_them(native: Native) -> None:
    text = "name: house\ndefault:\n  level: FULL\nformats:\n  avro:\n    required:\n      owners: [owner]\n"
    answer = native.call("POST", f"{TENANT}/policies", text)
    assert (answer.status_code, answer.json()["code"]) == (422, "policy_flawed")
    (problem,) = answer.json()["problems"]
    assert (problem["line"], problem["column"], problem["path"]) == (7, 7, "formats.avro.required.owners")
    assert "no metadata here yet" in problem["message"]
    both = {"name": "house", "default": {"required": {"owners": ["owner"]}}}
    checked = native.ok("POST", f"{TENANT}/policies/validate", both)
    assert (checked["is_valid"], checked["problems"][0]["path"]) == (False, "default.required.owners")


def test_no_rule_takes_a_parameter_so_each_is_refused(native: Native) -> None:
    rule = {"TYPE_PROMOTED": {"severity": "warn", "parameters": {"most": 1}}}
    answer = native.call("POST", f"{TENANT}/policies", {"name": "house", "default": {"rules": rule}})
    assert answer.status_code == 422
    assert "has no parameters; leave them out" in answer.json()["problems"][0]["message"]
