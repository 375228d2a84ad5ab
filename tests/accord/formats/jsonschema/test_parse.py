"""Both loaders: what is refused and where, and what two texts have in common."""

from __future__ import annotations

from typing import Any

import pytest

from accord.errors import InvalidSchema
from tests.accord.json_texts import MODERN, differences, json_schema

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_6 = "https://json-schema.org/draft-06/schema"


def refused(schema: Any) -> tuple[str, str]:
    """The message and the place of a refusal."""
    with pytest.raises(InvalidSchema) as caught:
        json_schema(schema)
    return str(caught.value), caught.value.location


@pytest.mark.parametrize("draft", [DRAFT_4, "http://json-schema.org/draft-07/schema#", MODERN])
@pytest.mark.parametrize(
    ("schema", "words", "place"),
    [
        ({"type": "x"}, "'x' is not a type; write array", "/type"),
        ({"type": ["string", 1]}, "This is not a type", "/type/1"),
        ({"maxLength": "3"}, "'maxLength' must be a number", "/maxLength"),
        ({"minItems": 1.5}, "'minItems' must be a whole number", "/minItems"),
        ({"minimum": True}, "'minimum' must be a number", "/minimum"),
        ({"pattern": 1}, "'pattern' must be a string", "/pattern"),
        ({"title": {}}, "'title' must be a string", "/title"),
        ({"uniqueItems": "yes"}, "'uniqueItems' must be true or false", "/uniqueItems"),
        ({"required": "a"}, "'required' must be a list of strings", "/required"),
        ({"enum": "a"}, "'enum' must be a list", "/enum"),
        ({"allOf": {}}, "'allOf' must be a list", "/allOf"),
        ({"anyOf": [{}, 1]}, "A schema must be an object, true or false", "/anyOf/1"),
        ({"properties": []}, "'properties' must be an object", "/properties"),
        ({"properties": {"a/b": {"not": 3}}}, "A schema must be an object", "/properties/a~1b/not"),
        ({"items": 3}, "A schema must be an object", "/items"),
        ({"additionalProperties": "no"}, "A schema must be an object", "/additionalProperties"),
        ({"$ref": 3}, "'$ref' must be a string", "/$ref"),
        ({"$ref": "#/definitions/A"}, "'#/definitions/A' leads nowhere", "/$ref"),
        ({"$ref": "http://example.com/a.json"}, "nothing is fetched", "/$ref"),
        ({"$ref": "http://[::1"}, "leads nowhere", "/$ref"),
        ({"$ref": "#/x/y", "x": {"y": 3}}, "leads nowhere", "/$ref"),
        ({"$ref": "#"}, "leads back to itself", "/$ref"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(draft: str, schema: Any, words: str, place: str) -> None:
    message, location = refused({"$schema": draft, **schema})
    assert words in message
    assert message.endswith(f"(at {place})")
    assert location == place


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (
            {"$schema": DRAFT_4, "minimum": 1, "exclusiveMinimum": 1},
            "'exclusiveMinimum' must be true or false",
        ),
        ({"minimum": 1, "exclusiveMinimum": True}, "'exclusiveMinimum' must be a number"),
        ({"dependencies": {"a": ["b", 1]}}, "'a' must be a list of strings"),
        ({"$schema": MODERN, "items": [{}]}, "is called 'prefixItems'"),
        ({"$schema": MODERN, "dependentRequired": {"a": "b"}}, "'a' must be a list of strings"),
        ({"$schema": MODERN, "contains": 1}, "A schema must be an object"),
        ({"$schema": MODERN, "contains": {}, "minContains": "1"}, "'minContains' must be a number"),
        ({"if": 1}, "A schema must be an object"),
        ([], "A schema must be an object"),
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"const": 1e999}', "beyond the range of a double"),
        ('{"const": 1.5e-999}', "closer to zero"),
        ("{/* a comment */}", "not JSON"),
        ('{"const": "\ud800"}', "one half of a surrogate pair"),
        ('{"const": "\\ud800"}', "one half of a surrogate pair"),
        ('{"const": "\0"}', "NUL character"),
        ('{"const": NaN}', "NaN is not a JSON number"),
    ],
)
def test_each_loader_refuses_what_it_cannot_read(schema: Any, words: str) -> None:
    assert words in refused(schema)[0]


def test_a_stored_schema_may_say_things_twice() -> None:
    assert json_schema('{"title": "a", "title": "b"}', strict=False).canonical == '{"title":"b"}'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"minimum": 1}, {"type": "number", "minimum": 1}),
        ({"properties": {}}, {"type": "object", "properties": {}}),
        ({"type": "string", "format": "date"}, {"type": "string"}),
        ({"$schema": DRAFT_4, "const": 1}, {}),
        ({"$schema": DRAFT_4, "type": "number", "exclusiveMinimum": True}, {"type": "number"}),
        ({"$schema": DRAFT_6, "if": {}, "type": "null"}, {"type": "null"}),
        ({"$schema": MODERN, "type": "integer", "format": "int64"}, {"type": "integer"}),
        ({"$schema": MODERN, "type": "object", "dependencies": {"a": ["b"]}}, {"type": "object"}),
        (
            {"$schema": MODERN, "type": ["string", "null"], "maxLength": 3},
            {"maxLength": 3, "type": ["string", "null"]},
        ),
        (
            {"$schema": MODERN, "maxLength": 3, "type": ["string", "null"]},
            {"type": ["string", "null"], "maxLength": 3},
        ),
        ({"$schema": MODERN, "prefixItems": [{}], "items": False}, {"items": [{}], "additionalItems": False}),
        (
            {"$schema": MODERN, "prefixItems": [{}], "items": {"type": "null"}},
            {"items": [{}], "additionalItems": {"type": "null"}},
        ),
        ({"$schema": MODERN, "type": "array", "items": True}, {"type": "array"}),
        ({"$schema": MODERN, "type": "object", "additionalProperties": True}, {"type": "object"}),
        (
            {"$schema": MODERN, "dependentSchemas": {"a": {"minimum": 1}}},
            {"dependencies": {"a": {"minimum": 1}}},
        ),
        (
            {"$schema": MODERN, "type": "array", "uniqueItems": True, "minItems": 1},
            {"type": "array", "uniqueItems": True, "minItems": 1},
        ),
        ({"$schema": MODERN, "properties": {}, "propertyNames": {}}, {"properties": {}}),
        ({"$schema": MODERN, "default": None, "type": "null"}, {"type": "null"}),
        ({"$schema": MODERN, "then": {}, "type": "null"}, {"type": "null"}),
        ({"type": "array", "minContains": 1}, {"$schema": MODERN, "type": "array", "contains": {}}),
        ({"minLength": 2.0}, {"minLength": 2}),
        (
            {"$schema": MODERN, "type": ["string", "null"], "minimum": 1},
            {"allOf": [{"type": ["string", "null"]}, {"minimum": 1}]},
        ),
        ({"enum": list(range(20))}, {"enum": list(range(20))[::-1]}),
        (False, {"$schema": "unknown", "type": "string"}),
        ({"connect.type": "bytes", "type": "number"}, {"connect.type": "bytes", "type": "string"}),
    ],
)
def test_two_spellings_of_one_schema_do_not_differ(one: Any, other: Any) -> None:
    assert differences(other, one) == []


@pytest.mark.parametrize(
    ("new", "old", "found"),
    [
        ({"type": "integer", "format": "int64"}, {"type": "integer"}, "TYPE_CHANGED #/"),
        ({"properties": {}}, {}, "TYPE_CHANGED #/"),
        ({"type": "string", "default": None}, {"type": "string"}, "DEFAULT_CHANGED #/"),
        (
            {"$schema": MODERN, "const": {"a": [1, None]}},
            {"const": {"a": [1.0, True]}},
            "ENUM_ARRAY_CHANGED #/const",
        ),
        ({"$schema": MODERN, "enum": [0.5]}, {"enum": [0.5, -0.25]}, "ENUM_ARRAY_NARROWED #/enum"),
        ({"$schema": DRAFT_4, "id": "a"}, {"$schema": DRAFT_4, "id": "b"}, "ID_CHANGED #/"),
        ({"type": "array", "maxContains": 1}, {"type": "array"}, "MAX_CONTAINS_ADDED #/maxContains"),
        ({"items": {}, "contains": 1, "$schema": DRAFT_4}, {"type": "array"}, "SCHEMA_ADDED #/items"),
        (
            {"$schema": MODERN, "required": ["a"], "properties": {"a": {}}},
            {"properties": {"a": {}}},
            "REQUIRED_ATTRIBUTE_ADDED #/required/a",
        ),
        (
            {
                "properties": {"a": {"type": "null"}, "x": {"$ref": "#/definitions/d", "default": 1}},
                "required": ["x"],
                "definitions": {"d": {}},
            },
            {"properties": {"a": {"type": "null"}}},
            "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL #/properties/x",
        ),
    ],
)
def test_what_differs_between_spellings(new: Any, old: Any, found: str) -> None:
    assert differences(new, old) == [found]
