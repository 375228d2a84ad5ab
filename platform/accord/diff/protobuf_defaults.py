"""The effective default of a field, and when two of them are the same."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, TypeAlias

from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.model import Enum

if TYPE_CHECKING:
    from accord.formats.protobuf.fields import Field

Default: TypeAlias = "bytes | float | int"

FLOATS = frozenset({Kind.FLOAT, Kind.DOUBLE})
ESCAPES = {"n": 10, "r": 13, "t": 9, "a": 7, "b": 8, "f": 12, "v": 11}
OCTAL = "01234567"


def default_of(field: Field) -> Default | None:
    """Return what a reader sees where the field is absent; None for lists, maps and messages.

    Text is bytes, a bool 0 or 1, an enum its number: that of the first value where nothing is said.
    """
    if field.is_repeated or field.kind.is_message:
        return None
    if field.kind.is_text:
        given = field.default or ""
        return given.encode() if field.kind is Kind.STRING else unescaped(given)
    if field.kind is Kind.ENUM:
        return _enum(field)
    if field.default is None:
        return 0
    if field.kind is Kind.BOOL:
        return int(field.default == "true")
    return float(field.default) if field.kind in FLOATS else int(field.default)


def _enum(field: Field) -> int:
    enum = field.type
    if not isinstance(enum, Enum) or not enum.values:
        return 0
    if field.default is None:
        return enum.values[0].number
    return enum.by_name[field.default].number if field.default in enum.by_name else 0


def unescaped(text: str) -> bytes:
    """Return the bytes that a descriptor spells in C's escapes."""
    found = bytearray()
    at = 0
    while at < len(text):
        if text[at] != "\\":
            found += text[at].encode()
            at += 1
            continue
        letter = text[at + 1 : at + 2]
        if letter in OCTAL and letter:
            found.append(int(text[at + 1 : at + 4], 8) & 0xFF)
            at += 4
        else:
            found.append(ESCAPES.get(letter, ord(letter or "\\")))
            at += 2
    return bytes(found)


def is_same_default(one: Field, other: Field, *, is_zero_signed: bool) -> bool:
    """Tell whether two fields have the same default; fields that have none are not asked.

    Source: protobuf-rules, 1.6.6 and 1.8: texts and numbers differ unless both are empty or zero, a float
    and a double are compared as floats, NaN equals NaN.
    """
    new, old = default_of(one), default_of(other)
    if new is None or old is None:
        return True
    if is_zero_signed and _is_negative_zero(new) is not _is_negative_zero(old):
        return False
    if not new and not old:
        return True
    if isinstance(new, bytes) or isinstance(old, bytes):
        return new == old
    if {one.kind, other.kind} == FLOATS:
        new, old = _as_float(new), _as_float(old)
    return new == old or (math.isnan(new) and math.isnan(old))


def _is_negative_zero(value: Default) -> bool:
    return isinstance(value, float) and value == 0 and math.copysign(1, value) < 0


def _as_float(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
