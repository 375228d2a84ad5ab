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


def test_references_lead_to_other_subjects_and_nowhere_else(api: Registry) -> None:
    api.registered("part", {"type": "string"}, **JSON)
    reference = {"name": "part.json", "subject": "part", "version": 1}
    whole = thing(p={"$ref": "part.json"})
    assert api.registered("whole", whole, references=[reference], **JSON) == 2
    refused = api.register("whole", whole, **JSON)
    assert refused.error == (422, 42201)
    assert "The reference 'part.json' leads nowhere" in refused.body["message"]
