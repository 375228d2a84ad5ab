"""Differences of Protobuf string for string as Confluent's registry tells them."""

from __future__ import annotations

import pytest

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.confluent import messages
from tests.accord.protobuf_texts import schema_of

# kind, new, old, sentence
PROTOBUF_KINDS = [
    (
        "PACKAGE_CHANGED",
        "package a;",
        "package b;",
        ("The package at '#/' in the new schema does not match the package in the old schema"),
    ),
    (
        "MESSAGE_REMOVED",
        "message M {}",
        "message M { message N {} }",
        "The new schema is missing a MESSAGE type at path '#/M/N' in the old schema",
    ),
    (
        "FIELD_KIND_CHANGED",
        "message M { M a = 1; }",
        "message M { int32 a = 1; }",
        ("The type of a field at path '#/M/1' in the new schema does not match the old schema"),
    ),
    (
        "FIELD_SCALAR_KIND_CHANGED",
        "message M { string a = 1; }",
        "message M { int32 a = 1; }",
        (
            "The kind of a SCALAR field at path '#/M/1' in the new schema"
            " does not match its kind in the old schema"
        ),
    ),
    (
        "FIELD_NAMED_TYPE_CHANGED",
        "message M { N a = 1; } message N {}",
        "message M { M a = 1; } message N {}",
        (
            "The type of a MESSAGE field at path '#/M/1' in the new schema"
            " does not match its type in the old schema"
        ),
    ),
    (
        "FIELD_NUMERIC_LABEL_CHANGED",
        "message M { optional int32 a = 1; }",
        "message M { repeated int32 a = 1; }",
        (
            "The label for a NUMERIC field at path '#/M/1' in the new schema"
            " does not match its label in the old schema"
        ),
    ),
    (
        "ONEOF_FIELD_REMOVED",
        "message M { oneof o { int32 x = 2; } }",
        "message M { oneof o { int32 x = 2; int32 y = 3; } }",
        "The new schema is missing a oneof field at path '#/M/o/3' in the old schema",
    ),
    (
        "MULTIPLE_FIELDS_MOVED_TO_ONEOF",
        "message M { oneof o { int32 x = 2; int32 y = 3; } }",
        "message M { int32 x = 2; int32 y = 3; }",
        (
            "Multiple fields in the oneof at path '#/M/o' in the new schema"
            " are outside a oneof in the old schema"
        ),
    ),
    (
        "FIELD_MOVED_TO_EXISTING_ONEOF",
        "message M { oneof o { int32 x = 2; int32 y = 3; } }",
        "message M { oneof o { int32 x = 2; } int32 y = 3; }",
        (
            "A field in the oneof at path '#/M/o' in the new schema"
            " is outside an existing oneof in the old schema"
        ),
    ),
]
REQUIRED = [
    (
        "REQUIRED_FIELD_ADDED",
        "message M { required int32 a = 1; }",
        "message M {}",
        ("A required field  at path '#/M/1' in the new schema is missing in the old schema"),
    ),
    (
        "REQUIRED_FIELD_REMOVED",
        "message M {}",
        "message M { required int32 a = 1; }",
        "The new schema is missing a required field at path: '#/M/1' in the old schema",
    ),
]


@pytest.mark.parametrize(
    ("syntax", "kind", "new", "old", "description"),
    [("proto3", *row) for row in PROTOBUF_KINDS] + [("proto2", *row) for row in REQUIRED],
)
def test_each_kind_of_protobuf_has_its_words(
    syntax: str, kind: str, new: str, old: str, description: str
) -> None:
    sides = [schema_of({"schema.proto": f'syntax = "{syntax}";\n{text}'}) for text in (new, old)]
    found = judge(sides[0], [HistoryEntry(1, sides[1])], Policy(CONFLUENT_LEVELS["BACKWARD"]))
    said = messages(found, old_texts={}, level_name="BACKWARD")
    assert said[0] == f'{{errorType:"{kind}", description:"{description}"}}'
    assert len(said) == 3
