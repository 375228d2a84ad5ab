"""Map entries that a text declares as messages of its own, as Confluent's registry prints sent descriptors.

protoc takes ``map_entry`` from nobody but itself. So the option is painted over in what it compiles, and set
in the descriptor afterwards. Source: confluent-api, section 4.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.painting import painted
from accord.formats.protobuf.source import Label, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.descriptors import DescriptorProto, FileDescriptorProto
    from accord.formats.protobuf.source import Message, Option, SourceFile

MAP_ENTRY: Final = "map_entry"
# The fields of an entry, and what its key may be.
MEMBERS: Final = (("key", 1), ("value", 2))
INTEGERS: Final = (
    *("int32", "int64", "uint32", "uint64", "sint32", "sint64"),
    *("fixed32", "fixed64", "sfixed32", "sfixed64"),
)
KEYS: Final = frozenset((*INTEGERS, "bool", "string"))
LABELLED: Final = frozenset(("", "proto2"))


def hide_entries(text: str, file: SourceFile) -> str:
    """Return a text in which no message that is the entry of a map says so."""
    spans = ((one.start, one.end) for message in _entries(file) for one in _claims(message))
    return painted(text, spans)


def mark_entries(descriptor: FileDescriptorProto, file: SourceFile) -> None:
    """Say in a descriptor which messages are entries, as the text says that it was compiled from."""
    entries = set(map(id, _entries(file)))
    _mark(descriptor.message_type, file.messages, entries)


def _mark(compiled: Iterable[DescriptorProto], written: Iterable[Message], entries: set[int]) -> None:
    by_name = {one.name: one for one in compiled}
    for message in written:
        proto = by_name[message.name]
        if id(message) in entries:
            proto.options.map_entry = True
        _mark(proto.nested_type, message.messages, entries)


def _entries(file: SourceFile) -> Iterator[Message]:
    """Yield the messages that say so and are what protoc would make for a map."""
    label = Label.OPTIONAL if file.syntax in LABELLED and not file.edition else Label.NONE
    waiting = list(file.messages)
    while waiting:
        parent = waiting.pop()
        waiting += parent.messages
        for message in parent.messages:
            if any(_claims(message)) and _is_whole(message, label) and _is_used(message, parent):
                yield message


def _claims(message: Message) -> Iterator[Option]:
    """Yield the options by which a message says that it is an entry."""
    for one in message.options:
        if one.spelled == MAP_ENTRY and one.value == Literal("true"):
            yield one


def _is_whole(message: Message, label: Label) -> bool:
    """Tell whether a message has key and value, and nothing else."""
    others = (message.oneofs, message.groups, message.messages, message.enums, message.extends)
    if any((*others, message.reserved, message.extensions)):
        return False
    found = tuple((one.name, one.number) for one in message.fields)
    are_plain = all(one.label is label and not one.is_map for one in message.fields)
    return found == MEMBERS and are_plain and message.fields[0].type_name in KEYS


def _is_used(message: Message, parent: Message) -> bool:
    """Tell whether exactly the field that an entry is called after is a list of them."""
    names = {message.name, f"{parent.name}.{message.name}"}
    users = [one for one in parent.fields if ".".join(one.type_name.split(".")[-2:]) in names]
    return [(one.label, _entry_name(one.name)) for one in users] == [(Label.REPEATED, message.name)]


def _entry_name(field: str) -> str:
    """Return what protoc calls the entry of a map field."""
    return "".join(part[:1].upper() + part[1:] for part in field.split("_")) + "Entry"
