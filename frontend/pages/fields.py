"""What a Protobuf file declares, as people look it up: types with their fields and numbers, services.

Read from the text by our own parser, so that neither compiler nor imports are needed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.errors import SchemaTooLarge
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.source import Enum, Extend, Field, Group, Message, Oneof, SourceFile
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.source import Reserved, Rpc

# Of declarations with their rows. Nobody reads further; the text has the rest.
MOST_ROWS: Final = 1_000


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field, value or method; ``oneof`` names the one it belongs to."""

    number: int | None
    name: str
    type: str = ""
    oneof: str = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A message, enum, service or extension with what it holds; nested ones have the names around them."""

    kind: str
    name: str
    rows: tuple[FieldRow, ...]
    reserved: str = ""


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


def _file(file: SourceFile) -> Iterator[Declaration]:
    for message in file.messages:
        yield from _message(message, "")
    yield from (_enum(one, "") for one in file.enums)
    for extend in file.extends:
        yield from _extend(extend, "")
    for service in file.services:
        yield Declaration("service", service.name, tuple(map(_method, service.rpcs)))


def _message(message: Message, outer: str) -> Iterator[Declaration]:
    name = f"{outer}{message.name}"
    bodies: tuple[Message | Oneof, ...] = (message, *message.oneofs)
    rows = sorted((row for body in bodies for row in _rows(body)), key=lambda row: row.number or 0)
    yield Declaration("message", name, tuple(rows), _reserved(message.reserved))
    groups = (group.message for body in bodies for group in body.groups)
    for inner in (*groups, *message.messages):
        yield from _message(inner, f"{name}.")
    yield from (_enum(one, f"{name}.") for one in message.enums)
    for extend in message.extends:
        yield from _extend(extend, f"{name}.")


def _extend(extend: Extend, outer: str) -> Iterator[Declaration]:
    yield Declaration("extend", extend.extendee, tuple(_rows(extend)))
    for group in extend.groups:
        yield from _message(group.message, outer)


def _rows(body: Message | Oneof | Extend) -> Iterator[FieldRow]:
    oneof = body.name if isinstance(body, Oneof) else ""
    yield from (FieldRow(one.number, one.name, _type(one), oneof) for one in body.fields)
    yield from (FieldRow(one.number, one.name, _group(one), oneof) for one in body.groups)


def _type(field: Field) -> str:
    if field.is_map:
        return f"map<{field.key_type}, {field.type_name}>"
    return f"{field.label} {field.type_name}".strip()


def _group(group: Group) -> str:
    return f"{group.label} group".strip()


def _enum(enum: Enum, outer: str) -> Declaration:
    rows = tuple(FieldRow(one.number, one.name) for one in enum.values)
    return Declaration("enum", f"{outer}{enum.name}", rows, _reserved(enum.reserved))


def _method(rpc: Rpc) -> FieldRow:
    request = f"stream {rpc.request}" if rpc.is_client_streaming else rpc.request
    response = f"stream {rpc.response}" if rpc.is_server_streaming else rpc.response
    return FieldRow(None, rpc.name, f"{request} → {response}")


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
