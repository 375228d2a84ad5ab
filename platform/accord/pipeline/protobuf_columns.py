"""Which columns a Protobuf message has: worked out once, for Spark's types and for the rows alike.

The columns are those of Spark's ``from_protobuf`` with ``upcast.unsigned.ints`` and ``emit.default.values``,
recursive messages as with ``recursive.fields.max.depth``, so that a table stays what it is once Spark's
connector reads it. Messages without fields are left out, as there. An enum's number without a name is the one
difference: it is shown as the number.

Source: Spark's guide to its Protobuf data source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from accord.formats.protobuf.descriptors import FieldDescriptor
from accord.pipeline.errors import UnfitMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.protobuf.descriptors import Descriptor

MAX_COLUMNS: Final = 10_000
"""Most columns of a table, inner ones counted: messages that hold messages can make them any number."""
MAX_NESTING: Final = 100
"""How deep messages nest: what lies deeper Protobuf does not read anyway."""
MAX_RECURSION: Final = 10
"""How often a recursive message is unrolled at most; Spark's bound as well."""


class Kind(StrEnum):
    """What a single value is."""

    INT = "int"
    LONG = "long"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    DOUBLE = "double"
    BOOLEAN = "boolean"
    TEXT = "text"
    BYTES = "bytes"
    TIMESTAMP = "timestamp"
    INTERVAL = "interval"


class Shape(StrEnum):
    """How many values a field has."""

    ONE = "one"
    LIST = "list"
    MAP = "map"


@dataclass(frozen=True, slots=True)
class Names:
    """The values of an enum by number: the first name where one has several."""

    by_number: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Struct:
    """The columns of a message."""

    columns: tuple[Column, ...]


Value: TypeAlias = "Kind | Names | Struct"


@dataclass(frozen=True, slots=True)
class Column:
    """One field: its number, its values, those of its keys in a map, and what stands for one that is not set.

    ``unset`` is as Protobuf holds it, None where the column is null then.
    """

    name: str
    number: int
    value: Value
    shape: Shape = Shape.ONE
    key: Kind | None = None
    unset: object = None
    is_required: bool = False


_KINDS: Final = {
    FieldDescriptor.TYPE_INT32: Kind.INT,
    FieldDescriptor.TYPE_SINT32: Kind.INT,
    FieldDescriptor.TYPE_SFIXED32: Kind.INT,
    FieldDescriptor.TYPE_UINT32: Kind.LONG,
    FieldDescriptor.TYPE_FIXED32: Kind.LONG,
    FieldDescriptor.TYPE_INT64: Kind.LONG,
    FieldDescriptor.TYPE_SINT64: Kind.LONG,
    FieldDescriptor.TYPE_SFIXED64: Kind.LONG,
    FieldDescriptor.TYPE_UINT64: Kind.UNSIGNED,
    FieldDescriptor.TYPE_FIXED64: Kind.UNSIGNED,
    FieldDescriptor.TYPE_FLOAT: Kind.FLOAT,
    FieldDescriptor.TYPE_DOUBLE: Kind.DOUBLE,
    FieldDescriptor.TYPE_BOOL: Kind.BOOLEAN,
    FieldDescriptor.TYPE_STRING: Kind.TEXT,
    FieldDescriptor.TYPE_BYTES: Kind.BYTES,
}
# By file: anybody may write a message called google.protobuf.Timestamp, but these files are always Google's.
_WELL_KNOWN: Final = {
    "google/protobuf/timestamp.proto": Kind.TIMESTAMP,
    "google/protobuf/duration.proto": Kind.INTERVAL,
}


def columns_of(message: Descriptor, recursion_depth: int | None) -> Struct:
    """The columns of a message, recursive ones unrolled so often (1: the recursive field is left out).

    Raises `accord.pipeline.UnfitMessage` for a recursive message without a depth between 1 and
    `MAX_RECURSION`, and beyond `MAX_COLUMNS` or `MAX_NESTING`.
    """
    return _Walk(message.full_name, recursion_depth).struct(message, {message.full_name: 1})


class _Walk:
    """Goes through one message and what it holds; ``seen`` is how often each message is open around it."""

    def __init__(self, message: str, recursion_depth: int | None) -> None:
        self._message = message
        self._depth = recursion_depth
        self._count = 0

    def struct(self, message: Descriptor, seen: Mapping[str, int]) -> Struct:
        if sum(seen.values()) > MAX_NESTING:
            raise self._unfit(f"messages nest deeper than {MAX_NESTING} levels; name a flatter reader schema")
        found = (self._column(field, seen) for field in message.fields)
        return Struct(tuple(column for column in found if column is not None))

    def _column(self, field: FieldDescriptor, seen: Mapping[str, int]) -> Column | None:
        self._count += 1
        if self._count > MAX_COLUMNS:
            raise self._unfit(f"it makes more than {MAX_COLUMNS} columns; name a reader schema with fewer")
        inner = field.message_type
        if inner is not None and inner.GetOptions().map_entry:
            return self._map(field, inner, seen)
        value = self._value(field, seen)
        if value is None:
            return None
        if field.is_repeated:
            return Column(field.name, field.number, value, Shape.LIST, unset=())
        unset = None if field.has_presence else field.default_value
        return Column(field.name, field.number, value, unset=unset, is_required=field.is_required)

    def _map(self, field: FieldDescriptor, entry: Descriptor, seen: Mapping[str, int]) -> Column | None:
        value = self._value(entry.fields_by_name["value"], seen)
        if value is None:
            return None
        key = _KINDS[entry.fields_by_name["key"].type]
        return Column(field.name, field.number, value, Shape.MAP, key, {})

    def _value(self, field: FieldDescriptor, seen: Mapping[str, int]) -> Value | None:
        """What one value is; None for a message without columns, or beyond the depth."""
        if field.enum_type is not None:
            return Names({one.number: one.name for one in reversed(field.enum_type.values)})
        if field.message_type is None:
            return _KINDS[field.type]
        well_known = _WELL_KNOWN.get(field.message_type.file.name)
        return well_known or self._inner(field, field.message_type, seen)

    def _inner(self, field: FieldDescriptor, message: Descriptor, seen: Mapping[str, int]) -> Struct | None:
        times = seen.get(message.full_name, 0)
        if times and (self._depth is None or not 1 <= self._depth <= MAX_RECURSION):
            raise self._unfit(
                f"{field.full_name} is recursive; say how often to unroll it with `recursion_depth`"
                f" (--recursion-depth), 1 to {MAX_RECURSION}"
            )
        if times and self._depth is not None and times >= self._depth:
            return None
        struct = self.struct(message, {**seen, message.full_name: times + 1})
        return struct if struct.columns else None

    def _unfit(self, details: str) -> UnfitMessage:
        return UnfitMessage(name=self._message, details=details)
