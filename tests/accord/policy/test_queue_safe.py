"""Queue-safe: optional fields come and go, nothing else changes, and every format says the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model import Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from tests.accord.avro_texts import avro, record, verdict
from tests.accord.json_texts import json_schema
from tests.accord.json_texts import verdict as json_verdict
from tests.accord.protobuf_texts import schema_of

PRESET = "accord:queue-safe:1"
KINDS = {"int": "integer", "string": "string", "boolean": "boolean", "double": "number"}
DEFAULTS: dict[str, Any] = {"int": 0, "string": "", "boolean": False, "double": 0.5}

SINGLE = ("BACKWARD", "FORWARD", "FULL_TRANSITIVE")

# A field in words that both formats know: its kind and whether it may be missing.
Fields = dict[str, tuple[str, bool]]


def as_avro(fields: Fields) -> dict[str, Any]:
    """A record whose optional fields have defaults."""
    return record(
        *(
            {"name": name, "type": kind, **({"default": DEFAULTS[kind]} if is_optional else {})}
            for name, (kind, is_optional) in fields.items()
        )
    )


def as_json(fields: Fields) -> dict[str, Any]:
    """A closed object whose other properties are required."""
    return {
        "type": "object",
        "properties": {name: {"type": KINDS[kind]} for name, (kind, _) in fields.items()},
        "required": [name for name, (_, is_optional) in fields.items() if not is_optional],
        "additionalProperties": False,
    }


def nested_avro(fields: Fields) -> Any:
    return record(("inner", {"type": "array", "items": {**as_avro(fields), "name": "Inner"}}))


def nested_json(fields: Fields) -> Any:
    items = {"type": "array", "items": as_json(fields)}
    return as_json({}) | {"properties": {"inner": items}, "required": ["inner"]}


def answers(new: Fields, old: Fields, *, level: str = "FULL_TRANSITIVE") -> set[bool]:
    """What both formats say, flat and nested; one answer if they agree."""
    return {
        verdict(avro(one(new)), avro(one(old)), level=level, preset=PRESET).is_allowed
        for one in (as_avro, nested_avro)
    } | {
        json_verdict(json_schema(one(new)), json_schema(one(old)), level=level, preset=PRESET).is_allowed
        for one in (as_json, nested_json)
    }


names = st.sampled_from("abcdefgh")
kinds = st.sampled_from(sorted(KINDS))
fields = st.dictionaries(names, st.tuples(kinds, st.booleans()), max_size=6)


@given(fields, st.sets(names), st.sampled_from([name for name in CONFLUENT_LEVELS if name != "NONE"]))
def test_optional_fields_come_and_go_in_every_direction(old: Fields, gone: set[str], level: str) -> None:
    new = {name: field for name, field in old.items() if name not in gone or not field[1]}
    new |= {f"{name}_new": ("string", True) for name in gone}
    assert answers(new, old, level=level) == {True}
    assert answers(old, new, level=level) == {True}


@given(fields.filter(bool), st.data())
def test_any_other_edit_is_refused_by_both_formats(old: Fields, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(old)))
    kind, is_optional = old[name]
    other = data.draw(kinds.filter(lambda one: one != kind))
    edits: dict[str, Fields] = {
        "another type": {**old, name: (other, is_optional)},
        "required or not": {**old, name: (kind, not is_optional)},
        "a required field more": {**old, "more": (kind, False)},
    }
    new = edits[data.draw(st.sampled_from(sorted(edits)))]
    level = data.draw(st.sampled_from(SINGLE))
    assert answers(new, old, level=level) == {False}
    assert answers(old, new, level=level) == {False}


E1 = {"type": "enum", "name": "E", "symbols": ["A", "B"], "default": "A"}
TIME = {"type": "long", "logicalType": "timestamp-millis"}
# What the words say, before and after, in Avro: each of them can be read in both directions or in one.
AVRO_EDITS: dict[str, tuple[Any, Any]] = {
    "int to long": ("int", "long"),
    "bytes to string": ("bytes", "string"),
    "bytes to string in a union": (["null", "bytes"], ["null", "string"]),
    "a union instead of a type": ("int", ["null", "int"]),
    "a branch more": (["null", "int"], ["null", "int", "string"]),
    "a branch that is read as another": (["null", "long"], ["null", "long", "int"]),
    "a symbol more": (E1, {**E1, "symbols": ["A", "B", "C"]}),
    "a symbol less": (E1, {**E1, "symbols": ["A"]}),
    "another default symbol": (E1, {**E1, "default": "B"}),
    "another name": (E1, {**E1, "name": "F"}),
    "another name and aliases": ({**E1, "aliases": ["F"]}, {**E1, "name": "F", "aliases": ["E"]}),
    "another namespace": (E1, {**E1, "namespace": "x"}),
    "another logical type": (TIME, {**TIME, "logicalType": "timestamp-micros"}),
    "a logical type in a union": (["null", "long"], ["null", TIME]),
    "another size": ({"type": "fixed", "name": "F", "size": 1}, {"type": "fixed", "name": "F", "size": 2}),
}


@pytest.mark.parametrize("edit", AVRO_EDITS)
def test_other_edits_of_avro_are_refused(edit: str) -> None:
    old, new = (avro(record(("a", one))) for one in AVRO_EDITS[edit])
    for one, other in ((new, old), (old, new)):
        assert {verdict(one, other, level=level, preset=PRESET).is_allowed for level in SINGLE} == {False}
    assert verdict(old, old, level="FULL", preset=PRESET).findings == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"name": "a", "type": "int", "default": 0}, {"name": "a", "type": "int", "default": 1}),
        (
            {"name": "a", "type": "int", "default": 0},
            {"name": "b", "type": "int", "default": 0, "aliases": ["a"]},
        ),
    ],
)
def test_defaults_and_renames_of_avro_fields_are_refused(old: Any, new: Any) -> None:
    assert not verdict(avro(record(new)), avro(record(old)), level="FULL", preset=PRESET).is_allowed


JSON_EDITS: dict[str, tuple[Any, Any]] = {
    "integer to number": ({"type": "integer"}, {"type": "number"}),
    "a bound more": ({"type": "string"}, {"type": "string", "maxLength": 9}),
    "a wider bound": ({"type": "string", "maxLength": 9}, {"type": "string", "maxLength": 10}),
    "another pattern": ({"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}),
    "a value more": ({"enum": [1, 2]}, {"enum": [1, 2, 3]}),
    "another constant": ({"const": 1}, {"const": 2}),
    "a branch more": ({"oneOf": [{"type": "null"}]}, {"oneOf": [{"type": "null"}, {"type": "string"}]}),
    "another choice": (
        {"oneOf": [{"type": "null"}, {"type": "string"}]},
        {"anyOf": [{"type": "null"}, {"type": "string"}]},
    ),
    "another default": ({"type": "integer", "default": 1}, {"type": "integer", "default": 2}),
    "nothing forbidden any more": ({"not": {"type": "string"}}, {"not": {"type": "string", "minLength": 1}}),
    "another format": ({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}),
    "unique items": ({"type": "array"}, {"type": "array", "uniqueItems": True}),
}


@pytest.mark.parametrize("edit", JSON_EDITS)
def test_other_edits_of_json_schema_are_refused(edit: str) -> None:
    old, new = (
        json_schema({"type": "object", "properties": {"a": one}, "additionalProperties": False})
        for one in JSON_EDITS[edit]
    )
    for one, other in ((new, old), (old, new)):
        assert {json_verdict(one, other, level=level, preset=PRESET).is_allowed for level in SINGLE} == {
            False
        }
    assert json_verdict(old, old, level="FULL", preset=PRESET).findings == ()


def test_words_about_a_schema_may_change() -> None:
    old, new = (
        json_schema({"type": "object", "title": text, "description": text, "additionalProperties": False})
        for text in ("one", "other")
    )
    assert json_verdict(new, old, level="FULL", preset=PRESET).findings == ()
    assert verdict(avro(record(doc="x")), avro(record()), level="FULL", preset=PRESET).findings == ()


def test_an_object_that_is_not_closed_is_refused() -> None:
    (finding,) = judge(json_schema({"type": "object"}), [], Policy(CONFLUENT_LEVELS["FULL"], PRESET)).findings
    assert (finding.rule, finding.severity) == ("OBJECT_NOT_CLOSED", Severity.BLOCK)


def test_versions_before_the_latest_count() -> None:
    number, text = ({"a": (kind, True)} for kind in ("int", "string"))
    policy = Policy(CONFLUENT_LEVELS["FULL_TRANSITIVE"], PRESET)
    history = [HistoryEntry(1, avro(as_avro(number))), HistoryEntry(2, avro(as_avro({})))]
    assert not judge(avro(as_avro(text)), history, policy).is_allowed
    assert judge(avro(as_avro(number)), history, policy).is_allowed


AB, ABC = {"a": ("int", True)}, {"a": ("int", True), "b": ("int", True)}
OTHER = {"a": ("string", True)}
NEEDED = {"a": ("int", True), "b": ("int", False)}
PROTO = "syntax = 'proto2'; package p; message M {{ {} }}"
SPELLED = {
    "a": "optional int32 a = 1;",
    "b": "optional int32 b = 2;",
    "other": "optional string a = 1;",
    "needed": "required int32 b = 2;",
    "gone": "reserved 2; reserved 'b';",
}
# The same change in words and in Protobuf, and whether it is safe.
LOGICAL: dict[str, tuple[Fields, Fields, str, str, bool]] = {
    "an optional field more": (AB, ABC, "a", "a b", True),
    "an optional field less": (ABC, AB, "a b", "a gone", True),
    "a required field more": (AB, NEEDED, "a", "a needed", False),
    "a required field less": (NEEDED, AB, "a needed", "a gone", False),
    "another type": (AB, OTHER, "a", "other", False),
}


@pytest.mark.parametrize("change", LOGICAL)
@pytest.mark.parametrize("level", SINGLE)
def test_a_change_means_the_same_in_every_format(change: str, level: str) -> None:
    old, new, *texts, is_safe = LOGICAL[change]
    was, is_ = (
        schema_of({"a.proto": PROTO.format(" ".join(SPELLED[word] for word in text.split()))})
        for text in texts
    )
    policy = Policy(CONFLUENT_LEVELS[level], PRESET)
    assert answers(new, old, level=level) == {is_safe}
    assert judge(is_, [HistoryEntry(1, was)], policy).is_allowed is is_safe


def test_the_other_direction_is_told_as_what_it_is() -> None:
    old, new = (avro(as_avro(one)) for one in (NEEDED, AB))
    (finding,) = verdict(new, old, level="BACKWARD", preset=PRESET).findings
    assert (finding.rule, finding.is_turned) == ("READER_FIELD_MISSING_DEFAULT_VALUE", True)
    (finding,) = verdict(new, old, level="FULL", preset=PRESET).findings
    assert (finding.rule, finding.is_turned) == ("READER_FIELD_MISSING_DEFAULT_VALUE", False)
