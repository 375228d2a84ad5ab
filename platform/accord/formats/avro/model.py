"""Typed nodes of an Avro schema.

A named type is one node however often it is used, so recursive schemas are cyclic graphs; every
other occurrence is a node of its own. Nodes compare by identity: the comparison of schemas keys its
memory on pairs of nodes.

Nodes never change once the parser has made them. The type checker sees to that: the frozen data classes
of the standard library would look at run time too, and make parsing take half as long again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from accord.formats.avro.names import Name
    from accord.formats.jsontext import Json

Props: TypeAlias = "dict[str, Json]"
N = TypeVar("N")


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def node_class(class_: type[N]) -> type[N]:
    """Make a class of nodes: compared by identity, frozen for the type checker."""
    return dataclass(slots=True, eq=False)(class_)


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


@node_class
class Primitive:
    """One of the eight types without inner types; ``props`` are all unknown members."""

    kind: Kind
    props: Props


@node_class
class Array:
    """A list of items of one type."""

    items: Node
    props: Props
    kind: ClassVar[Kind] = Kind.ARRAY


@node_class
class Map:
    """A map from strings to values of one type."""

    values: Node
    props: Props
    kind: ClassVar[Kind] = Kind.MAP


@node_class
class Union:
    """One of several types; it has no members of its own."""

    branches: tuple[Node, ...]
    kind: ClassVar[Kind] = Kind.UNION


@node_class
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


@node_class
class Record:
    """A record or, with ``is_error``, an error; its fields arrive by `complete`."""

    name: Name
    doc: str | None
    aliases: tuple[Name, ...]
    props: Props
    is_error: bool = False
    fields: tuple[Field, ...] = field(default=(), repr=False)
    kind: ClassVar[Kind] = Kind.RECORD

    def complete(self, fields: tuple[Field, ...]) -> None:
        """Set the fields: once, by the parser, since a field's type may be the record itself."""
        object.__setattr__(self, "fields", fields)


@node_class
class Enum:
    """One of several symbols; ``default`` is the symbol for what a reader does not know."""

    name: Name
    doc: str | None
    aliases: tuple[Name, ...]
    props: Props
    symbols: tuple[str, ...]
    default: str | None = None
    kind: ClassVar[Kind] = Kind.ENUM


@node_class
class Fixed:
    """A fixed number of bytes."""

    name: Name
    doc: str | None
    aliases: tuple[Name, ...]
    props: Props
    size: int
    kind: ClassVar[Kind] = Kind.FIXED


Named: TypeAlias = Record | Enum | Fixed
Node: TypeAlias = Primitive | Array | Map | Union | Record | Enum | Fixed


def branch_name(node: Node) -> str:
    """Return what must be unique among the branches of a union: full name, or the type's name."""
    return node.name.full if isinstance(node, Record | Enum | Fixed) else str(node.kind)
