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
    ({"lint": {"use": ["BASIC"], "severity": "block"}}, "AVRO_ENUM_DEFAULT"),
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


def test_a_policy_asks_for_an_owner_among_the_metadata(native: Native, api: Registry) -> None:
    native.enforce({"name": "house", "default": {"required": {"owners": ["owner"]}}})
    refused = api.register("s", SCHEMA)
    assert refused.error == (422, 42201)
    assert "OWNER_MISSING at / (line 1, column 1): the metadata property 'owner'" in refused.body["message"]
    owned = {"properties": {"owner": "payments"}}
    api.registered("s", SCHEMA, metadata=owned)
    wider = {**SCHEMA, "fields": [*SCHEMA["fields"], {"name": "more", "type": "int", "default": 0}]}
    api.registered("s", wider)  # the owner is handed on
    api.ok("PUT", "/config", {"defaultMetadata": owned})
    api.registered("t", SCHEMA)


BOTH = {"level": "FULL_TRANSITIVE", "preset": "accord:queue-safe:1"}


def test_a_parameter_that_the_rule_does_not_have_is_refused_with_its_place(native: Native) -> None:
    text = "name: house\ndefault:\n  rules:\n    TYPE_PROMOTED:\n      parameters:\n        most: 1\n"
    answer = native.call("POST", f"{TENANT}/policies", text)
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["line"], problem["column"]) == (422, 6, 9)
    assert problem["message"] == "there is no member 'most' here; write one of ignore"


def test_a_rule_does_not_count_where_a_policy_ignores_it(native: Native, api: Registry) -> None:
    native.enforce({"name": "strict", "default": BOTH}, f"{TENANT}/policy-binding")
    old, new = record("id", {"name": "n", "type": "int"}), record("id", {"name": "n", "type": "long"})
    api.registered("s", old)
    assert api.register("s", new).status == 409
    rules = {one: {"parameters": {"ignore": ["/fields/1/**"]}} for one in ("TYPE_PROMOTED", "TYPE_MISMATCH")}
    native.enforce({"name": "lax", "formats": {"avro": {"rules": rules}}})
    api.registered("s", new)
    values = native.in_force("s", "?format=AVRO")["values"]
    shown = values["rules.TYPE_PROMOTED.parameters.ignore"]
    assert (shown["value"], shown["origin"]["policy"]) == (["/fields/1/**"], "lax")
    wider = record({"name": "id", "type": "long"}, {"name": "n", "type": "long"})
    assert api.register("s", wider).status == 409
