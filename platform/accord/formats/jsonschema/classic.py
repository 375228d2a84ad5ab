"""Schema objects of drafts 4, 6 and 7 to nodes: one node for each kind of keyword, joined by allOf.

Source: json-compat, section 2. Each step sees only the keywords that no step before it consumed, in
the order of Confluent's loader.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.formats.jsonschema import members as read
from accord.formats.jsonschema.model import (
    NO_NOTES,
    Array,
    Combined,
    Criterion,
    Kind,
    Numeric,
    Object,
    Plain,
    Text,
)
from accord.formats.jsonschema.workshop import CONDITIONS, combination, implied

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from accord.formats.jsonschema.addresses import Spot
    from accord.formats.jsonschema.cursor import Cursor
    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsonschema.members import Build
    from accord.formats.jsonschema.model import Node, Notes, Schema
    from accord.formats.jsonschema.workshop import Workshop
    from accord.formats.jsontext import Json

KINDS = {
    "string": Kind.STRING,
    "integer": Kind.NUMBER,
    "number": Kind.NUMBER,
    "boolean": Kind.BOOLEAN,
    "null": Kind.NULL,
    "array": Kind.ARRAY,
    "object": Kind.OBJECT,
}
BOUNDS = ("minLength", "maxLength", "pattern")
# In the order in which keywords without a type are looked for.
KEYWORDS = {
    Kind.ARRAY: ("items", "additionalItems", "minItems", "maxItems", "uniqueItems"),
    Kind.OBJECT: (
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "dependencies",
        "patternProperties",
        "additionalProperties",
    ),
    Kind.NUMBER: ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    Kind.STRING: (*BOUNDS, "format"),
}
COUNTS = ("maxContains", "minContains")
SINCE_DRAFT_6 = {Kind.ARRAY: "contains", Kind.OBJECT: "propertyNames"}


def build(members: Members, cursor: Cursor, workshop: Workshop) -> Build:
    """Make the node of a schema object; inner schemas are asked for."""
    notes = read.notes_of(members, cursor, workshop.draft)
    if "$ref" in members:
        return workshop.ref(members, cursor, replace(notes, default=None))  # beside a reference it is lost
    parts = yield from _Builder(members, cursor, workshop).parts()
    if not parts:
        return Plain(Kind.EMPTY, notes)
    whole = _whole(parts, members, notes)
    others = _beside_format(parts, members)
    if isinstance(whole, Combined) and others:
        return replace(whole, without_format=_whole(others, members, notes))
    return whole


def _whole(parts: list[Schema], members: Members, notes: Notes) -> Schema:
    """Join the nodes of a schema object."""
    whole = _with_counts(parts[0], members) if len(parts) == 1 else implied(parts)
    return whole if notes is NO_NOTES else replace(whole, notes=notes)


def _beside_format(parts: list[Schema], members: Members) -> list[Schema]:
    """Return the other nodes where one is there for the sake of ``format`` alone, else none."""
    if "format" not in members or members.get("type") == "string" or not members.keys().isdisjoint(BOUNDS):
        return []
    others: list[Schema] = [part for part in parts if not isinstance(part, Text)]
    return others if len(others) < len(parts) else []


def _with_counts(part: Schema, members: Members) -> Schema:
    """These drafts have no such keywords; Confluent compares the numbers all the same."""
    if not isinstance(part, Array) or members.keys().isdisjoint(COUNTS):
        return part
    counts = [members.get(key) for key in COUNTS]
    most, least = [one if isinstance(one, int) and not isinstance(one, bool) else None for one in counts]
    return replace(part, max_contains=most, min_contains=least)


def _ready(node: Node) -> Build:
    yield from ()
    return node


class _Builder:
    """One schema object being read."""

    def __init__(self, members: Members, cursor: Cursor, workshop: Workshop) -> None:
        self.members = members
        self.cursor = cursor
        self.workshop = workshop
        self.draft = workshop.draft

    def parts(self) -> Generator[Spot, Node, list[Schema]]:
        parts: list[Node] = []
        for build in self._builds():
            parts.append((yield from build))  # noqa: PERF401  # a generator cannot be asked in a list
        return parts  # type: ignore[return-value]  # no part is a reference

    def _builds(self) -> Iterator[Build]:
        members, cursor, workshop = self.members, self.cursor, self.workshop
        if "enum" in members:
            yield _ready(workshop.enum(members, cursor))
        for criterion in Criterion:
            if criterion in members:
                yield workshop.combined(members, criterion, cursor)
        if "not" in members:
            yield workshop.negated(members, cursor)
        if "const" in members and self.draft.has_values:
            yield _ready(workshop.const(members))
        typed: set[Kind] = set()  # kinds whose keywords the type consumes
        if "type" in members:
            yield self._typed(members["type"], typed)
        for kind in KEYWORDS:
            if kind not in typed and not members.keys().isdisjoint(self._keywords(kind)):
                yield self._kind(kind)
        if self.draft.has_conditions and not members.keys().isdisjoint(CONDITIONS):
            yield workshop.conditional(members, cursor)

    def _keywords(self, kind: Kind) -> tuple[str, ...]:
        later = SINCE_DRAFT_6.get(kind)
        return (*KEYWORDS[kind], later) if later and self.draft.has_values else KEYWORDS[kind]

    def _typed(self, names: Json, typed: set[Kind]) -> Build:
        if not isinstance(names, list):
            return (yield from self._named(names, typed, self.cursor.at("type")))
        branches: list[tuple[bytes, Node]] = []
        for position, name in enumerate(names):
            node = yield from self._named(name, typed, self.cursor.at("type").at(position))
            branches.append((str(name).encode(), node))
        return combination(Criterion.ANY_OF, branches, is_implied=True)

    def _named(self, name: Json, typed: set[Kind], cursor: Cursor) -> Build:
        kind = KINDS.get(name) if isinstance(name, str) else None
        if kind is None:
            raise read.unknown_type(name, cursor)
        typed.add(kind)
        return (yield from self._kind(kind, is_integer=name == "integer"))

    def _kind(self, kind: Kind, *, is_integer: bool = False) -> Build:
        match kind:
            case Kind.ARRAY:
                return (yield from self._array())
            case Kind.OBJECT:
                return (yield from self._object())
            case Kind.NUMBER:
                return self._numeric(is_integer=is_integer)
            case Kind.STRING:
                return self._text()
        return Plain(kind)

    def _text(self) -> Text:
        members, cursor = self.members, self.cursor
        read.text(members, "format", cursor)
        return Text(
            max_length=read.count(members, "maxLength", cursor),
            min_length=read.count(members, "minLength", cursor),
            pattern=read.text(members, "pattern", cursor),
        )

    def _numeric(self, *, is_integer: bool) -> Numeric:
        members, cursor = self.members, self.cursor
        made = Numeric(
            maximum=read.number(members, "maximum", cursor),
            minimum=read.number(members, "minimum", cursor),
            multiple_of=read.number(members, "multipleOf", cursor),
            is_integer=is_integer,
        )
        if not self.draft.has_values:
            names = ("exclusiveMaximum", "exclusiveMinimum")
            return replace(made, flags=frozenset(name for name in names if read.flag(members, name, cursor)))
        most = read.number(members, "exclusiveMaximum", cursor)
        least = read.number(members, "exclusiveMinimum", cursor)
        return replace(made, exclusive_maximum=most, exclusive_minimum=least)

    def _array(self) -> Build:
        members, cursor = self.members, self.cursor
        items: Node | None = None
        positions: list[Node] = []
        if isinstance(members.get("items"), list):
            positions = yield from read.schema_list(members, "items", cursor)
        elif "items" in members:
            items = yield read.spot(members["items"], cursor.at("items"))
        permits, extra = yield from self._rest("additionalItems")
        contains: Node | None = None
        if "contains" in members and self.draft.has_values:
            contains = yield read.spot(members["contains"], cursor.at("contains"))
        return Array(
            items=items,
            positions=tuple(positions),
            permits=permits or items is not None,
            extra=extra,
            max_items=read.count(members, "maxItems", cursor),
            min_items=read.count(members, "minItems", cursor),
            is_unique=read.flag(members, "uniqueItems", cursor),
            contains=contains,
        )

    def _rest(self, key: str) -> Generator[Spot, Node, tuple[bool, Node | None]]:
        """Read what is said about the undeclared rest: true, false, or a schema."""
        value = self.members.get(key, True)
        if isinstance(value, bool):
            return value, None
        return True, (yield read.spot(value, self.cursor.at(key)))

    def _object(self) -> Build:
        members, cursor = self.members, self.cursor
        properties = yield from read.schema_map(members, "properties", cursor)
        permits, extra = yield from self._rest("additionalProperties")
        patterns = yield from read.schema_map(members, "patternProperties", cursor)
        needed = read.named(members, "dependencies", cursor) if "dependencies" in members else {}
        place = cursor.at("dependencies")
        lists = {key: one for key, one in needed.items() if isinstance(one, list)}
        others: Members = {key: one for key, one in needed.items() if not isinstance(one, list)}
        schemas = yield from read.schema_map({"dependencies": others}, "dependencies", cursor)
        names: Node | None = None
        if "propertyNames" in members and self.draft.has_values:
            names = yield read.spot(members["propertyNames"], cursor.at("propertyNames"))
        required = read.texts(members["required"], cursor.at("required")) if "required" in members else None
        return Object(
            properties=properties,
            required=required or frozenset(),
            permits=permits,
            extra=extra,
            patterns=tuple(patterns.items()),
            needed_names={key: read.texts(one, place.at(key)) for key, one in lists.items()},
            needed_schemas=schemas,
            names=names,
            max_properties=read.count(members, "maxProperties", cursor),
            min_properties=read.count(members, "minProperties", cursor),
        )
