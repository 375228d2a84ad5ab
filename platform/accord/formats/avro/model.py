"""Typed nodes of an Avro schema.

A named type is one node however often it is used, so recursive schemas are cyclic graphs; every
other occurrence is a node of its own. Nodes compare by identity: the comparison of schemas keys its
memory on pairs of nodes.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from accord.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.avro.names import Name
    from accord.formats.jsontext import Json

Props: TypeAlias = "dict[str, Json]"
NO_NAMES: frozenset[str] = frozenset()


class Kind(StrEnum):
    """The fourteen Avro types; ``error`` is a record."""

    NULL = "null"
    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    FLOAT = "float"
    DOUBLE = "double"
    BYTES = "bytes"
    STRING = "string"
    ARRAY = "array"
    MAP = "map"
    UNION = "union"
    RECORD = "record"
    ENUM = "enum"
    FIXED = "fixed"


PRIMITIVES = frozenset(
    {
        Kind.NULL,
        Kind.BOOLEAN,
        Kind.INT,
        Kind.LONG,
        Kind.FLOAT,
        Kind.DOUBLE,
        Kind.BYTES,
        Kind.STRING,
    }
)


class Order(StrEnum):
    """How a field takes part in sorting records."""

    ASCENDING = "ascending"
    DESCENDING = "descending"
    IGNORE = "ignore"


@frozen
class Primitive:
    """One of the eight types without inner types; ``props`` are all unknown members."""

    kind: Kind
    props: Props


@frozen
class Array:
    """A list of items of one type."""

    items: Node
    props: Props
    kind: ClassVar[Kind] = Kind.ARRAY


@frozen
class Map:
    """A map from strings to values of one type."""

    values: Node
    props: Props
    kind: ClassVar[Kind] = Kind.MAP


@frozen
class Union:
    """One of several types; it has no members of its own."""

    branches: tuple[Node, ...]
    kind: ClassVar[Kind] = Kind.UNION


@frozen
class Field:
    """A field of a record; ``default`` counts only where ``has_default`` (null is a default)."""

    name: str
    type: Node
    doc: str | None = None
    has_default: bool = False
    default: Json = None
    order: Order = Order.ASCENDING
    aliases: tuple[str, ...] = ()
    props: Props = field(default_factory=dict)


@frozen
class NamedType:
    """What records, enums and fixed types share; ``alias_names`` are the full names of the aliases."""

    name: Name
    doc: str | None
    aliases: tuple[Name, ...]
    props: Props
    alias_names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        names = frozenset([alias.full for alias in self.aliases]) if self.aliases else NO_NAMES
        object.__setattr__(self, "alias_names", names)


@frozen
class Record(NamedType):
    """A record or, with ``is_error``, an error; its fields arrive by `complete`."""

    is_error: bool = False
    fields: tuple[Field, ...] = field(default=(), init=False)
    by_name: Mapping[str, Field] = field(default_factory=dict, init=False)
    kind: ClassVar[Kind] = Kind.RECORD

    def complete(self, fields: tuple[Field, ...]) -> None:
        """Set the fields: once, by the parser, since a field's type may be the record itself."""
        object.__setattr__(self, "fields", fields)
        object.__setattr__(self, "by_name", {field.name: field for field in fields})


@frozen
class Enum(NamedType):
    """One of several symbols; ``default`` is the symbol for what a reader does not know."""

    symbols: tuple[str, ...]
    default: str | None = None
    kind: ClassVar[Kind] = Kind.ENUM


@frozen
class Fixed(NamedType):
    """A fixed number of bytes."""

    size: int
    kind: ClassVar[Kind] = Kind.FIXED


Named: TypeAlias = Record | Enum | Fixed
Node: TypeAlias = Primitive | Array | Map | Union | Record | Enum | Fixed


def branch_name(node: Node) -> str:
    """Return what must be unique among the branches of a union: full name, or the type's name."""
    return node.name.full if isinstance(node, NamedType) else str(node.kind)
