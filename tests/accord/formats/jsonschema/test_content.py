"""Opening and closing the objects of a schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.formats import opened, unclosed
from accord.formats.jsonschema.content import ContentModel, closed, consumer, content_models, with_model
from tests.accord.avro_texts import avro
from tests.accord.json_texts import MODERN, json_schema, with_references

SHUT: dict[str, Any] = {"type": "object", "additionalProperties": False}
WIDE: dict[str, Any] = {"type": "object", "additionalProperties": True}
OPEN: dict[str, Any] = {"type": "object"}


def after(change: Any, schema: Any) -> Any:
    """The JSON of a schema after a change."""
    return json.loads(change(json_schema(schema)).canonical)


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        (SHUT, WIDE),
        (OPEN, OPEN),
        ({"type": "object", "additionalProperties": {"type": "string"}}, WIDE),
        (
            {"type": ["object", "null"], "additionalProperties": False},
            {"type": ["object", "null"], "additionalProperties": True},
        ),
        ({"minProperties": 1}, {"minProperties": 1}),
        (
            {"properties": {"a": SHUT}, "additionalProperties": False},
            {"properties": {"a": WIDE}, "additionalProperties": True},
        ),
        (
            {"type": "string", "additionalProperties": False},
            {"type": "string", "additionalProperties": False},
        ),
        ({"$schema": MODERN, **OPEN, "unevaluatedProperties": False}, {"$schema": MODERN, **OPEN}),
        ({"items": [SHUT], "additionalItems": SHUT}, {"items": [WIDE], "additionalItems": WIDE}),
        ({"patternProperties": {"^x": SHUT}}, {"patternProperties": {"^x": WIDE}}),
        ({"dependencies": {"a": SHUT, "b": ["c"]}}, {"dependencies": {"a": WIDE, "b": ["c"]}}),
        ({"if": SHUT, "then": SHUT, "else": SHUT}, {"if": SHUT, "then": WIDE, "else": WIDE}),
        ({"not": SHUT, "contains": SHUT}, {"not": SHUT, "contains": SHUT}),
        ({"enum": [SHUT], "default": SHUT}, {"enum": [SHUT], "default": SHUT}),
        (
            {"properties": {"additionalProperties": SHUT}},
            {"properties": {"additionalProperties": WIDE}},
        ),
        ({"definitions": {"A": SHUT}, "anyOf": [SHUT]}, {"definitions": {"A": WIDE}, "anyOf": [WIDE]}),
        (True, True),
    ],
)
def test_objects_are_opened_wherever_a_schema_stands(schema: Any, wanted: Any) -> None:
    assert after(opened, schema) == wanted
    assert after(opened, wanted) == wanted


def test_closing_leaves_alone_what_is_closed_or_partly_open() -> None:
    part = {"type": "object", "additionalProperties": {"type": "string"}}
    done = {"$schema": MODERN, **OPEN, "unevaluatedProperties": False}
    for schema, wanted in ((OPEN, SHUT), (WIDE, SHUT), (SHUT, SHUT), (part, part), (done, done)):
        assert after(closed, schema) == wanted
    assert after(closed, {"properties": {"a": OPEN}, "not": OPEN}) == {
        "properties": {"a": SHUT},
        "not": OPEN,
        "additionalProperties": False,
    }


def test_the_places_that_are_not_closed_are_named() -> None:
    schema = {**SHUT, "properties": {"a": OPEN, "b": SHUT, "c": {"items": OPEN}, "d": {"not": OPEN}}}
    assert unclosed(json_schema(schema)) == (("properties", "a"), ("properties", "c", "items"))
    assert unclosed(json_schema({**SHUT, "patternProperties": {}})) == ((),)
    assert unclosed(avro('"int"')) == ()


def test_so_many_open_places_are_named_and_no_more() -> None:
    assert len(unclosed(json_schema({"properties": {f"p{n}": OPEN for n in range(90)}}))) == 20


def test_referenced_schemas_are_opened_as_well() -> None:
    schema = with_references({"properties": {"a": {"$ref": "other.json"}}}, {"other.json": SHUT})
    assert json.loads(opened(schema).resolved())["definitions"] == {"other.json": WIDE}


def test_a_consumer_gets_anyof_where_oneof_chose_between_closed_objects() -> None:
    choice = {"properties": {"a": {"oneOf": [SHUT, {"type": "string"}]}, "b": {"oneOf": [{"minimum": 1}]}}}
    made = consumer(json_schema(choice))
    assert made.relaxed == (("properties", "a"),)
    assert json.loads(made.schema.canonical)["properties"] == {
        "a": {"anyOf": [WIDE, {"type": "string"}]},
        "b": {"oneOf": [{"minimum": 1}]},
    }


def test_every_object_has_a_content_model() -> None:
    schema = json_schema(
        {
            "type": "object",
            "properties": {
                "shut": {"type": "object", "additionalProperties": False},
                "a/b": {"type": "object", "additionalProperties": {"type": "string"}},
                "named": {"patternProperties": {"^x": {}}, "additionalProperties": False},
                "left": {"type": "object", "unevaluatedProperties": {"type": "null"}},
                "not": {"not": {"type": "object"}},
            },
        }
    )
    assert [(one.path, str(one.model)) for one in content_models(schema)] == [
        ("/", "open"),
        ("/properties/shut", "closed"),
        ("/properties/a~1b", "partly open"),
        ("/properties/named", "partly open"),
        ("/properties/left", "partly open"),
    ]
    assert list(content_models(avro('"int"'))) == []


def test_a_text_is_opened_and_closed_for_people() -> None:
    schema = json_schema('{"type":"object","maximum":1.50,"additionalProperties":false}')
    opened_text = with_model(schema, ContentModel.OPEN)
    assert opened_text == '{\n  "type": "object",\n  "maximum": 1.50,\n  "additionalProperties": true\n}\n'
    assert with_model(json_schema(opened_text), ContentModel.CLOSED) == opened_text.replace("true", "false")
    with pytest.raises(ValueError, match="choose open or closed"):
        with_model(schema, ContentModel.PARTLY_OPEN)
