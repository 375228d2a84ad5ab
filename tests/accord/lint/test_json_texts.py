"""Lint rules of Avro and JSON Schema beyond their examples: what is told apart, and what is passed over."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from accord.lint.jsonschema.values import is_of_type, types_of
from accord.lint.profile import FieldCase, LintOptions, LintProfile
from accord.model import Format
from tests.accord.lint.texts import places, schema_findings

A, B = ({"type": "record", "name": name, "fields": [{"name": "x", "type": "int"}]} for name in "AB")
OTHER = {"type": "record", "name": "O", "fields": [{"name": "y", "type": "int"}]}
STRINGS = {"type": "map", "values": "string"}
FIXED = {"type": "fixed", "name": "F", "size": 2}


@pytest.mark.parametrize(
    ("branches", "clashing"),
    [
        ([A, B], ["/1"]),
        ([A, OTHER], []),
        ([A, STRINGS], ["/1"]),
        ([STRINGS, A], ["/1"]),
        (["bytes", FIXED, "null"], ["/1"]),
        (["null", "boolean", "string", "double", {"type": "array", "items": "int"}], []),
        (["int", "long", "float"], ["/1", "/2"]),
    ],
)
def test_branches_of_avro_that_look_alike(branches: list[object], clashing: list[str]) -> None:
    found = places(Format.AVRO, json.dumps(branches), "AVRO_UNION_AMBIGUOUS")
    assert [path for path, _ in found] == clashing


@pytest.mark.parametrize(
    ("field", "count"),
    [
        ({"type": ["null", "int"], "default": None}, 0),
        ({"type": ["null", "int"]}, 1),
        ({"type": ["int", "null"], "default": 1}, 1),
        ({"type": ["int", "string"], "default": 1}, 0),
        ({"type": "null", "default": None}, 0),
    ],
)
def test_null_comes_first_and_is_the_default(field: dict[str, object], count: int) -> None:
    text = json.dumps({"type": "record", "name": "R", "fields": [{"name": "a", **field}]})
    assert len(places(Format.AVRO, text, "AVRO_OPTIONAL_NULL_FIRST")) == count


def test_the_case_of_fields_is_an_option() -> None:
    text = '{"type": "record", "name": "R", "fields": [{"name": "aB", "type": "int"}]}'
    snake = LintProfile(("AVRO_FIELD_CASE",), options=LintOptions(field_case=FieldCase.SNAKE))
    assert [one.message for one in schema_findings(Format.AVRO, text, snake)] == [
        'the field "aB" should be "a_b"'
    ]


OBJECT = {"type": "object", "required": ["kind"]}
CARD = {**OBJECT, "properties": {"kind": {"const": "card"}}}
CASH = {**OBJECT, "properties": {"kind": {"enum": ["cash", "coin"]}}}
# A chain that is longer than anybody follows.
CHAIN = {f"d{number}": {"$ref": f"#/definitions/d{number + 1}"} for number in range(40)}
LONG = "x" * 1_000
TEXTS = {name: {"type": "string"} for name in ("d40", "text", LONG)}
DEFINITIONS = {**CHAIN, **TEXTS, "anchored": {"$id": "#anchored", "type": "string"}}
LOOSE = {"type": "object", "properties": {"kind": {"const": "card"}}}


@pytest.mark.parametrize(
    ("branches", "clashing"),
    [
        ([CARD, CASH], []),
        ([CARD, CARD], ["/oneOf/1"]),
        ([CARD, LOOSE], ["/oneOf/1"]),
        ([CARD, {**OBJECT, "properties": {"kind": {"type": "string"}}}], ["/oneOf/1"]),
        ([CARD, {**OBJECT, "properties": {"kind": False}}], ["/oneOf/1"]),
        ([{"const": 1}, {"const": 2}], []),
        ([{"const": 1}, {"const": 1.0}], ["/oneOf/1"]),
        ([{"const": "1.0"}, {"const": 1.0}], []),
        ([{"const": True}, {"const": 1}], []),
        ([{"const": {"a": [1, True], "b": 2}}, {"const": {"b": 2.0, "a": [1.0, True]}}], ["/oneOf/1"]),
        ([{"const": {"a": [1]}}, {"const": {"a": [True]}}], []),
        ([{"$ref": "#anchored"}, {"type": "string"}], []),
        ([{"$ref": f"#/definitions/{LONG}"}, {"type": "string"}], []),
        ([{"const": 1}, {"enum": [1, 2]}], ["/oneOf/1"]),
        ([{"const": 1}, {"type": "integer"}], ["/oneOf/1"]),
        ([{"const": "x"}, {"type": "integer"}], []),
        ([True, {"type": "string"}], ["/oneOf/1"]),
        ([False, {"type": "string"}], []),
        ([{"$ref": "#/definitions/text"}, {"type": "string"}], ["/oneOf/1"]),
        ([{"$ref": "#"}, {"type": "string"}], ["/oneOf/1"]),
        ([{"$ref": "#/definitions/d0"}, {"type": "string"}], []),
        ([{"type": ["string", "null"]}, {"type": "null"}], ["/oneOf/1"]),
    ],
)
def test_branches_of_one_of_that_overlap(branches: list[object], clashing: list[str]) -> None:
    text = json.dumps({"definitions": DEFINITIONS, "oneOf": branches})
    found = places(Format.JSON, text, "JSON_UNION_AMBIGUOUS")
    assert [path for path, _ in found if path.startswith("/oneOf")] == clashing


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"type": "integer", "default": 1.0}, 0),
        ({"type": "integer", "default": 1.5}, 1),
        ({"type": ["null", "string"], "default": None}, 0),
        ({"default": [1]}, 0),
        ({"enum": ["a", 1], "default": 1}, 0),
        ({"enum": ["a", 1], "default": 1.0}, 0),
        ({"enum": ["a", 1], "default": True}, 1),
        ({"type": "object", "default": {}}, 0),
        ({"type": "boolean", "default": "yes"}, 1),
    ],
)
def test_defaults_are_held_against_type_and_enum(schema: dict[str, object], count: int) -> None:
    assert len(places(Format.JSON, json.dumps(schema), "JSON_DEFAULT_VALID")) == count


def test_values_have_types() -> None:
    assert types_of(Decimal("1.0")) == {"integer", "number"}
    assert types_of(Decimal("1.5")) == {"number"}
    assert types_of(float("inf")) == {"number"}
    assert is_of_type("x", "nothing")


def test_flags_of_draft_4_are_not_compared() -> None:
    text = '{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}'
    assert [path for path, _ in places(Format.JSON, text, "JSON_KEYWORD_NOT_COMPARED")] == [
        "/exclusiveMinimum"
    ]


@pytest.mark.parametrize("text", ["true", "{}"])
def test_schemas_that_say_nothing_have_no_objects(text: str) -> None:
    assert places(Format.JSON, text, "COMMENTS", "OPTIONAL_FRIENDLY", "JSON_REQUIRED_UNDECLARED") == []


def test_findings_of_one_schema_are_bounded() -> None:
    names = {f"Bad-Name-{number}": True for number in range(1_500)}
    assert len(schema_findings(Format.JSON, json.dumps({"properties": names}))) == 1_000


def test_what_is_required_has_no_default() -> None:
    text = json.dumps({"required": ["a", "b"], "properties": {"a": {"default": 1}, "b": {}}})
    assert [path for path, _ in places(Format.JSON, text, "JSON_REQUIRED_WITH_DEFAULT")] == ["/properties/a"]


def test_each_value_has_its_types() -> None:
    told: dict[str, Any] = {"null": None, "boolean": True, "string": "", "array": [], "object": {}}
    assert all(types_of(value) == {name} for name, value in told.items())
