"""Messages for JSON Schema string for string as Confluent's registry sends them."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model import Severity
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.confluent import messages
from accord.policy.confluent_json import JSON_DESCRIPTIONS
from accord.policy.level_names import parse_level
from accord.rules.presets import PRESETS
from accord.rules.table import rules
from tests.accord.json_texts import MODERN, json_schema, verdict
from tests.accord.rules.jsonschema.test_vectors import VECTORS

SETTINGS = "{{validateFields: 'false', compatibility: '{}'}}"


def said(new: Any, old: Any, level: str = "BACKWARD") -> list[str]:
    """The messages for a candidate against one version."""
    parsed = json_schema(old)
    return messages(verdict(json_schema(new), parsed, level=level), old_texts={}, level_name=level)


def thing(*names: str, **members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, **members}


SHUT = {"additionalProperties": False}
PART = {"additionalProperties": {"type": "null"}}
# type, new, old, description
KINDS = [
    (
        "MAX_LENGTH_ADDED",
        {"maxLength": 1},
        {"type": "string"},
        "The keyword at path '#/maxLength' in the new schema is not present in the old schema",
    ),
    (
        "MINIMUM_INCREASED",
        {"minimum": 2},
        {"minimum": 1},
        "The value at path '#/minimum' in the new schema is more than its value in the old schema",
    ),
    (
        "MAXIMUM_DECREASED",
        {"maximum": 1},
        {"maximum": 2},
        "The value at path '#/maximum' in the new schema is less than its value in the old schema",
    ),
    (
        "PATTERN_CHANGED",
        {"pattern": "a"},
        {"pattern": "b"},
        "The value at path '#/pattern' is different between the new and old schema",
    ),
    (
        "ENUM_ARRAY_NARROWED",
        {"enum": [1]},
        {"enum": [1, 2]},
        "An array or combined type at path '#/enum' has fewer elements in the new schema than the old schema",
    ),
    (
        "PRODUCT_TYPE_EXTENDED",
        {"allOf": [{}, {"type": "null"}]},
        {"allOf": [{}]},
        "An array or combined type at path '#/' has more elements in the new schema than the old schema",
    ),
    (
        "TYPE_CHANGED",
        {"type": "null"},
        {"type": "string"},
        "A type at path '#/' is different between the new schema and the old schema",
    ),
    (
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
        thing("a/b"),
        thing(),
        (
            "The new schema has an open content model and has a property or item at path '#/properties/a/b'"
            " which is missing in the old schema"
        ),
    ),
    (
        "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL",
        thing("a", required=["a"], **SHUT),
        thing(**SHUT),
        (
            "The new schema has an unopen content model and has a required property at path"
            " '#/properties/a' which is missing in the old schema"
        ),
    ),
    (
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL",
        thing(**SHUT),
        thing("%s", **SHUT),
        (
            "The new schema has a closed content model and is missing a property or item present at path"
            " '#/properties/%s' in the old schema"
        ),
    ),
    (
        "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
        thing(**PART),
        thing("{a}", **PART),
        (
            "A property or item is missing in the new schema but present at path '#/properties/{a}' in the"
            " old schema and is not covered by its partially open content model"
        ),
    ),
    (
        "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
        thing("a", **PART),
        thing(**PART),
        (
            "The new schema has a property or item at path '#/properties/a' which is missing in the old"
            " schema and is not covered by its partially open content model"
        ),
    ),
    ("SCHEMA_ADDED", {"items": {}}, {"type": "array"}, ""),
]


@pytest.mark.parametrize(("kind", "new", "old", "description"), KINDS)
def test_each_kind_has_its_words(kind: str, new: Any, old: Any, description: str) -> None:
    lines = said(new, old)
    assert f'{{errorType:"{kind}", description:"{description}"}}' in lines
    assert lines[-2:] == ["{oldSchemaVersion: 1}", SETTINGS.format("BACKWARD")]


def test_forward_swaps_the_labels() -> None:
    assert said({"type": "string"}, {"maxLength": 1}, "FORWARD")[0] == (
        '{errorType:"MAX_LENGTH_ADDED", description:'
        "\"The keyword at path '#/maxLength' in the old schema is not present in the new schema\"}"
    )


def test_every_refusal_of_confluents_has_its_sentence() -> None:
    strict = PRESETS["confluent:8.1"]
    refused = {row.id for row in rules() if row.format == "JSON" and strict[row.id] is Severity.BLOCK}
    assert refused - {"PATTERN_UNREADABLE"} == set(JSON_DESCRIPTIONS)
    assert len(JSON_DESCRIPTIONS) == 67
    for sentence in JSON_DESCRIPTIONS.values():
        assert sentence.format(path="p", reader="new", writer="old").count("{") == 0


@pytest.mark.parametrize("vector", [one for one in VECTORS if not one["strict"]], ids=lambda one: one["id"])
def test_a_refused_vector_has_a_message_for_each_refusal(vector: dict[str, Any]) -> None:
    refused = [one.split()[0] for one in vector["diffs"] if one.split()[0] in JSON_DESCRIPTIONS]
    lines = said(vector["new"], vector["old"])[:-2]
    assert sorted(line.split('"')[1] for line in lines) == sorted(refused)


def test_our_own_rules_speak_in_our_own_words() -> None:
    old = {"$schema": MODERN, "type": "object", "patternProperties": {"(?=a)": {}}}
    (line, *_) = said({**old, "properties": {"b": {}}}, old)
    assert line.startswith("{errorType:'PATTERN_UNREADABLE', description:'At path ")
    assert "the pattern (?=a) cannot be run; what to do: write the pattern without lookaround" in line


def test_a_schema_that_must_be_closed_is_refused_by_itself() -> None:
    policy = Policy(parse_level("FULL"), "optional-friendly:1", {"OBJECT_NOT_CLOSED": Severity.BLOCK})
    first = judge(json_schema(thing()), [], policy)
    assert not first.is_allowed
    assert [one.message for one in first.findings] == [
        "the object at / is not closed, so optional properties cannot come and go there"
    ]
    again = judge(json_schema(thing()), [HistoryEntry(1, json_schema(thing()))], policy)
    assert (len(again.own), len(again.comparisons)) == (1, 2)
    assert judge(json_schema(thing(**SHUT)), [], policy).is_allowed
