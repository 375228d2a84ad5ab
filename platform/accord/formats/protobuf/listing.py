"""The fields and types of a Protobuf file as people look for them; see `accord.formats.listing`.

The first message is the root. A message that no way from there comes to is one as well, and its fields have
its name in front. Read from the text by our own parser: neither compiler nor imports are needed.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from accord.formats.listing import DEEPEST, MOST_ROWS, Listed, Listing, RowKind, Told, gathered, joined
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.source import Enum, Field, Label, Message, Oneof
from accord.formats.protobuf.tags import entities
from accord.model import EntityType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.source import Comments, Extend, Group, SourceFile

    Declared: TypeAlias = Message | Enum
    Tags: TypeAlias = dict[tuple[EntityType, str], tuple[str, ...]]

DEFAULT: Final = "default"


class _Known(NamedTuple):
    """The types that a file declares, and the tags of its parts, by full name; the rows of its fields."""

    package: str
    types: dict[str, Declared]
    tags: Tags
    told: Told

    def find(self, written: str, scope: str) -> str:
        """Return the full name of a type that is spelled so inside a message; empty for another file's."""
        if written.startswith("."):
            return written[1:] if written[1:] in self.types else ""
        around = scope.split(".")
        names = (".".join((*around[:length], written)) for length in range(len(around), -1, -1))
        return next((name for name in names if name.strip(".") in self.types), "").strip(".")

    def short(self, full: str) -> str:
        """Return a name without the package."""
        return full.removeprefix(f"{self.package}.") if self.package else full


class _Place(NamedTuple):
    """A message, and the way to it; ``above`` are the messages on the way."""

    way: str
    name: str
    above: tuple[str, ...] = ()


def listing(text: str) -> Listing:
    """Return the fields and types of a canonical text; see `accord.formats.listing`."""
    file, _ = read_source(text)
    tags = {(one.entity.type, one.entity.path.removeprefix(".")): one.tags for one in entities(text)}
    known = _Known(file.package, dict(_declared(file.messages, file.enums, file.package)), tags, Told())
    found = _fields(known, file)
    types = gathered(known.types.items(), lambda one: _told(known, *one))
    return Listing((*found.rows, *types.rows), found.is_cut)


def _declared(
    messages: Iterable[Message], enums: Iterable[Enum], outer: str
) -> Iterator[tuple[str, Declared]]:
    yield from ((joined(outer, one.name), one) for one in enums)
    for message in messages:
        name = joined(outer, message.name)
        yield name, message
        groups = (group.message for group in _groups(message))
        yield from _declared((*groups, *message.messages), message.enums, name)


def _groups(body: Message | Extend) -> Iterator[Group]:
    oneofs = body.oneofs if isinstance(body, Message) else ()
    yield from chain(body.groups, *(one.groups for one in oneofs))


def _told(known: _Known, name: str, one: Declared) -> Iterator[Listed]:
    is_message = isinstance(one, Message)
    yield Listed(
        RowKind.TYPE,
        name,
        one.name,
        "message" if is_message else "enum",
        doc=_doc(one.comments),
        tags=known.tags.get((EntityType.RECORD, name), ()) if is_message else (),
    )


def _fields(known: _Known, file: SourceFile) -> Listing:
    """Go into the first message, then into each that was not come to."""
    rows: list[Listed] = []
    met: set[str] = set()

    def step(place: _Place) -> Iterator[Listed | _Place]:
        met.add(place.name)
        return _step(known, place)

    for position, name in enumerate(n for n, one in known.types.items() if isinstance(one, Message)):
        if name in met:
            continue
        found = gathered([_Place(known.short(name) if position else "", name)], step)
        rows += found.rows
        if found.is_cut or len(rows) >= MOST_ROWS:
            return Listing(tuple(rows[:MOST_ROWS]), is_cut=True)
    rows += gathered(file.extends, lambda extend: _extensions(known, extend)).rows
    return Listing(tuple(rows[:MOST_ROWS]), is_cut=len(rows) > MOST_ROWS)


def _extensions(known: _Known, extend: Extend) -> Iterator[Listed]:
    for one in extend.fields:
        yield _field(known, one, known.package)._replace(path=joined(extend.extendee, one.name))


def _step(known: _Known, place: _Place) -> Iterator[Listed | _Place]:
    """Yield the fields of a message, each with the message that is its type to go on from."""
    message = known.types[place.name]
    if not isinstance(message, Message) or place.name in place.above or len(place.above) >= DEEPEST:
        return
    above = (*place.above, place.name)
    bodies: tuple[Message | Oneof, ...] = (message, *message.oneofs)
    for body in bodies:
        for field in body.fields:
            way = joined(place.way, field.name)
            row = known.told.row(field, way, partial(_field, known, field, place.name))
            yield row._replace(is_nullable=True) if isinstance(body, Oneof) else row
            inner = known.find(field.type_name, place.name)
            if inner:
                yield _Place(way, inner, above)
        for group in body.groups:
            name = group.name.lower()
            way = joined(place.way, name)
            yield Listed(RowKind.FIELD, way, name, _many(group.label, "group"), doc=_doc(group.comments))
            yield _Place(way, joined(place.name, group.name), above)


def _field(known: _Known, field: Field, scope: str) -> Listed:
    words = f"map to {field.type_name}" if field.is_map else _many(field.label, field.type_name)
    is_message = isinstance(known.types.get(known.find(field.type_name, scope)), Message)
    is_single = field.label is not Label.REPEATED and not field.is_map
    return Listed(
        RowKind.FIELD,
        "",
        field.name,
        words,
        doc=_doc(field.comments),
        tags=known.tags.get((EntityType.FIELD, joined(scope, field.name)), ()),
        is_required=field.label is Label.REQUIRED,
        is_nullable=field.label is Label.OPTIONAL or (is_message and is_single),
        has_default=any(one.spelled == DEFAULT for one in field.options),
    )


def _many(label: Label, type_name: str) -> str:
    return f"array of {type_name}" if label is Label.REPEATED else type_name


def _doc(comments: Comments) -> str:
    return (comments.leading or comments.trailing).strip()
