"""Every message and enum of a file, however deep it stands."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.source import Enum, Extend, Group, Message, Oneof, Option, SourceFile


def every_message(file: SourceFile) -> Iterator[Message]:
    """Yield the messages of a file and those inside them, groups as well."""
    waiting = [*file.messages, *(group.message for extend in file.extends for group in extend.groups)]
    while waiting:
        message = waiting.pop()
        yield message
        waiting += message.messages
        waiting += (group.message for group in every_group(message))


def every_group(message: Message) -> Iterator[Group]:
    """Yield the groups that stand in a message, in a oneof of it, or in an extend block of it."""
    yield from message.groups
    for oneof in message.oneofs:
        yield from oneof.groups
    for extend in message.extends:
        yield from extend.groups


def every_enum(file: SourceFile) -> Iterator[Enum]:
    """Yield the enums of a file and those inside its messages."""
    yield from file.enums
    yield from chain.from_iterable(message.enums for message in every_message(file))


def every_extend(file: SourceFile) -> Iterator[Extend]:
    """Yield the extend blocks of a file and those inside its messages."""
    yield from file.extends
    yield from chain.from_iterable(message.extends for message in every_message(file))


def option_statements(file: SourceFile) -> Iterator[tuple[Option, ...]]:
    """Yield the options that are statements, by what they stand in."""
    yield file.options
    for service in file.services:
        yield service.options
        yield from (rpc.options for rpc in service.rpcs)
    yield from (enum.options for enum in every_enum(file))
    for message in every_message(file):
        yield message.options
        yield from (oneof.options for oneof in message.oneofs)


def option_lists(file: SourceFile) -> Iterator[tuple[Option, ...]]:
    """Yield the options in square brackets, pair by pair; most are empty."""
    for enum in every_enum(file):
        yield from (value.options for value in enum.values)
    for extend in every_extend(file):
        yield from _members(extend)
    for message in every_message(file):
        yield from _members(message)
        yield from (one.options for one in message.extensions)
        for oneof in message.oneofs:
            yield from _members(oneof)


def _members(body: Message | Oneof | Extend) -> Iterator[tuple[Option, ...]]:
    yield from (field.options for field in body.fields)
    yield from (group.options for group in body.groups)
