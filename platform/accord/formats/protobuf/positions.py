"""Where in a ``.proto`` text a finding is: from the names and numbers of its path to line and column.

The text is read as it was written, by our own parser, so that neither compiler nor imports are needed. What
a text lacks has the place of what would hold it; what stands in another text, that of the import which
leads there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from accord.errors import SchemaTooLarge
from accord.formats.positions import Position, pointer_tokens
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.paths import OWN_PATH
from accord.formats.protobuf.places import HOLDERS
from accord.formats.protobuf.source import (
    Enum,
    EnumValue,
    Extend,
    Field,
    Group,
    Message,
    Oneof,
    Option,
    Rpc,
    Service,
    SourceFile,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from accord.formats.protobuf.source import Position as Written

    Body: TypeAlias = SourceFile | Message | Oneof | Extend
    Element: TypeAlias = Message | Enum | Service | Oneof | Field | Group | EnumValue | Rpc
    Node: TypeAlias = Body | Element

START = Position(1, 1)


class ProtoPlaces(Protocol):
    """The places of one Protobuf file."""

    def locate(self, path: str) -> Position:
        """Return where a finding's path leads."""
        ...


class ProtoText:
    """The places of one ``.proto`` text; of what cannot be read, its beginning.

    ``path`` is what findings call the file.
    """

    def __init__(self, text: str, path: str = OWN_PATH) -> None:
        self.file = _read(text)
        self.path = path
        self.imports = {} if self.file is None else {one.path: one.position for one in self.file.imports}

    def locate(self, path: str) -> Position:
        """Return where a finding's path leads: a file's path, then names and numbers inside it."""
        file, *inner = pointer_tokens(path) or [""]
        if file in self.imports:
            return Position(*self.imports[file])
        # The root of a set has this name, with a mark before it where an import has it too.
        if self.file is None or (file != self.path and file.lstrip("_") != self.path):
            return START
        return Position(*_position(self.file, inner))


def _read(text: str) -> SourceFile | None:
    try:
        file, flaws = read_source(text)
    except SchemaTooLarge:
        return None
    return None if flaws else file


def _position(file: SourceFile, path: list[str]) -> Written | Position:
    node: Node = file
    while len(path) > 1 and path[0] in HOLDERS:
        found = _step(node, path[0], path[1])
        if path[0] == "oneofs" and path[2:3] == ["fields"]:
            # The field may have been outside, or in another one; its number is the same.
            found = _step(node, *path[2:4]) or found
            path = path[2:]
        if found is None:
            break
        node, path = found, path[2:]
    return _part(node, path)


def _step(node: Node, holder: str, name: str) -> Element | None:
    """Return the element of a name or number that a node holds."""
    if isinstance(node, Group):
        node = node.message
    if holder not in STEPS:
        return next((one for one in getattr(node, LISTS[holder], ()) if one.name == name), None)
    return next(STEPS[holder](node, name), None) if isinstance(node, SourceFile | Message | Oneof) else None


LISTS: Mapping[str, str] = {
    "enums": "enums",
    "oneofs": "oneofs",
    "services": "services",
    "values": "values",
    "methods": "rpcs",
}


def _messages(node: Body, name: str) -> Iterator[Element]:
    """Find messages, the groups that declare some, and the maps that stand for some."""
    yield from (one for one in getattr(node, "messages", ()) if one.name == name)
    yield from (one for one in _groups(node) if one.name == name)
    yield from (one for one in _fields(node) if one.is_map and entry_name(one.name) == name)


def _numbered(node: Body, number: str) -> Iterator[Element]:
    yield from (one for one in _fields(node) if str(one.number) == number)
    yield from (one for one in _groups(node) if str(one.number) == number)


def _extensions(node: Body, name: str) -> Iterator[Element]:
    for block in getattr(node, "extends", ()):
        yield from (one for one in block.fields if one.name == name)
        yield from (one for one in block.groups if one.name.lower() == name)


STEPS: Mapping[str, Callable[[Body, str], Iterator[Element]]] = {
    "messages": _messages,
    "fields": _numbered,
    "extensions": _extensions,
}


def _fields(node: Body) -> Iterator[Field]:
    for body in (node, *getattr(node, "oneofs", ())):
        yield from getattr(body, "fields", ())


def _groups(node: Body) -> Iterator[Group]:
    for body in (node, *getattr(node, "oneofs", ()), *getattr(node, "extends", ())):
        yield from getattr(body, "groups", ())


def entry_name(field: str) -> str:
    """Return the name of the message that protoc makes for a map."""
    return "".join(part[:1].upper() + part[1:] for part in field.split("_")) + "Entry"


def _part(node: Node, rest: list[str]) -> Written | Position:
    """Return the place of what of an element a finding is about, else that of the element."""
    if isinstance(node, SourceFile):
        known = {"package": node.package_position, "syntax": node.syntax_position}
        return known.get(rest[0]) or _option(node.options, rest) or START if rest else START
    if isinstance(node, Field) and rest[:1] == ["type"]:
        return node.type_position
    message = node.message if isinstance(node, Group) else node
    options: tuple[Option, ...] = getattr(message, "options", ())
    return _option(options, rest) or node.position


def _option(options: tuple[Option, ...], rest: list[str]) -> Written | None:
    """Find the option that a path names last, as an option of its own or among the features."""
    names = {rest[-1], f"features.{rest[-1]}"} if rest else set()
    return next((one.position for one in options if one.spelled in names), None)
