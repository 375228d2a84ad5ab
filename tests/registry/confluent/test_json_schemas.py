"""JSON Schemas over the interface: registered, referred to, looked up and refused in Confluent's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

JSON = {"schemaType": "JSON"}


def thing(**properties: Any) -> dict[str, Any]:
    """A closed object with these properties."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def test_a_schema_keeps_its_keys_and_grows(api: Registry) -> None:
    assert api.registered("s", thing(b={"type": "string"}), **JSON) == 1
    assert api.registered("s", thing(b={"type": "string"}, a={"multipleOf": 0.10}), **JSON) == 2
    answer = api.ok("GET", "/schemas/ids/2")
    assert answer["schemaType"] == "JSON"
    assert answer["schema"].startswith('{"type":"object","properties":{"b":{"type":"string"},"a":')
    found = api.look_up("s", thing(b={"type": "string"}), **JSON)
    assert (found.status, found.body["version"]) == (200, 1)


def test_a_refusal_speaks_as_confluent_does(api: Registry) -> None:
    api.registered("s", thing(a={"type": "string"}), **JSON)
    refused = api.register("s", thing(a={"type": "integer"}), **JSON)
    assert refused.error == (409, 40901)
    assert (
        '{errorType:"TYPE_CHANGED", description:"A type at path \'#/properties/a\' is different'
        ' between the new schema and the old schema"}'
    ) in refused.body["message"]


@pytest.mark.parametrize("target", ["ref.json", "ref.json#/definitions/x"])
def test_case_072_references_lead_to_other_subjects_and_nowhere_else(api: Registry, target: str) -> None:
    api.registered("part", {"type": "string", "definitions": {"x": {"type": "integer"}}}, **JSON)
    reference = {"name": "ref.json", "subject": "part", "version": 1}
    whole = thing(p={"$ref": target})
    assert api.registered("whole", whole, references=[reference], **JSON) == 2
    refused = api.register("whole", whole, **JSON)
    assert refused.error == (422, 42201)
    assert "The reference 'ref.json" in refused.body["message"]
    assert "leads nowhere" in refused.body["message"]


def test_case_078_the_order_of_keys(api: Registry) -> None:
    one, other = {"type": "object", "title": "T"}, {"title": "T", "type": "object"}
    assert [api.registered(name, one, **JSON) for name in ("a", "b")] == [1, 1]
    assert api.registered("c", other, **JSON) == 2
    assert api.ok("GET", "/schemas/ids/1")["schema"] == '{"type":"object","title":"T"}'
    first = api.register("d", one, query="?normalize=true", **JSON)
    assert api.register("e", other, query="?normalize=true", **JSON).body["id"] == first.body["id"] == 2
    assert first.body["schema"] == '{"title":"T","type":"object"}'


def test_case_095_a_property_that_may_be_there(api: Registry) -> None:
    unnamed = {"type": "object", "properties": {"a": {"type": "string"}}}
    wider = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    api.registered("open", unnamed, **JSON)
    refused = api.register("open", wider, **JSON)
    assert refused.error == (409, 40901)
    assert "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL" in refused.body["message"]
    api.registered("closed", thing(a={"type": "string"}), **JSON)
    assert api.register("closed", thing(a={"type": "string"}, b={}), **JSON).status == 200
    api.ok("PUT", "/config/open", {"compatibilityPolicy": "LENIENT"})
    assert api.register("open", wider, **JSON).status == 200
