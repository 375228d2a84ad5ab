"""Queue-safe and JSON Schema: what Confluent's comparison passes over, and which branch is which."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from tests.accord.json_texts import MODERN, json_schema, verdict

PRESET = "accord:queue-safe:1"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
LEVELS = ("BACKWARD", "FORWARD", "FULL_TRANSITIVE")


def closed(properties: dict[str, Any], *required: str, **others: Any) -> dict[str, Any]:
    """A closed object."""
    found: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return found | ({"required": list(required)} if required else {}) | others


def within(schema: Any, root: str = "") -> Any:
    """The schema of a property."""
    return closed({"a": schema}) | ({"$schema": root} if root else {})


def told(new: Any, old: Any, level: str = "BACKWARD") -> list[tuple[str, str]]:
    """Rules and places of what queue-safe refuses; objects that are not closed are another matter."""
    found = verdict(json_schema(new), json_schema(old), level=level, preset=PRESET).findings
    return [(one.rule, one.path) for one in found if one.rule != "OBJECT_NOT_CLOSED"]


def allowed(new: Any, old: Any) -> set[bool]:
    """What queue-safe says, whatever the level and whichever comes first."""
    return {not told(*pair, level) for pair in ((new, old), (old, new)) for level in LEVELS}


TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
X, Y = closed({"x": TEXT}), closed({"y": TEXT})
CARD = closed({"kind": {"const": "card"}, "pan": TEXT}, "kind")
CASH = closed({"kind": {"type": "string", "enum": ["cash"]}, "pan": TEXT}, "kind")


def one_of(*branches: Any, word: str = "oneOf") -> dict[str, Any]:
    """A choice."""
    return {word: list(branches)}


def plus(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object with other properties."""
    return {**schema, "properties": {**schema["properties"], **more}}


# Old, new, and the rule and place that are told.
REFUSED: dict[str, tuple[Any, Any, str, str]] = {
    "required of what is not declared": (
        closed({}),
        closed({}, "zz"),
        "KEYWORD_CHANGED",
        "/required/zz",
    ),
    "other names": (
        closed({}, propertyNames={"maxLength": 9}),
        closed({}, propertyNames={"maxLength": 8}),
        "KEYWORD_CHANGED",
        "/propertyNames",
    ),
    "names at last": (closed({}), closed({}, propertyNames=TEXT), "KEYWORD_CHANGED", "/propertyNames"),
    "contains": (
        within({"type": "array"}),
        within({"type": "array", "contains": TEXT}),
        "KEYWORD_CHANGED",
        "/properties/a/contains",
    ),
    "other contains": (
        within({"type": "array", "contains": closed({"x": TEXT})}, MODERN),
        within({"type": "array", "contains": closed({"x": TEXT, "y": TEXT})}, MODERN),
        "KEYWORD_CHANGED",
        "/properties/a/contains",
    ),
    "another condition": (
        within({"if": TEXT, "then": {"maxLength": 1}}),
        within({"if": TEXT, "then": {"maxLength": 2}}),
        "KEYWORD_CHANGED",
        "/properties/a/then",
    ),
    "an else": (
        within({"if": TEXT}),
        within({"if": TEXT, "else": {"minimum": 2}}),
        "KEYWORD_CHANGED",
        "/properties/a/else",
    ),
    "a flag of draft 4": (
        within({"type": "number", "minimum": 0}, DRAFT_4),
        within({"type": "number", "minimum": 0, "exclusiveMinimum": True}, DRAFT_4),
        "KEYWORD_CHANGED",
        "/properties/a/exclusiveMinimum",
    ),
    "not, wider": (
        within({"not": closed({"x": TEXT})}),
        within({"not": closed({"x": TEXT, "y": TEXT})}),
        "KEYWORD_CHANGED",
        "/properties/a/not",
    ),
    "a pattern": (
        closed({}),
        closed({}, patternProperties={"^x": TEXT}),
        "KEYWORD_CHANGED",
        "/patternProperties/^x",
    ),
    "what a pattern allows": (
        closed({}, patternProperties={"^x": TEXT}),
        closed({}, patternProperties={"^x": NUMBER}),
        "TYPE_CHANGED",
        "/patternProperties/^x",
    ),
    "the mark of a decimal": (
        within({"type": "number"}),
        within({"type": "number", "connect.type": "bytes"}),
        "KEYWORD_CHANGED",
        "/properties/a/connect.type",
    ),
    "another decimal": (
        within({"type": "number", "connect.type": "bytes"}),
        within({"type": "string", "connect.type": "bytes"}),
        "TYPE_CHANGED",
        "/properties/a",
    ),
    "branches crossed": (
        one_of(X, Y),
        one_of(closed({"x": WHOLE}), closed({"y": WHOLE})),
        "TYPE_CHANGED",
        "/oneOf/0/properties/x",
    ),
    "branches crossed, with more": (
        one_of(X, Y),
        one_of(closed({"y": WHOLE, "v": TEXT}), closed({"x": WHOLE, "w": TEXT})),
        "COMBINED_TYPE_SUBSCHEMAS_CHANGED",
        "/",
    ),
    "a branch that is marked": (
        one_of(CARD, CASH),
        one_of(CASH, plus(CARD, pan=WHOLE)),
        "TYPE_CHANGED",
        "/oneOf/0/properties/pan",
    ),
    "texts in branches": (
        within(one_of({"pattern": "a"}, {"pattern": "b"}, word="anyOf")),
        within(one_of({"pattern": "c"}, {"pattern": "d"}, word="anyOf")),
        "COMBINED_TYPE_SUBSCHEMAS_CHANGED",
        "/properties/a",
    ),
    "a branch more": (one_of(X), one_of(X, Y), "SUM_TYPE_EXTENDED", "/"),
    "any for one": (one_of(X, Y), one_of(X, Y, word="anyOf"), "COMBINED_TYPE_CHANGED", "/"),
}


@pytest.mark.parametrize("edit", REFUSED)
def test_what_others_pass_over_is_refused_with_its_place(edit: str) -> None:
    old, new, rule, path = REFUSED[edit]
    assert (rule, path) in told(new, old)
    assert allowed(new, old) == {False}
    assert allowed(old, old) == {True}


ALLOWED: dict[str, tuple[Any, Any]] = {
    "branches in another order": (one_of(CARD, CASH, X), one_of(X, CASH, CARD)),
    "an optional property in marked branches": (
        one_of(CARD, CASH),
        one_of(plus(CASH, note=TEXT), plus(CARD, note=TEXT)),
    ),
    "an optional property in the only object": (
        within(one_of({"type": "null"}, X)),
        within(one_of({"type": "null"}, plus(X, y=TEXT))),
    ),
    "one in an object or null": (
        within({**X, "type": ["object", "null"]}),
        within({**plus(X, y=TEXT), "type": ["object", "null"]}),
    ),
    "titles of branches": (
        one_of({"pattern": "a"}, {"pattern": "b"}, X, Y),
        one_of(*({**one, "title": "t"} for one in ({"pattern": "a"}, {"pattern": "b"}, X, Y))),
    ),
    "keywords in another order": (
        {**within({"type": "string", "enum": ["a", "b"]}), "$schema": MODERN},
        {**within({"enum": ["a", "b"], "type": "string"}), "$schema": MODERN},
    ),
    "words within a condition": (
        within({"if": {**TEXT, "title": "t"}, "then": {"maxLength": 1}}),
        within({"if": TEXT, "then": {"maxLength": 1, "description": "d"}}),
    ),
    "a choice that must not hold": (
        within({"not": one_of(TEXT, {**NUMBER, "title": "t"})}),
        within({"not": one_of(TEXT, NUMBER)}),
    ),
    "a recursive schema that must not hold": (
        within({"not": {"$ref": "#/definitions/T"}})
        | {"definitions": {"T": closed({"t": {"$ref": "#/definitions/T"}})}},
        within({"not": {"$ref": "#/definitions/U"}})
        | {"definitions": {"U": {**closed({"t": {"$ref": "#/definitions/U"}}), "title": "t"}}},
    ),
}


@pytest.mark.parametrize("edit", ALLOWED)
def test_branches_keep_who_they_are(edit: str) -> None:
    old, new = ALLOWED[edit]
    assert allowed(new, old) == {True}


def test_the_reasons_name_what_changed_inside() -> None:
    old, new = within({"not": {"type": "string", "maxLength": 1}}), within({"not": TEXT})
    (finding,) = verdict(json_schema(new), json_schema(old), preset=PRESET).findings
    assert [(one.rule, one.path) for one in finding.reasons] == [
        ("MAX_LENGTH_REMOVED", "/properties/a/not/maxLength")
    ]


def test_an_ambiguous_branch_is_told_with_its_likely_partner() -> None:
    old, new, *_ = REFUSED["branches crossed, with more"]
    found = verdict(json_schema(new), json_schema(old), preset=PRESET).findings
    assert [one.rule for one in found] == ["COMBINED_TYPE_SUBSCHEMAS_CHANGED"] * 2
    assert [one.path for one in found[0].reasons] == []


def test_formats_may_be_passed_over_here_as_well() -> None:
    policy = Policy(CONFLUENT_LEVELS["FULL"], PRESET, ignores_formats=True)
    old, new = (json_schema(within({"type": "integer", **more})) for more in ({}, {"format": "int64"}))
    found = judge(new, [HistoryEntry(1, old)], policy).findings
    assert {one.rule for one in found} == {"FORMAT_CHANGED"}


def test_what_the_other_walk_tells_is_told_once() -> None:
    old, new = closed({"x": TEXT}), closed({"x": TEXT}, "x")
    assert told(new, old) == [("REQUIRED_ATTRIBUTE_ADDED", "/required/x")]


def test_closing_what_was_open_is_allowed() -> None:
    old = json_schema({**X, "additionalProperties": True})
    assert verdict(json_schema(X), old, level="FULL", preset=PRESET).findings == ()
