"""Which messages and enums make a pair, and which came or went."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_fields import spelled_field
from accord.diff.protobuf_profile import Pairing
from accord.diff.protobuf_sides import nearest
from accord.formats.protobuf.model import Enum, Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Holder, Sides
    from accord.formats.protobuf.model import File, Type

N = TypeVar("N", Message, Enum)


def types(sides: Sides) -> Steps:
    """Emit the pairs of types that the profile sees, and what has no partner."""
    match sides.profile.pairing:
        case Pairing.FULL_NAME:
            yield from _by_full_name(sides)
        case Pairing.REACHABLE:
            yield from _reachable(sides)
        case _:
            for reader, writer in sides.file_pairs():
                if reader is None:
                    yield from _lost_file(sides, writer)
                else:
                    yield from _level(sides, reader, writer)


def _reachable(sides: Sides) -> Steps:
    ours, theirs = sides.reader.root.messages[:1], sides.writer.root.messages[:1]
    for reader, writer in zip(ours, theirs, strict=False):
        if reader.full_name != writer.full_name:
            names = (reader.full_name, writer.full_name)
            yield Differs(reader.at, Difference.ROOT_MESSAGE_SAME_NAME, reader.name, *names)
        yield from sides.pair(reader, writer)


def _by_full_name(sides: Sides) -> Steps:
    for file in sides.writer.files:
        counterpart = sides.reader.by_path.get(file.path)
        # Full names are unique in a set, so an unchanged file is paired with itself.
        is_alike = counterpart is not None and counterpart.proto == file.proto
        if is_alike and file.syntax == "proto3":
            continue
        for message in _seen_messages(sides, file):
            yield from _named(sides, sides.reader.types.get(message.full_name), message, counterpart)
        for enum in file.all_enums:
            yield from _named(sides, sides.reader.types.get(enum.full_name), enum, counterpart)
    yield from _added(sides)


def _seen_messages(sides: Sides, file: File) -> Iterable[Message]:
    if sides.profile.sees_nested_entries:
        return file.all_messages
    return (message for message in file.all_messages if not message.is_map_entry)


def _added(sides: Sides) -> Steps:
    for file in sides.reader.files:
        before = sides.writer.by_path.get(file.path)
        if before is not None and before.proto == file.proto:
            continue
        for message in file.all_messages:
            if message.full_name not in sides.writer.types and not message.is_map_entry:
                yield Differs(message.at, Difference.MESSAGE_ADDED, message.nested_name)
        for enum in file.all_enums:
            if enum.full_name not in sides.writer.types:
                yield Differs(enum.at, Difference.ENUM_ADDED, enum.nested_name)


def _named(sides: Sides, reader: Type | None, writer: Type, file: File | None) -> Steps:
    """Emit what a type has become: itself, another kind of type, or nothing."""
    if reader is not None and type(reader) is type(writer):
        yield from sides.pair(reader, writer)
    else:
        at = nearest(file, writer) or writer.file.at
        if reader is not None:
            kinds = (type(reader).__name__.lower(), type(writer).__name__.lower())
            yield Differs(reader.at, Difference.TYPE_SAME_KIND, writer.nested_name, *kinds)
            if sides.profile.ignores_altered_kind:
                return
        kind = Difference.SCOPED_ENUM_NO_DELETE
        if isinstance(writer, Message):
            kind = Difference.SCOPED_MESSAGE_NO_DELETE
            yield from _parts(sides, writer, file)
        yield Differs(at, kind, writer.nested_name, lost=writer.at)


def _parts(sides: Sides, message: Message, file: File | None) -> Steps:
    """Emit a deletion for each field of a deleted message, where a profile has it so."""
    if not sides.profile.deletes_by_parts:
        return
    at = nearest(file, message) or message.file.at
    for field in sides.fields(message):
        kind = Difference.FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED
        yield Differs(at, kind, spelled_field(field), "name and number", lost=field.at)
    for inner in sides.messages(message):
        yield from _parts(sides, inner, file)


def _lost_file(sides: Sides, file: File) -> Steps:
    for message in file.messages:
        yield from _named(sides, None, message, None)
    for enum in file.all_enums:
        yield from _named(sides, None, enum, None)


def _level(sides: Sides, reader: Holder, writer: Holder) -> Steps:
    """Pair the types of one level by name, and go on inside."""
    ours, theirs = list(sides.messages(reader)), list(sides.messages(writer))
    new: dict[str, Type] = {**_names(reader.enums), **_names(ours)}
    is_top = not isinstance(writer, Message)
    places = {message.name: place for place, message in enumerate(ours)}
    for place, message in enumerate(theirs):
        found = new.get(message.name)
        if is_top and sides.profile.pairing is Pairing.POOL:
            found = sides.reader.types.get(message.full_name)
        yield from _named(sides, found, message, reader.file)
        if isinstance(found, Message):
            if places.get(message.name, place) != place:
                yield Differs(found.at, Difference.MESSAGE_NO_MOVE, message.nested_name)
            yield from _level(sides, found, message)
    for enum in writer.enums:
        yield from _named(sides, new.get(enum.name), enum, reader.file)
    before = {**_names(theirs), **_names(writer.enums)}
    came: list[Type] = [*ours, *reader.enums]
    for added in came:
        if added.name not in before:
            kind = Difference.MESSAGE_ADDED if isinstance(added, Message) else Difference.ENUM_ADDED
            yield Differs(added.at, kind, added.nested_name)


def _names(nodes: Iterable[N]) -> dict[str, N]:
    return {node.name: node for node in nodes}
