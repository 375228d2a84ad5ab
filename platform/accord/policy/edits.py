"""The changes that people make to schemas, and which rule reports each in which direction.

Advice is computed from these rows, from the level's directions and from the severities in force. What
a row says of Avro is judged in the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.model import Format
from accord.policy.policies import Transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    Rows = tuple[tuple[str, str, str | None, str | None], ...]

FIELDS, TYPES, NAMES = "fields", "types", "names"
ENUMS, UNIONS, ONEOF = "enums", "unions", "oneof"


class Edit(NamedTuple):
    """One kind of change; the rules that report it where the new schema reads and where the old one does.

    Of several the one that weighs most under any preset. None means that nothing is reported, so the change
    is safe in that direction.
    """

    feature: str
    words: str
    backward: str | None
    forward: str | None


NO_DEFAULT = "READER_FIELD_MISSING_DEFAULT_VALUE"
FILLED_IN, NOT_READ = "FIELD_FILLED_FROM_DEFAULT", "WRITER_FIELD_NOT_READ"
AVRO: Rows = (
    (FIELDS, "add a field with a default", FILLED_IN, NOT_READ),
    (FIELDS, "remove a field that had a default", NOT_READ, FILLED_IN),
    (FIELDS, "add a field without a default", NO_DEFAULT, NOT_READ),
    (FIELDS, "remove a field that had no default", NOT_READ, NO_DEFAULT),
    (FIELDS, "rename a field and keep its old name as an alias", "FIELD_READ_BY_ALIAS", NO_DEFAULT),
    (FIELDS, "change the default of a field", "FIELD_DEFAULT_CHANGED", "FIELD_DEFAULT_CHANGED"),
    (TYPES, "widen a number, such as int to long", "TYPE_PROMOTED", "TYPE_MISMATCH"),
    (TYPES, "narrow a number, such as long to int", "TYPE_MISMATCH", "TYPE_PROMOTED"),
    (TYPES, "change a type, such as int to string", "TYPE_MISMATCH", "TYPE_MISMATCH"),
    (TYPES, "change a logical type", "LOGICAL_TYPE_CHANGED", "LOGICAL_TYPE_CHANGED"),
    (TYPES, "change the size of a fixed", "FIXED_SIZE_MISMATCH", "FIXED_SIZE_MISMATCH"),
    (NAMES, "rename a record, enum or fixed", "NAME_MISMATCH", "NAME_MISMATCH"),
    (NAMES, "move a type to another namespace", "NAMESPACE_CHANGED", "NAMESPACE_CHANGED"),
    (ENUMS, "add a symbol to an enum", None, "MISSING_ENUM_SYMBOLS"),
    (ENUMS, "remove a symbol from an enum", "MISSING_ENUM_SYMBOLS", None),
    (UNIONS, "add a branch to a union", None, "MISSING_UNION_BRANCH"),
    (UNIONS, "remove a branch from a union", "MISSING_UNION_BRANCH", None),
)
GONE = "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
OPEN = "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
MADE_REQUIRED = "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL"
JSON_TYPES: Rows = (
    (FIELDS, "make an optional property required", "REQUIRED_ATTRIBUTE_ADDED", "REQUIRED_ATTRIBUTE_REMOVED"),
    (FIELDS, "make a required property optional", "REQUIRED_ATTRIBUTE_REMOVED", "REQUIRED_ATTRIBUTE_ADDED"),
    (TYPES, "widen a type, such as integer to number", "TYPE_EXTENDED", "TYPE_NARROWED"),
    (TYPES, "narrow a type, such as number to integer", "TYPE_NARROWED", "TYPE_EXTENDED"),
    (TYPES, "change a type, such as integer to string", "TYPE_CHANGED", "TYPE_CHANGED"),
    (ENUMS, "add a value to an enum", "ENUM_ARRAY_EXTENDED", "ENUM_ARRAY_NARROWED"),
    (ENUMS, "remove a value from an enum", "ENUM_ARRAY_NARROWED", "ENUM_ARRAY_EXTENDED"),
    (UNIONS, "add a branch to a oneOf or anyOf", "SUM_TYPE_EXTENDED", "SUM_TYPE_NARROWED"),
    (UNIONS, "remove a branch from a oneOf or anyOf", "SUM_TYPE_NARROWED", "SUM_TYPE_EXTENDED"),
)
JSON: Rows = (
    (FIELDS, "add an optional property to a closed object", None, GONE),
    (FIELDS, "remove an optional property from a closed object", GONE, None),
    (FIELDS, "add a required property to a closed object", MADE_REQUIRED, GONE),
    (FIELDS, "add an optional property to an open object", OPEN, None),
    (FIELDS, "remove an optional property from an open object", None, OPEN),
    *JSON_TYPES,
)
JSON_FRIENDLY: Rows = (
    (FIELDS, "add an optional property to a closed object", None, None),
    (FIELDS, "remove an optional property from a closed object", None, None),
    (
        FIELDS,
        "add a required property to a closed object",
        MADE_REQUIRED,
        None,
    ),
    (FIELDS, "add an optional property to an open object", OPEN, None),
    *JSON_TYPES,
)
PROTOBUF: Rows = (
    (FIELDS, "add or remove a field that is not required", None, None),
    (FIELDS, "rename a field and keep its number", None, None),
    (TYPES, "change a number to one of the same bytes, such as int64 to uint64", None, None),
    (FIELDS, "add a required field", "REQUIRED_FIELD_ADDED", "REQUIRED_FIELD_REMOVED"),
    (
        TYPES,
        "change a type to one with other bytes",
        "FIELD_SCALAR_KIND_CHANGED",
        "FIELD_SCALAR_KIND_CHANGED",
    ),
    (NAMES, "remove a message", "MESSAGE_REMOVED", None),
    (NAMES, "change the package", "PACKAGE_CHANGED", "PACKAGE_CHANGED"),
    (ENUMS, "add or remove a value of an enum", None, None),
    (ONEOF, "add a field to a oneof", None, "ONEOF_FIELD_REMOVED"),
    (ONEOF, "remove a field from a oneof", "ONEOF_FIELD_REMOVED", None),
)
EDITS: Mapping[tuple[Format, Transform], Rows] = {
    (Format.AVRO, Transform.NONE): AVRO,
    (Format.JSON, Transform.NONE): JSON,
    (Format.JSON, Transform.OPTIONAL_FRIENDLY): JSON_FRIENDLY,
    (Format.PROTOBUF, Transform.NONE): PROTOBUF,
}


def edits(format_: Format, transform: Transform) -> tuple[Edit, ...]:
    """Return the changes that people make in a format; a transform of another format changes nothing."""
    rows = EDITS.get((format_, transform)) or EDITS[format_, Transform.NONE]
    return tuple(Edit(*row) for row in rows)
