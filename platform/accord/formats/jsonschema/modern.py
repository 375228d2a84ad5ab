"""Schema objects of 2019-09 and 2020-12 to nodes: one small part for each keyword, joined in order.

Source: json-compat, section 3. Parts of one kind flow into one node; parts of several kinds become an
implied allOf. A type list is an implied anyOf, whose branches take up the parts of their kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from accord.formats.jsonschema import members as read
from accord.formats.jsonschema.classic import KINDS
from accord.formats.jsonschema.model import (
    NO_NOTES,
    Array,
    Criterion,
    Kind,
    Numeric,
    Object,
    Plain,
    Ref,
    Text,
)
from accord.formats.jsonschema.workshop import combination, implied

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from accord.formats.jsonschema.addresses import Spot
    from accord.formats.jsonschema.cursor import Cursor
    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsonschema.members import Build
    from accord.formats.jsonschema.model import Node, Schema
    from accord.formats.jsonschema.workshop import Workshop
    from accord.formats.jsontext import Json

    Fields: TypeAlias = Generator[Spot, Node, dict[str, Any]]

# Keywords whose parts come last, in this order, wherever they are written.
LAST = ("properties", "patternProperties", "unevaluatedItems", "unevaluatedProperties")
MERGED = frozenset((Kind.STRING, Kind.NUMBER, Kind.ARRAY, Kind.OBJECT))
# What is joined otherwise than "the later one wins".
EITHER = frozenset(("is_integer", "is_unique"))
UNITED = frozenset(("properties", "patterns", "needed_names", "needed_schemas"))
MAKERS: dict[Kind, Callable[..., Schema]] = {
    Kind.STRING: Text,
    Kind.NUMBER: Numeric,
    Kind.ARRAY: Array,
    Kind.OBJECT: Object,
}
Reader: TypeAlias = Callable[["Members", str, "Cursor"], Any]
# keyword: kind, field of the node, and how the value is read
SIMPLE: dict[str, tuple[Kind, str, Reader]] = {
    "maxLength": (Kind.STRING, "max_length", read.count),
    "minLength": (Kind.STRING, "min_length", read.count),
    "pattern": (Kind.STRING, "pattern", read.text),
    "maximum": (Kind.NUMBER, "maximum", read.number),
    "minimum": (Kind.NUMBER, "minimum", read.number),
    "exclusiveMaximum": (Kind.NUMBER, "exclusive_maximum", read.number),
    "exclusiveMinimum": (Kind.NUMBER, "exclusive_minimum", read.number),
    "multipleOf": (Kind.NUMBER, "multiple_of", read.number),
    "maxItems": (Kind.ARRAY, "max_items", read.count),
    "minItems": (Kind.ARRAY, "min_items", read.count),
    "uniqueItems": (Kind.ARRAY, "is_unique", read.flag),
    "maxProperties": (Kind.OBJECT, "max_properties", read.count),
    "minProperties": (Kind.OBJECT, "min_properties", read.count),
}


@dataclass(slots=True)
class Part:
    """What keywords of one kind say; of a kind that has no fields, the kind alone."""

    kind: Kind
    fields: dict[str, Any] = field(default_factory=dict)

    def merge(self, later: Part) -> None:
        """Take up what a later keyword says."""
        for name, value in later.fields.items():
            earlier = self.fields.get(name)
            if name in EITHER:
                value = bool(earlier) or value  # noqa: PLW2901  # either of the two
            elif name == "permits":
                value = earlier is not False and value  # noqa: PLW2901  # a refusal stays
            elif name in UNITED:
                value = {**(earlier or {}), **value}  # noqa: PLW2901  # both
            self.fields[name] = value

    def node(self) -> Schema:
        """Return the node."""
        if self.kind not in MAKERS:
            return Plain(self.kind)
        patterns = {"patterns": tuple(self.fields["patterns"].items())} if "patterns" in self.fields else {}
        return MAKERS[self.kind](**{**self.fields, **patterns})


@dataclass(slots=True)
class Choice:
    """The implied anyOf of a type list: type names and parts."""

    parts: dict[str, Part]
    count: int

    def takes(self, part: Part) -> bool:
        """Take a part up into the branch of its kind, if there is one."""
        for branch in self.parts.values():
            if branch.kind is part.kind and part.kind in MERGED:
                branch.merge(part)
                return True
        return False

    def node(self) -> Schema:
        """Return the combined node."""
        made = combination(
            Criterion.ANY_OF,
            ((name.encode(), part.node()) for name, part in self.parts.items()),
            is_implied=True,
        )
        return replace(made, count=self.count)


Piece: TypeAlias = "Part | Choice | Node"


def build(members: Members, cursor: Cursor, workshop: Workshop) -> Build:
    """Make the node of a schema object; inner schemas are asked for."""
    pieces: list[Piece] = []
    for keyword in _ordered(members):
        piece = yield from _piece(keyword, members, cursor, workshop)
        if piece is not None:
            _join(pieces, piece)
    notes = read.notes_of(members, cursor, workshop.draft)
    if not pieces:
        return Plain(Kind.EMPTY, notes)
    nodes = [piece.node() if isinstance(piece, Part | Choice) else piece for piece in pieces]
    whole = nodes[0] if len(nodes) == 1 else implied(nodes)
    # A reference was made with its notes, and must stay the one that waits for its target.
    is_noted = isinstance(whole, Ref) or notes is NO_NOTES
    return whole if is_noted else replace(whole, notes=notes)


def _ordered(members: Members) -> Iterator[str]:
    yield from (keyword for keyword in members if keyword not in LAST)
    yield from (keyword for keyword in LAST if keyword in members)


def _join(pieces: list[Piece], later: Piece) -> None:
    """Join a piece to those before it; two that do not merge make an implied allOf."""
    for position, earlier in enumerate(pieces):
        match earlier, later:
            case Part(), Part() if earlier.kind is later.kind and later.kind in MERGED:
                earlier.merge(later)
                return
            case Choice(), Part() if len(pieces) == 1 and earlier.takes(later):
                return
            case Part(), Choice() if len(pieces) == 1 and later.takes(earlier):
                pieces[position] = later
                return
    pieces.append(later)


def _piece(
    keyword: str, members: Members, cursor: Cursor, workshop: Workshop
) -> Generator[Spot, Node, Piece | None]:
    """Read one keyword; what is no keyword of this loader gives nothing."""
    if keyword in SIMPLE:
        kind, name, reader = SIMPLE[keyword]
        return Part(kind, {name: reader(members, keyword, cursor)})
    if keyword in READERS:
        kind, wanted = READERS[keyword]
        return Part(kind, (yield from wanted(members, keyword, cursor)))
    piece: Piece | None = None
    match keyword:
        case "type":
            piece = _type(members["type"], cursor.at("type"))
        case "enum":
            piece = workshop.enum(members, cursor)
        case "const":
            piece = workshop.const(members)
        case "not":
            piece = yield from workshop.negated(members, cursor)
        case "if":
            piece = yield from workshop.conditional(members, cursor)
        case "$ref":
            piece = workshop.ref(members, cursor, read.notes_of(members, cursor, workshop.draft))
        case "allOf" | "anyOf" | "oneOf":
            piece = yield from workshop.combined(members, Criterion(keyword), cursor)
    return piece


def _type(names: Json, cursor: Cursor) -> Piece:
    if not isinstance(names, list):
        return _named(names, cursor)
    parts = {str(name): _named(name, cursor.at(position)) for position, name in enumerate(names)}
    return Choice(parts, len(names))


def _named(name: Json, cursor: Cursor) -> Part:
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise read.unknown_type(name, cursor)
    return Part(kind, {"is_integer": name == "integer"} if kind is Kind.NUMBER else {})


def _required(members: Members, key: str, cursor: Cursor) -> Fields:
    yield from ()
    return {"required": read.texts(members[key], cursor.at(key))}


def _named_schemas(name: str) -> Callable[[Members, str, Cursor], Fields]:
    def wanted(members: Members, key: str, cursor: Cursor) -> Fields:
        return {name: (yield from read.schema_map(members, key, cursor))}

    return wanted


def _needed_names(members: Members, key: str, cursor: Cursor) -> Fields:
    yield from ()
    place = cursor.at(key)
    lists = read.named(members, key, cursor)
    return {"needed_names": {name: read.texts(names, place.at(name)) for name, names in lists.items()}}


def _additional_properties(members: Members, key: str, cursor: Cursor) -> Fields:
    value = members[key]
    if isinstance(value, bool):
        return {} if value else {"permits": False}
    return {"extra": (yield read.spot(value, cursor.at(key)))}


def _items(members: Members, key: str, cursor: Cursor) -> Fields:
    value = members[key]
    if isinstance(value, list):
        raise cursor.at(key).refusal("'items' must be a schema; a list of schemas is called 'prefixItems'")
    if isinstance(value, bool):
        return {} if value else {"permits": False}
    name = "extra" if members.get("prefixItems") else "items"
    return {name: (yield read.spot(value, cursor.at(key)))}


def _positions(members: Members, key: str, cursor: Cursor) -> Fields:
    return {"positions": tuple((yield from read.schema_list(members, key, cursor)))}


def _contains(members: Members, key: str, cursor: Cursor) -> Fields:
    contains = yield read.spot(members[key], cursor.at(key))
    least = read.count(members, "minContains", cursor)
    most = read.count(members, "maxContains", cursor)
    counts = {"min_contains": 1 if least is None else least, "max_contains": most}
    return {"contains": contains, "is_least_implied": least is None, **counts}


def _names(members: Members, key: str, cursor: Cursor) -> Fields:
    return {"names": (yield read.spot(members[key], cursor.at(key)))}


def _unevaluated(members: Members, key: str, cursor: Cursor) -> Fields:
    return {"unevaluated": (yield read.spot(members[key], cursor.at(key)))}


READERS: dict[str, tuple[Kind, Callable[[Members, str, Cursor], Fields]]] = {
    "required": (Kind.OBJECT, _required),
    "properties": (Kind.OBJECT, _named_schemas("properties")),
    "patternProperties": (Kind.OBJECT, _named_schemas("patterns")),
    "additionalProperties": (Kind.OBJECT, _additional_properties),
    "dependentRequired": (Kind.OBJECT, _needed_names),
    "dependentSchemas": (Kind.OBJECT, _named_schemas("needed_schemas")),
    "propertyNames": (Kind.OBJECT, _names),
    "unevaluatedProperties": (Kind.OBJECT, _unevaluated),
    "prefixItems": (Kind.ARRAY, _positions),
    "items": (Kind.ARRAY, _items),
    "contains": (Kind.ARRAY, _contains),
    "unevaluatedItems": (Kind.ARRAY, _unevaluated),
}
