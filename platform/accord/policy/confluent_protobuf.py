"""The sentences of Confluent's registry for Protobuf, string for string, with its names of differences.

Source: confluent-api, section 5.3. Its differences are some of our rules, each under another name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.diff.protobuf_changes import Difference

if TYPE_CHECKING:
    from collections.abc import Mapping


class Said(NamedTuple):
    """What Confluent calls a difference, and its sentence; {reader} and {writer} are the two sides."""

    kind: str
    sentence: str


NAMED_TYPE = Said(
    "FIELD_NAMED_TYPE_CHANGED",
    "The type of a MESSAGE field at path '{path}' in the {reader} schema does not match its type in the"
    " {writer} schema",
)
# rule id: what Confluent says
PROTOBUF_DESCRIPTIONS: Mapping[str, Said] = {
    Difference.FILE_SAME_PACKAGE: Said(
        "PACKAGE_CHANGED",
        "The package at '{path}' in the {reader} schema does not match the package in the {writer} schema",
    ),
    Difference.SCOPED_MESSAGE_NO_DELETE: Said(
        "MESSAGE_REMOVED",
        "The {reader} schema is missing a MESSAGE type at path '{path}' in the {writer} schema",
    ),
    Difference.FIELD_SAME_TYPE_CATEGORY: Said(
        "FIELD_KIND_CHANGED",
        "The type of a field at path '{path}' in the {reader} schema does not match the {writer} schema",
    ),
    Difference.FIELD_WIRE_COMPATIBLE_SCALAR: Said(
        "FIELD_SCALAR_KIND_CHANGED",
        "The kind of a SCALAR field at path '{path}' in the {reader} schema does not match its kind in the"
        " {writer} schema",
    ),
    Difference.FIELD_SAME_MESSAGE_NAME: NAMED_TYPE,
    Difference.FIELD_MESSAGE_CONTENT_COMPATIBLE: NAMED_TYPE,
    Difference.FIELD_SAME_LABEL: Said(
        "FIELD_NUMERIC_LABEL_CHANGED",
        "The label for a NUMERIC field at path '{path}' in the {reader} schema does not match its label in"
        " the {writer} schema",
    ),
    # Two blanks, as there.
    Difference.REQUIRED_FIELD_ADDED: Said(
        "REQUIRED_FIELD_ADDED",
        "A required field  at path '{path}' in the {reader} schema is missing in the {writer} schema",
    ),
    Difference.REQUIRED_FIELD_REMOVED: Said(
        "REQUIRED_FIELD_REMOVED",
        "The {reader} schema is missing a required field at path: '{path}' in the {writer} schema",
    ),
    Difference.ONEOF_FIELD_NO_DELETE: Said(
        "ONEOF_FIELD_REMOVED",
        "The {reader} schema is missing a oneof field at path '{path}' in the {writer} schema",
    ),
    Difference.ONEOF_MULTIPLE_FIELDS_MOVED_IN: Said(
        "MULTIPLE_FIELDS_MOVED_TO_ONEOF",
        "Multiple fields in the oneof at path '{path}' in the {reader} schema are outside a oneof in the"
        " {writer} schema",
    ),
    Difference.ONEOF_FIELD_MOVED_TO_EXISTING: Said(
        "FIELD_MOVED_TO_EXISTING_ONEOF",
        "A field in the oneof at path '{path}' in the {reader} schema is outside an existing oneof in the"
        " {writer} schema",
    ),
}
