"""What a Protobuf file declares, as people look it up: types with their fields and numbers, services.

Read from the text by our own parser, so that neither compiler nor imports are needed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.errors import SchemaTooLarge
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.source import Enum, Extend, Field, Message, Oneof, SourceFile
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.source import Reserved, Rpc

# Of declarations with their rows. Nobody reads further; the text has the rest.
MOST_ROWS: Final = 1_000
DEEPEST_INDENT: Final = 4
TYPES: Final = frozenset(("message", "enum"))


class TypePart(NamedTuple):
    """A piece of a type as it is printed; one that this file declares has the name of its declaration."""

    text: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field, value or method; ``oneof`` names the one it belongs to."""

    number: int | None
    name: str
    type: tuple[TypePart, ...] = ()
    oneof: str = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A message, enum, service or extension with what it holds; nested ones have the names around them.

    ``depth`` says how many messages are around it, ``anchor`` is the name that fields lead to.
    """

    kind: str
    name: str
    rows: tuple[FieldRow, ...]
    reserved: str = ""
    depth: int = 0

    @property
    def anchor(self) -> str:
        """The name, for types alone."""
        return self.name if self.kind in TYPES else ""

    @property
    def indent(self) -> int:
        """How far it is moved in; what is deeper is moved no further."""
        return min(self.depth, DEEPEST_INDENT)


@dataclass(frozen=True, slots=True)
class FieldsPanel:
    """All declarations of a file, those of the top level each followed by what is nested in it."""

    package: str
    declarations: tuple[Declaration, ...]
    is_cut: bool


def fields_panel(text: str, format_: Format) -> FieldsPanel | None:
    """Return what a text declares; None for another format, or where nothing can be read."""
    if format_ is not Format.PROTOBUF:
        return None
    try:
        file, flaws = read_source(text)
    except SchemaTooLarge:
        return None
    declared = [] if flaws else list(_file(file))
    if not declared:
        return None
    shown = tuple(_first(declared, MOST_ROWS))
    return FieldsPanel(file.package, shown, is_cut=_length(shown) < _length(declared))


def _first(declared: Iterable[Declaration], room: int) -> Iterator[Declaration]:
    """Yield declarations as far as there is room, the last one perhaps without its last rows."""
    for one in declared:
        room -= 1
        if room < 0:
            return
        yield replace(one, rows=one.rows[:room])
        room -= len(one.rows)


def _length(declared: Iterable[Declaration]) -> int:
    return sum(1 + len(one.rows) for one in declared)


@dataclass(frozen=True, slots=True)
class _Types:
    """The types that a file declares, by their names without the package."""

    package: str
    names: frozenset[str]

    def part(self, written: str, scope: str) -> TypePart:
        """Return a type's name as written inside a scope, with the declaration that it means here."""
        if written.startswith("."):
            return TypePart(written, self._known(written[1:]))
        around = [one for one in (*self.package.split("."), *scope.split(".")) if one]
        scopes = (".".join((*around[:length], written)) for length in range(len(around), -1, -1))
        return TypePart(written, next(filter(None, map(self._known, scopes)), ""))

    def _known(self, full: str) -> str:
        name = full.removeprefix(f"{self.package}.") if self.package else full
        return name if name in self.names and (not self.package or name != full) else ""


def _file(file: SourceFile) -> Iterator[Declaration]:
    types = _Types(file.package, frozenset(_names(file.messages, file.enums, "")))
    for message in file.messages:
        yield from _message(types, message, "")
    yield from (_enum(one, "") for one in file.enums)
    for extend in file.extends:
        yield from _extend(types, extend, "")
    for service in file.services:
        rows = tuple(_method(types, one) for one in service.rpcs)
        yield Declaration("service", service.name, rows)


def _names(messages: Iterable[Message], enums: Iterable[Enum], outer: str) -> Iterator[str]:
    yield from (f"{outer}{one.name}" for one in enums)
    for message in messages:
        name = f"{outer}{message.name}"
        yield name
        yield from _names((*_grouped(message), *message.messages), message.enums, f"{name}.")


def _grouped(message: Message) -> Iterator[Message]:
    bodies: tuple[Message | Oneof, ...] = (message, *message.oneofs)
    return (group.message for body in bodies for group in body.groups)


def _message(types: _Types, message: Message, outer: str) -> Iterator[Declaration]:
    name = f"{outer}{message.name}"
    bodies: tuple[Message | Oneof, ...] = (message, *message.oneofs)
    rows = sorted(
        (row for body in bodies for row in _rows(types, body, name)), key=lambda row: row.number or 0
    )
    yield Declaration("message", name, tuple(rows), _reserved(message.reserved), outer.count("."))
    for inner in (*_grouped(message), *message.messages):
        yield from _message(types, inner, f"{name}.")
    yield from (_enum(one, f"{name}.") for one in message.enums)
    for extend in message.extends:
        yield from _extend(types, extend, f"{name}.")


def _extend(types: _Types, extend: Extend, outer: str) -> Iterator[Declaration]:
    rows = tuple(_rows(types, extend, outer.removesuffix(".")))
    yield Declaration("extend", extend.extendee, rows, depth=outer.count("."))
    for group in extend.groups:
        yield from _message(types, group.message, outer)


def _rows(types: _Types, body: Message | Oneof | Extend, scope: str) -> Iterator[FieldRow]:
    oneof = body.name if isinstance(body, Oneof) else ""
    for one in body.fields:
        yield FieldRow(one.number, one.name, _type(types, one, scope), oneof)
    for group in body.groups:
        parts = (TypePart(f"{group.label} group ".lstrip()), types.part(group.message.name, scope))
        yield FieldRow(group.number, group.name, parts, oneof)


def _type(types: _Types, field: Field, scope: str) -> tuple[TypePart, ...]:
    named = types.part(field.type_name, scope)
    if field.is_map:
        return TypePart(f"map<{field.key_type}, "), named, TypePart(">")
    return (TypePart(f"{field.label} "), named) if field.label else (named,)


def _enum(enum: Enum, outer: str) -> Declaration:
    rows = tuple(FieldRow(one.number, one.name) for one in enum.values)
    return Declaration("enum", f"{outer}{enum.name}", rows, _reserved(enum.reserved), outer.count("."))


def _method(types: _Types, rpc: Rpc) -> FieldRow:
    before = TypePart("stream " if rpc.is_client_streaming else "")
    between = TypePart(" → stream " if rpc.is_server_streaming else " → ")
    parts = (before, types.part(rpc.request, ""), between, types.part(rpc.response, ""))
    return FieldRow(None, rpc.name, tuple(one for one in parts if one.text))


def _reserved(statements: Iterable[Reserved]) -> str:
    """Spell what is reserved in one line."""
    found = []
    for one in statements:
        found += [
            str(span.start) if span.start == span.end else f"{span.start} to {span.end or 'max'}"
            for span in one.spans
        ]
        found += [f'"{name}"' for name in one.names]
    return ", ".join(found)
