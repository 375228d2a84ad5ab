"""Features of editions, resolved: what holds for an element once all that surrounds it had its say.

Syntax ``proto2`` and ``proto3`` count as editions with fixed values. Values are the numbers of
``google.protobuf.FeatureSet``; the classes below name them. Source: descriptor.proto, cpp_features.proto,
java_features.proto.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from accord.formats.protobuf.descriptors import (
        DescriptorProto,
        EnumDescriptorProto,
        FeatureSet,
        FieldDescriptorProto,
        FileDescriptorProto,
        ServiceDescriptorProto,
    )

    Configurable: TypeAlias = (
        DescriptorProto
        | EnumDescriptorProto
        | FieldDescriptorProto
        | FileDescriptorProto
        | ServiceDescriptorProto
    )

PROTO2, PROTO3, EDITION_2023, EDITION_2024, EDITION_2026 = 998, 999, 1000, 1001, 1002
CPP, JAVA = 1000, 1001
WIRE_TYPE_BITS = 3
LENGTH_DELIMITED = 2


class Presence(IntEnum):
    """``field_presence``."""

    EXPLICIT = 1
    IMPLICIT = 2
    LEGACY_REQUIRED = 3


class EnumType(IntEnum):
    """``enum_type``."""

    OPEN = 1
    CLOSED = 2


class RepeatedEncoding(IntEnum):
    """``repeated_field_encoding``."""

    PACKED = 1
    EXPANDED = 2


class Utf8Validation(IntEnum):
    """``utf8_validation``."""

    VERIFY = 2
    NONE = 3


class MessageEncoding(IntEnum):
    """``message_encoding``."""

    LENGTH_PREFIXED = 1
    DELIMITED = 2


class JsonFormat(IntEnum):
    """``json_format``."""

    ALLOW = 1
    LEGACY_BEST_EFFORT = 2


class CppString(IntEnum):
    """``(pb.cpp).string_type``."""

    VIEW = 1
    CORD = 2
    STRING = 3


class JavaUtf8(IntEnum):
    """``(pb.java).utf8_validation``."""

    DEFAULT = 1
    VERIFY = 2


class Features(NamedTuple):
    """Every feature's value, the standard ones in the order of their numbers, then those of languages."""

    presence: int = Presence.EXPLICIT
    enum_type: int = EnumType.OPEN
    repeated: int = RepeatedEncoding.PACKED
    utf8: int = Utf8Validation.VERIFY
    message: int = MessageEncoding.LENGTH_PREFIXED
    json: int = JsonFormat.ALLOW
    naming_style: int = 2
    visibility: int = 1
    limits: int = 1
    cpp_closed_enum: int = 0
    cpp_string: int = CppString.STRING
    java_closed_enum: int = 0
    java_utf8: int = JavaUtf8.DEFAULT

    @property
    def is_open(self) -> bool:
        """True where an enum takes numbers it does not declare."""
        return self.enum_type == EnumType.OPEN


STANDARD = (
    "field_presence",
    "enum_type",
    "repeated_field_encoding",
    "utf8_validation",
    "message_encoding",
    "json_format",
    "enforce_naming_style",
    "default_symbol_visibility",
    "enforce_proto_limits",
)
CPP_SLOTS = {1: "cpp_closed_enum", 2: "cpp_string"}
JAVA_SLOTS = {1: "java_closed_enum", 2: "java_utf8"}

_2023 = Features()
_2024 = _2023._replace(naming_style=1, visibility=2, cpp_string=CppString.VIEW)
EDITIONS = {
    PROTO2: Features(
        enum_type=EnumType.CLOSED,
        repeated=RepeatedEncoding.EXPANDED,
        utf8=Utf8Validation.NONE,
        json=JsonFormat.LEGACY_BEST_EFFORT,
        cpp_closed_enum=1,
        java_closed_enum=1,
    ),
    PROTO3: Features(presence=Presence.IMPLICIT),
    EDITION_2023: _2023,
    EDITION_2024: _2024,
    EDITION_2026: _2024._replace(naming_style=3, visibility=4, limits=2),
}


def edition_of(file: FileDescriptorProto) -> int:
    """Return the edition of a file as a number, its syntax counting as one."""
    if file.syntax == "editions":
        return file.edition
    return PROTO3 if file.syntax == "proto3" else PROTO2


def file_features(file: FileDescriptorProto) -> Features:
    """Return the features in force in a file, whose edition must be one of `EDITIONS`."""
    return within(EDITIONS[edition_of(file)], file)


def within(outer: Features, proto: Configurable) -> Features:
    """Return the features in force for an element, from those of what holds it and its own options."""
    if not proto.HasField("options") or not proto.options.HasField("features"):
        return outer
    return _merged(outer, proto.options.features)


def _merged(outer: Features, own: FeatureSet) -> Features:
    values = list(outer)
    for place, name in enumerate(STANDARD):
        if own.HasField(name):  # type: ignore[arg-type]  # the names are those of the class
            values[place] = getattr(own, name)
    return _languages(Features(*values), own.SerializeToString(deterministic=True))


@cache
def _languages(features: Features, own: bytes) -> Features:
    """Take over what is set for C++ and Java, which are extensions: read from the bytes."""
    for number, value in _members(own):
        slots = {CPP: CPP_SLOTS, JAVA: JAVA_SLOTS}.get(number, {})
        if slots and isinstance(value, bytes):
            inner = {slots[one]: held for one, held in _members(value) if one in slots}
            features = features._replace(
                **{name: held for name, held in inner.items() if isinstance(held, int)}
            )
    return features


def _members(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield number and value of the fields of a message; the bytes were written by protobuf itself."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        value, at = _varint(data, at)
        if tag & (1 << WIRE_TYPE_BITS) - 1 == LENGTH_DELIMITED:
            yield tag >> WIRE_TYPE_BITS, data[at : at + value]
            at += value
        else:
            yield tag >> WIRE_TYPE_BITS, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
    return value | data[at] << shift, at + 1
