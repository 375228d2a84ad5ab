"""Opening and closing the objects of a schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.formats import opened, unclosed
from accord.formats.jsonschema.content import (
    closed,
    closed_text,
    consumer,
    content_models,
    content_models_data,
    opened_text,
)
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
    assert json.loads(made.text)["properties"] == {
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
    found = content_models(schema)
    assert [(one.path, str(one.model)) for one in found.objects] == [
        ("/", "open"),
        ("/properties/shut", "closed"),
        ("/properties/a~1b", "partly open"),
        ("/properties/named", "partly open"),
        ("/properties/left", "partly open"),
    ]
    assert found.counts == {"open": 1, "closed": 1, "partly open": 3}
    assert content_models(avro('"int"')).objects == ()


def test_objects_that_references_lead_to_are_named_by_the_way_there() -> None:
    schema = with_references(
        {**SHUT, "properties": {"a": {"$ref": "b.json"}, "n": {"not": {"$ref": "b.json#/properties/c"}}}},
        {
            "b.json": {
                **SHUT,
                "properties": {"c": {"$ref": "#/definitions/C"}, "again": {"$ref": "b.json"}},
                "definitions": {"C": OPEN, "unused": OPEN},
            },
            "true.json": True,
        },
    )
    assert unclosed(schema) == (("properties", "a", "properties", "c"),)
    assert content_models_data(content_models(schema)) == {
        "objects": [
            {"path": "/", "model": "closed"},
            {"path": "/properties/a", "model": "closed"},
            {"path": "/properties/a/properties/c", "model": "open"},
        ],
        "left_out": 0,
        "counts": {"open": 1, "closed": 2, "partly open": 0},
    }


def test_a_reference_to_true_leads_to_no_object() -> None:
    schema = with_references({**SHUT, "items": {"$ref": "t.json"}}, {"t.json": True})
    assert unclosed(schema) == ()


def test_a_long_way_through_references_is_cut() -> None:
    chain = {f"C{n}": {"items": {"$ref": f"#/definitions/C{n + 1}"}} for n in range(2_000)}
    library = {"definitions": {**chain, "C2000": OPEN}}
    schema = with_references({**SHUT, "items": {"$ref": "l.json#/definitions/C0"}}, {"l.json": library})
    assert unclosed(schema) == (("items",) * 200,)


def test_so_many_models_are_listed_and_the_rest_counted() -> None:
    found = content_models(json_schema({"items": [OPEN] * 1_001}))
    assert (len(found.objects), found.left_out, found.counts["open"]) == (1_000, 1, 1_001)  # type: ignore[index]  # equal to its member
    long = json_schema({"properties": {"x" * 60_000: {"items": [OPEN] * 100}}})
    assert content_models(long).left_out > 80


@pytest.mark.parametrize(
    ("change", "before", "wanted"),
    [(opened_text, SHUT, WIDE), (closed_text, OPEN, SHUT), (lambda one: consumer(one).text, SHUT, WIDE)],
)
def test_a_changed_text_holds_what_it_refers_to(change: Any, before: Any, wanted: Any) -> None:
    schema = with_references(
        {**before, "properties": {"a": {"$ref": "b.json"}}},
        {
            "b.json": {
                **before,
                "properties": {"c": {"$ref": "#/definitions/C"}},
                "definitions": {"C": before},
            }
        },
    )
    text = change(schema)
    assert json.loads(text)["properties"] == {"a": {"$ref": "#/definitions/b.json"}}
    held = json.loads(text)["definitions"]["b.json"]
    assert held["properties"] == {"c": {"$ref": "#/definitions/b.json/definitions/C"}}
    assert (held["additionalProperties"], held["definitions"]["C"]) == (
        wanted["additionalProperties"],
        wanted,
    )
    assert json_schema(text).canonical == text


def test_numbers_stay_as_written_in_a_changed_text() -> None:
    text = '{"type":"object","maximum":1.50,"additionalProperties":false}'
    assert opened_text(json_schema(text)) == text.replace("false", "true")
    assert closed_text(json_schema(opened_text(json_schema(text)))) == text


def test_a_choice_in_a_referenced_schema_is_relaxed_where_the_text_has_it() -> None:
    schema = with_references({"properties": {"a": {"$ref": "b.json"}}}, {"b.json": {"oneOf": [SHUT, SHUT]}})
    made = consumer(schema)
    assert made.relaxed == (("definitions", "b.json"),)
    assert json.loads(made.text)["definitions"] == {"b.json": {"anyOf": [WIDE, WIDE]}}
