"""The semantic list of changes: both directions, one change for each place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.policy.changes import Safety, change_data, changes
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema
from tests.accord.protobuf_texts import protobuf

X = {"name": "x", "type": "int"}
E = {"type": "enum", "name": "E", "symbols": ["A"]}
SHUT = {"type": "object", "additionalProperties": False}


def told(old: Any, new: Any) -> list[tuple[Safety, list[str], list[str]]]:
    """Safety and rules of each change."""
    make = avro if "name" in new else json_schema
    return [
        (one.safety, [a.rule for a in one.new_reads_old], [b.rule for b in one.old_reads_new])
        for one in changes(make(old), make(new))
    ]


FILLED, NOT_READ = "FIELD_FILLED_FROM_DEFAULT", "WRITER_FIELD_NOT_READ"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (record(), record(), []),
        (record(), record({**X, "default": 0}), [(Safety.SAFE, [FILLED], [NOT_READ])]),
        (
            record(),
            record(X),
            [(Safety.SAFE_FOR_WRITERS, ["READER_FIELD_MISSING_DEFAULT_VALUE"], [NOT_READ])],
        ),
        (
            record(X),
            record(),
            [(Safety.SAFE_FOR_READERS, [NOT_READ], ["READER_FIELD_MISSING_DEFAULT_VALUE"])],
        ),
        (
            record(X),
            record({**X, "type": "string"}),
            [(Safety.BREAKING, ["TYPE_MISMATCH"], ["TYPE_MISMATCH"])],
        ),
        (
            record(X),
            record({**X, "type": "long"}),
            [(Safety.SAFE_FOR_READERS, ["TYPE_PROMOTED"], ["TYPE_MISMATCH"])],
        ),
        (
            record(("e", E)),
            record(("e", {**E, "symbols": ["A", "B"]})),
            [(Safety.SAFE_FOR_READERS, [], ["MISSING_ENUM_SYMBOLS"])],
        ),
        (
            {**SHUT, "properties": {}},
            {**SHUT, "properties": {"x": {"type": "string"}}},
            [
                (
                    Safety.SAFE_FOR_READERS,
                    ["OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL"],
                    ["PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"],
                )
            ],
        ),
    ],
)
def test_what_both_directions_report_of_a_place_is_one_change(old: Any, new: Any, expected: Any) -> None:
    assert told(old, new) == expected


def test_changes_inside_the_branch_of_a_union_are_told() -> None:
    inner = [record(*fields, name="I") for fields in ((), ({**X, "default": 0},))]
    old, new = (record(("u", ["null", one])) for one in inner)
    assert told(old, new) == [(Safety.SAFE, [FILLED], [NOT_READ])]


def test_changes_have_places_in_the_texts_as_written() -> None:
    old, new = record(X), record(X, ("y", "int"), ("z", "string"))
    texts = json.dumps(old, indent=1), json.dumps(new, indent=1)
    found = changes(avro(old), avro(new), texts=texts)
    assert [(one.new_at, one.old_at) for one in found] == [((9, 3), (1, 1)), ((13, 3), (1, 1))]
    assert found[0].sentence == (
        "the new schema expects field y, which data of the old schema lacks and no default supplies"
    )
    assert found[0].meaning.startswith("Upgrade the writers first")


def test_another_format_is_one_change_without_places() -> None:
    (change,) = changes(avro('"int"'), json_schema({}))
    assert change.safety is Safety.BREAKING


def test_each_field_that_protobuf_lost_is_a_change_of_its_own() -> None:
    texts = [f'syntax = "proto3";\nmessage M {{\n{body}}}' for body in ("int32 a = 1;\nint32 b = 2;\n", "")]
    old, new = map(protobuf, texts)
    found = changes(old, new, texts=(texts[0], texts[1]))
    assert [(one.new_at, one.old_at) for one in found] == [((2, 1), (3, 1)), ((2, 1), (4, 1))]
    assert [{a.rule for a in one.old_reads_new} for one in found] == [{"FIELD_ADDED"}] * 2


def test_a_change_is_json() -> None:
    (change,) = changes(avro(record()), avro(record(X)))
    data = change_data(change)
    assert json.loads(json.dumps(data)) == data
    assert (data["safety"], data["path"]) == ("safe for writers", "/fields/0")
