"""From the place of a finding to the path that ``SourceCodeInfo`` uses, and so to lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.model import Enum, File, Message, Method, Service, Value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from accord.formats.protobuf.model import FileSet, Oneof, Steps, Tokens

    Node: TypeAlias = File | Message | Enum | Service | Field | Oneof | Value | Method

# What a finding may point at inside an element, by the kind of element.
PARTS: dict[type, dict[str, Steps]] = {
    File: {"package": (2,), "syntax": (12,)},
    Message: {"reserved": (), "json_format": (7, 12, 6)},
    Enum: {"reserved": (), "json_format": (3, 7, 6), "enum_type": (3, 7, 2)},
    Field: {
        "name": (1,),
        "type": (5,),
        "default": (7,),
        "json_name": (10,),
        "packed": (8, 2),
        "utf8_validation": (8, 21, 4),
    },
    Method: {"input": (2,), "output": (3,), "idempotency": (4, 34)},
}
OPTIONS = {File: 8, Message: 7, Field: 8}
HOLDERS = frozenset({"messages", "enums", "services", "extensions", "oneofs", "fields", "values", "methods"})


class Place(NamedTuple):
    """An element's file, and the path to it, or to the part of it that a finding is about."""

    file: File
    steps: Steps


def place_of(files: FileSet, tokens: Tokens) -> Place | None:
    """Return what the tokens of a finding lead to; None where these files do not have it."""
    file = files.by_path.get(tokens[0]) if tokens else None
    if file is None:
        return None
    node, rest = element_of(file, tokens[1:])
    return Place(file, (*steps_of(node), *_part(node, rest)))


def element_of(file: File, tokens: Tokens) -> tuple[Node, Tokens]:
    """Return the innermost element of a file that tokens lead to, and those that lead further in."""
    node: Node = file
    rest = tokens
    while len(rest) > 1 and rest[0] in HOLDERS:
        found = _inner(node, rest[0], rest[1])
        if rest[0] == "oneofs" and rest[2:3] == ("fields",):
            # The field may have been outside, or in another one; its number is the same.
            found = _inner(node, rest[2], rest[3]) or found
            rest = rest[2:]
        if found is None:
            break
        node, rest = found, rest[2:]
    return node, rest


def _inner(node: Node, holder: str, name: str) -> Node | None:
    if holder == "fields":
        message = node if isinstance(node, Message) else getattr(node, "message", None)
        return message.by_number.get(int(name)) if isinstance(message, Message) else None
    members = getattr(node, holder, ())
    if isinstance(members, dict):
        return members.get(name)
    return next((one for one in members if one.name == name), None)


def steps_of(node: Node) -> Steps:
    """Return an element's own path; the entry of a map stands where its field does."""
    held = node.message if isinstance(node, Field) else node
    if isinstance(held, Message) and held.is_map_entry and held.parent is not None:
        return next(field.steps for field in held.parent.fields if field.entry is held)
    return node.steps


def _part(node: Node, rest: Tokens) -> Steps:
    if len(rest) > 1 and rest[0] == "options" and type(node) in OPTIONS:
        number: int = node.proto.options.DESCRIPTOR.fields_by_name[rest[1]].number
        return (OPTIONS[type(node)], number)
    return PARTS.get(type(node), {}).get(rest[0], ()) if rest else ()


def around(steps: Steps) -> Iterator[Steps]:
    """Yield a path and those of what is around it, nearest first, down to the file."""
    for length in range(len(steps), -1, -1):
        yield steps[:length]
