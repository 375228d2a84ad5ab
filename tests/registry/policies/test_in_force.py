"""The policy in force: where each value comes from, and that registrations are judged by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import Registry, optional, record
from tests.registry.policies.asking import NAMESPACE, TENANT, Native, prefix_place, subject_place

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

TENANT_PLACE = f"{TENANT}/policy-binding"
NAMESPACE_PLACE = f"{NAMESPACE}/policy-binding"
JSON = {"schemaType": "JSON"}
CLOSED = {"additionalProperties": False}


def named(name: str, level: str = "", **default: Any) -> dict[str, Any]:
    """A policy that says this for every format."""
    return {"name": name, "default": {**({"level": level} if level else {}), **default}}


def thing(*properties: str, **members: Any) -> dict[str, Any]:
    """A schema of an object with these texts."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in properties}, **members}


def origin_of(native: Native, subject: str, value: str = "level") -> tuple[Any, ...]:
    """Which value is in force, and who set it."""
    found = native.in_force(subject)["values"][value]
    origin = found["origin"]
    place = origin["place"] or {}
    return found["value"], origin["kind"], origin["policy"], place.get("reach")


def test_each_place_counts_before_those_further_out(native: Native, api: Registry) -> None:
    assert origin_of(native, "orders-value") == ("BACKWARD", "installation", None, None)
    steps = [
        ("aa", "FORWARD", TENANT_PLACE, "tenant"),
        ("bb", "FULL", NAMESPACE_PLACE, "namespace"),
        ("cc", "BACKWARD_TILL(3)", prefix_place("ord"), "prefix"),
        ("dd", "NONE", prefix_place("orders-"), "prefix"),
        ("ee", "FROZEN", subject_place("orders-value"), "subject"),
    ]
    for name, level, place, reach in steps:
        native.enforce(named(name, level), place)
        assert origin_of(native, "orders-value") == (level, "policy", name, reach)
    api.level("orders-value", "FORWARD_TRANSITIVE")
    assert origin_of(native, "orders-value") == ("FORWARD_TRANSITIVE", "config", None, None)
    assert origin_of(native, "orders-key")[2] == "dd"
    assert origin_of(native, "other")[2] == "bb"


def test_values_are_looked_up_one_by_one(native: Native) -> None:
    native.enforce(named("base", "FULL", limits={"fields": 5}), TENANT_PLACE)
    native.enforce(named("own", "NONE"), subject_place("s"))
    assert origin_of(native, "s") == ("NONE", "policy", "own", "subject")
    assert origin_of(native, "s", "limits.fields") == (5, "policy", "base", "tenant")


def test_a_context_is_a_prefix_and_other_namespaces_are_not_concerned(native: Native) -> None:
    native.enforce(named("inner", "FULL"), prefix_place(":.c:"))
    assert origin_of(native, ":.c:s")[0] == "FULL"
    assert origin_of(native, "s")[0] == "BACKWARD"
    assert native.call("PUT", prefix_place(":.:"), {"policy": "inner"}).status_code == 422


def test_a_registration_is_judged_by_the_policy(native: Native, api: Registry) -> None:
    api.registered("s", record("a"))
    native.enforce(named("strict", "FULL_TRANSITIVE"))
    assert api.register("s", record("a", "b")).error == (409, 40901)
    assert not api.check("s/versions/latest", record("a", "b")).body["is_compatible"]
    native.replace("strict", named("strict", "NONE"), 1)
    assert api.registered("s", record("a", "b")) == 2


def test_a_rule_can_weigh_otherwise(native: Native, api: Registry) -> None:
    api.registered("s", record("a"))
    blocked = api.register("s", record("a", "b"))
    assert blocked.error == (409, 40901)
    native.enforce(named("mild", rules={"READER_FIELD_MISSING_DEFAULT_VALUE": "warn"}))
    assert api.registered("s", record("a", "b")) == 2


def test_lenient_and_strict_mean_what_confluent_means(api: Registry) -> None:
    for policy, status in (("STRICT", 409), ("LENIENT", 200)):
        api.ok("PUT", "/config/s", {"compatibilityPolicy": policy})
        api.register("s", thing("a"), **JSON)
        assert api.register("s", thing("a", "b"), **JSON).status == status


def test_lenient_speaks_of_confluents_own_columns_alone(native: Native, api: Registry) -> None:
    native.enforce(named("house", preset="accord"))
    api.ok("PUT", "/config/s", {"compatibilityPolicy": "LENIENT"})
    assert origin_of(native, "s", "preset")[:3] == ("accord:1", "policy", "house")
    api.registered("s", thing("a"), **JSON)
    assert api.register("s", thing("a", "b"), **JSON).status == 409


@pytest.mark.parametrize(("is_friendly", "status"), [(False, 409), (True, 200)])
def test_optional_friendly_lets_optional_properties_go(
    native: Native, api: Registry, is_friendly: bool, status: int
) -> None:
    transform = {"transform": "optional-friendly"} if is_friendly else {}
    policy = {"name": "queue", "formats": {"json": {"level": "FULL_TRANSITIVE", **transform}}}
    native.enforce(policy)
    api.registered("s", thing("a", "b", **CLOSED), **JSON)
    assert api.register("s", thing("a", **CLOSED), **JSON).status == status
    assert api.check("s/versions", thing("a", "c", **CLOSED), **JSON).body["is_compatible"] is is_friendly


def test_a_format_beside_a_number_may_be_passed_over(native: Native, api: Registry) -> None:
    api.registered("s", {"type": "integer"}, **JSON)
    assert api.register("s", {"type": "integer", "format": "int32"}, **JSON).status == 409
    native.enforce({"name": "formats", "formats": {"json": {"transform": {"ignore_formats": True}}}})
    assert api.register("s", {"type": "integer", "format": "int32"}, **JSON).status == 200


@pytest.mark.parametrize(("is_required", "status"), [(False, 200), (True, 422)])
def test_an_open_object_warns_or_is_refused(
    native: Native, api: Registry, is_required: bool, status: int
) -> None:
    transform = {"name": "optional-friendly", "require_closed": is_required}
    native.enforce({"name": "queue", "formats": {"json": {"transform": transform}}})
    answer = api.register("s", thing("a"), **JSON)
    assert answer.status == status
    assert api.check("s/versions?verbose=true", thing("a"), **JSON).body["is_compatible"] is not is_required
    if is_required:
        assert answer.code == 42201
        assert "OBJECT_NOT_CLOSED" in answer.body["message"]
        assert 'add "additionalProperties": false' in answer.body["message"]


def test_what_a_schema_lacks_is_refused_or_kept_as_a_warning(native: Native, api: Registry) -> None:
    native.enforce(named("docs", required={"docs": ["record"]}, naming={"types": "[A-Z][a-z]+"}))
    refused = api.register("s", record("a", name="bad"))
    assert refused.error == (422, 42201)
    assert "NAME_PATTERN at / (line 1, column 1)" in refused.body["message"]
    assert "DOC_MISSING at / (line 1, column 1)" in refused.body["message"]
    assert "; rename it (asked by policy docs, version 1, " in refused.body["message"]
    checked = api.check("s/versions?verbose=true", record("a", name="bad")).body
    assert (checked["is_compatible"], len(checked["messages"])) == (False, 2)
    warned = named("docs", required={"docs": ["record"], "severity": "warn"})
    assert native.replace("docs", warned, 1).status_code == 200
    assert api.registered("s", record("a", name="bad")) == 1


def test_levels_with_bounds_look_as_deep_as_they_say(native: Native, api: Registry) -> None:
    api.level("s", "NONE")
    api.registered("s", record({"name": "a", "type": "string"}))
    api.registered("s", record(optional("x")))
    api.registered("s", record(optional("x"), optional("y")))
    api.delete("/config/s")
    native.enforce(named("bounded", "BACKWARD_TILL(1)"))
    candidate = record({**optional("a")})
    assert not api.check("s/versions", candidate).body["is_compatible"]
    native.replace("bounded", named("bounded", "BACKWARD_TILL(2)"), 1)
    assert api.check("s/versions", candidate).body["is_compatible"]


def test_a_check_can_ask_for_any_level(native: Native, api: Registry) -> None:
    api.registered("s", record("a"))
    body = {"subject": "s", "schema": '{"type": "record", "name": "R", "fields": []}'}
    asked = native.ok("POST", f"{NAMESPACE}/checks", {**body, "level": "backward-till(2)"})
    assert asked["level"] == "BACKWARD_TILL(2)"
    wrong = native.call("POST", f"{NAMESPACE}/checks", {**body, "level": "SIDEWAYS"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "unknown_level")


def test_what_is_in_force_comes_with_advice(native: Native) -> None:
    found = native.in_force("s", "?format=json")
    assert (found["format"], found["level"], found["shown_as"]) == ("JSON", "BACKWARD", "BACKWARD")
    assert found["advice"]["upgrade_first"] == "readers"
    assert found["policies"] == []
    assert native.call("GET", f"{NAMESPACE}/subjects/s/policy?format=cobol").status_code == 400


def test_binding_answers_with_what_holds_at_the_place(native: Native, api: Registry) -> None:
    """What is bound further out counts as well; what is bound nearer does not."""
    native.create(named("base", "FORWARD"))
    native.create(named("docs", required={"docs": ["record"]}))
    native.create(named("own", "NONE"))
    native.bind("own", subject_place("orders"))
    api.level("orders", "FULL")
    found = [
        native.bind(name, place)["advice"]["avro"]
        for name, place in (
            ("base", TENANT_PLACE),
            ("docs", NAMESPACE_PLACE),
            ("docs", prefix_place("orders")),
            ("own", subject_place("orders")),
            ("own", subject_place("orders-value")),
        )
    ]
    assert [one["level"] for one in found] == ["FORWARD", "FORWARD", "FORWARD", "FULL", "NONE"]
    assert [one["upgrade_first"] for one in found][2:] == ["writers", "anyone", "together"]
    assert [one["level"] for one in found[-1]["recommends"]] == ["FULL_TRANSITIVE", "BACKWARD_TRANSITIVE"]


def test_every_advice_has_the_same_shape(native: Native) -> None:
    stored = native.create(named("base", "FULL"))["advice"]
    validated = native.ok("POST", f"{TENANT}/policies/validate", named("base", "FULL"))["advice"]
    bound = native.bind("base")["advice"]
    templates = f"{NAMESPACE}/policy-templates"
    template = native.ok("POST", templates, {"template": "queue-safe"}, If_Match="*")["advice"]
    assert stored == validated == bound
    assert set(template["json"]) == set(stored["json"]) == set(native.in_force("s")["advice"])
    assert {"unions", "enums"} <= set(template["avro"]["gives_up"])


def test_who_may_not_read_policies_is_not_advised_on_them(
    native: Native, api_with: Callable[..., Registry]
) -> None:
    native.create(named("base", "FULL"))
    assert Native(api_with("policy.write").token).bind("base")["advice"] == {}
