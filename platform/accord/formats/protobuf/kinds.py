"""What a field may be: its kind, its label, and its cardinality."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Kind(IntEnum):
    """The type of a field by its number in ``FieldDescriptorProto.Type``; `spelled` is the word for it."""

    DOUBLE = 1
    FLOAT = 2
    INT64 = 3
    UINT64 = 4
    INT32 = 5
    FIXED64 = 6
    FIXED32 = 7
    BOOL = 8
    STRING = 9
    GROUP = 10
    MESSAGE = 11
    BYTES = 12
    UINT32 = 13
    ENUM = 14
    SFIXED32 = 15
    SFIXED64 = 16
    SINT32 = 17
    SINT64 = 18

    @property
    def spelled(self) -> str:
        """The kind in small letters, as ``.proto`` files have it."""
        return self.name.lower()

    @property
    def is_message(self) -> bool:
        """True for messages, whether prefixed by their length or delimited."""
        return self in {Kind.MESSAGE, Kind.GROUP}

    @property
    def is_text(self) -> bool:
        """True for string and bytes."""
        return self in {Kind.STRING, Kind.BYTES}


KINDS = (None, *Kind)


class Label(StrEnum):
    """A label; NONE where the source has none."""

    NONE = ""
    OPTIONAL = "optional"
    REQUIRED = "required"
    REPEATED = "repeated"


LABELS = (Label.NONE, Label.OPTIONAL, Label.REQUIRED, Label.REPEATED)


class Cardinality(StrEnum):
    """How often a field may be there, and whether its absence shows."""

    REPEATED = "repeated"
    MAP = "map"
    REQUIRED = "required"
    EXPLICIT = "explicit presence"
    IMPLICIT = "implicit presence"
