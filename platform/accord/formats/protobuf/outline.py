"""Where the elements of a descriptor stand in its text: places, comments and types as spelled.

The bridge between the two: elements are named by the steps of ``SourceCodeInfo`` (field numbers of
descriptor.proto and places in its lists), and found in the text by their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.protobuf import model
from accord.formats.protobuf.source import Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from accord.formats.protobuf.descriptors import (
        DescriptorProto,
        FieldDescriptorProto,
        FileDescriptorProto,
    )
    from accord.formats.protobuf.model import Steps
    from accord.formats.protobuf.source import (
        Comments,
        Enum,
        Extend,
        Field,
        Message,
        Oneof,
        Position,
        Service,
        SourceFile,
    )

PACKAGE, DEPENDENCY, FILE_MESSAGE, FILE_ENUM, FILE_SERVICE, FILE_EXTENSION, SYNTAX = 2, 3, 4, 5, 6, 7, 12
FIELD, NESTED, ENUM, EXTENSION, ONEOF = 2, 3, 4, 6, 8
VALUE: Final = 2
METHOD, REQUEST, RESPONSE = 2, 2, 3


class _Place(NamedTuple):
    """What the text tells of one element."""

    position: Position
    comments: Comments | None = None
    type_name: str | None = None


@dataclass(frozen=True)
class Outline:
    """The text of one file, by the steps of its descriptor; read when it is first asked."""

    source: SourceFile
    descriptor: FileDescriptorProto

    def position(self, steps: Steps) -> model.Position | None:
        """Return where an element begins, or None where the text does not have it."""
        place = self._places.get(steps)
        return None if place is None else model.Position(*place.position)

    def comment(self, steps: Steps) -> str:
        """Return the comment in front of an element."""
        place = self._places.get(steps)
        return "" if place is None or place.comments is None else place.comments.leading

    def may_say(self, words: str) -> bool:  # noqa: ARG002  # the signature is the port's
        """Return True: to ask for comments costs nothing here."""
        return True

    def spelled_type(self, steps: Steps) -> str | None:
        """Return a type's name as written: of a field, or of a method's input (2) or output (3)."""
        place = self._places.get(steps)
        return None if place is None else place.type_name

    @cached_property
    def _places(self) -> Mapping[Steps, _Place]:
        return dict(_file(self.source, self.descriptor))


def _file(file: SourceFile, proto: FileDescriptorProto) -> Iterator[tuple[Steps, _Place]]:
    if file.syntax:
        yield (SYNTAX,), _Place(file.syntax_position, file.syntax_comments)
    if file.package:
        yield (PACKAGE,), _Place(file.package_position, file.package_comments)
    imports = {one.path: one for one in file.imports}
    for at, path in enumerate(proto.dependency):
        yield (DEPENDENCY, at), _Place(imports[path].position, imports[path].comments)
    written = {**{one.name: one for one in file.messages}, **_groups(file.extends)}
    for at, message in enumerate(proto.message_type):
        yield from _message((FILE_MESSAGE, at), written[message.name], message)
    yield from _enums((), FILE_ENUM, file.enums)
    yield from _members((), FILE_EXTENSION, file.extends, proto.extension)
    for at, service in enumerate(file.services):
        yield from _service((FILE_SERVICE, at), service)


def _message(steps: Steps, message: Message, proto: DescriptorProto) -> Iterator[tuple[Steps, _Place]]:
    yield steps, _Place(message.position, message.comments)
    bodies: tuple[Message | Oneof, ...] = (message, *message.oneofs)
    yield from _members(steps, FIELD, bodies, proto.field)
    written = {**{one.name: one for one in message.messages}, **_groups((*bodies, *message.extends))}
    for at, nested in enumerate(proto.nested_type):
        if nested.name in written:  # the entry of a map is written nowhere
            yield from _message((*steps, NESTED, at), written[nested.name], nested)
    for at, oneof in enumerate(message.oneofs):  # those that protoc makes come last
        yield (*steps, ONEOF, at), _Place(oneof.position, oneof.comments)
    yield from _enums(steps, ENUM, message.enums)
    yield from _members(steps, EXTENSION, message.extends, proto.extension)


def _members(
    steps: Steps,
    step: int,
    bodies: Iterable[Message | Oneof | Extend],
    fields: Sequence[FieldDescriptorProto],
) -> Iterator[tuple[Steps, _Place]]:
    written: dict[str, Field | Group] = {}
    for body in bodies:
        written |= {one.name: one for one in body.fields}
        written |= {one.name.lower(): one for one in body.groups}
    for at, field in enumerate(fields):
        one = written[field.name]
        if isinstance(one, Group):  # its comments are those of its message
            yield (*steps, step, at), _Place(one.position, type_name=one.name)
        else:
            yield (*steps, step, at), _Place(one.position, one.comments, one.type_name)


def _enums(steps: Steps, step: int, enums: Iterable[Enum]) -> Iterator[tuple[Steps, _Place]]:
    for at, enum in enumerate(enums):
        own = (*steps, step, at)
        yield own, _Place(enum.position, enum.comments)
        for number, value in enumerate(enum.values):
            yield (*own, VALUE, number), _Place(value.position, value.comments)


def _service(steps: Steps, service: Service) -> Iterator[tuple[Steps, _Place]]:
    yield steps, _Place(service.position, service.comments)
    for at, rpc in enumerate(service.rpcs):
        own = (*steps, METHOD, at)
        yield own, _Place(rpc.position, rpc.comments)
        yield (*own, REQUEST), _Place(rpc.position, type_name=rpc.request)
        yield (*own, RESPONSE), _Place(rpc.position, type_name=rpc.response)


def _groups(bodies: Iterable[Message | Oneof | Extend]) -> dict[str, Message]:
    return {group.name: group.message for body in bodies for group in body.groups}
