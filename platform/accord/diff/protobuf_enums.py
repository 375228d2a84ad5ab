"""Two enums: values that came, went, changed name or number, and how unknown numbers are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.diff.changes import Effort
from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_reserved import Reservations, reservations
from accord.formats.protobuf.features import JsonFormat

if TYPE_CHECKING:
    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.model import Enum, Tokens, Value


def enums(sides: Sides, reader: Enum, writer: Enum) -> Steps:
    """Compare two enums."""
    if reader.proto == writer.proto and reader.features == writer.features:
        return
    yield Effort(len(reader.proto.value) + len(writer.proto.value))
    yield from _enum(reader, writer)
    yield from _numbers(reader, writer)
    yield from _names(reader, writer)
    if sides.profile.values_by_name:
        yield from _gone_by_name(sides, reader, writer)
    else:
        yield from _gone_by_number(sides, reader, writer)
    if sides.tells_reservations and sides.profile.reserves_in_enums:
        kind = Difference.RESERVED_ENUM_NO_DELETE
        yield from reservations(sides, reader, writer, reader.values, kind)


def _enum(reader: Enum, writer: Enum) -> Steps:
    is_open, was_open = reader.features.is_open, writer.features.is_open
    if is_open is not was_open:
        words = ("closed", "open")
        yield Differs(
            (*reader.at, "enum_type"),
            Difference.ENUM_SAME_TYPE,
            reader.name,
            words[is_open],
            words[was_open],
        )
    if writer.features.json == JsonFormat.ALLOW and reader.features.json != JsonFormat.ALLOW:
        yield Differs((*reader.at, "json_format"), Difference.ENUM_SAME_JSON_FORMAT, reader.name)
    if not is_open and was_open:
        yield Differs(reader.at, Difference.ENUM_READABLE, reader.name, "closed", "open")
    elif not is_open:
        lacking = [number for number in writer.by_number if number not in reader.by_number]
        if lacking:
            numbers = ", ".join(map(str, lacking[:10]))
            yield Differs(reader.at, Difference.ENUM_READABLE, reader.name, writer=numbers)


def _numbers(reader: Enum, writer: Enum) -> Steps:
    for number, values in reader.by_number.items():
        before = writer.by_number.get(number)
        if before is None:
            for value in values:
                yield Differs(value.at, Difference.ENUM_VALUE_ADDED, value.name, str(number))
            continue
        new, old = ({value.name for value in one} for one in (values, before))
        if not old <= new:
            texts = (", ".join(sorted(new)), ", ".join(sorted(old)))
            for value in values:
                yield Differs(value.at, Difference.ENUM_VALUE_SAME_NAME, str(number), *texts)


def _names(reader: Enum, writer: Enum) -> Steps:
    for name, old in writer.by_name.items():
        new = reader.by_name.get(name)
        if new is not None and new.number != old.number:
            numbers = (str(new.number), str(old.number))
            yield Differs(new.at, Difference.ENUM_VALUE_SAME_NUMBER, name, *numbers, lost=old.at)


def _gone_by_number(sides: Sides, reader: Enum, writer: Enum) -> Steps:
    held = Reservations(reader)
    for number, values in writer.by_number.items():
        if number in reader.by_number:
            continue
        is_named = all(value.name in held.names for value in values)
        names = ", ".join(value.name for value in values)
        lacking = (not held.has_number(number), not is_named)
        gone = Gone(f"{names} = {number}", values[0].at, lacking)
        yield from _gone(sides, reader, gone)


def _gone_by_name(sides: Sides, reader: Enum, writer: Enum) -> Steps:
    held = Reservations(reader)
    for name, value in writer.by_name.items():
        if name not in reader.by_name:
            is_protected = held.has_number(value.number) or value.number in reader.by_number
            lacking = (not is_protected, name not in held.names)
            yield from _gone(sides, reader, Gone(_spelled(value), value.at, lacking))


class Gone(NamedTuple):
    """A value that is gone: how it is spelled, where it was, and whether number and name are unprotected."""

    name: str
    at: Tokens
    lacking: tuple[bool, bool]


def _gone(sides: Sides, reader: Enum, gone: Gone) -> Steps:
    yield Differs(reader.at, Difference.ENUM_VALUE_NO_DELETE, gone.name, lost=gone.at)
    kinds = (
        Difference.ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED,
        Difference.ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED,
    )
    for kind, is_lacking in zip(kinds, gone.lacking, strict=True):
        if is_lacking and sides.tells_reservations:
            yield Differs(reader.at, kind, gone.name, lost=gone.at)


def _spelled(value: Value) -> str:
    return f"{value.name} = {value.number}"
