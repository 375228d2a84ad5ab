"""Typed nodes of a JSON Schema: what its comparison needs, and no more.

Both loaders make the same nodes, so a schema of draft 4 can be compared with one of 2020-12. What a
``$ref`` leads to is one node however often it is used, so recursive schemas are cyclic graphs. Nodes
compare by identity: the comparison of schemas keys its memory on pairs of nodes.
"""

from __future__ import annotations

from dataclasses import field
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from accord.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping


Number: TypeAlias = int | Decimal


class Kind(StrEnum):
    """The kinds of nodes; nodes of different kinds are never compared field by field."""

    EMPTY = "empty"
    TRUE = "true"
    FALSE = "false"
    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    ENUM = "enum"
    CONST = "const"
    NOT = "not"
    COMBINED = "combined"
    CONDITIONAL = "conditional"
    OBJECT = "object"
    ARRAY = "array"


class Criterion(StrEnum):
    """How many of its branches a combined schema wants to hold."""

    ALL_OF = "allOf"
    ANY_OF = "anyOf"
    ONE_OF = "oneOf"


@frozen
class Notes:
    """What a schema says about itself; ``default`` is the value's key (`values.value_key`).

    ``format`` is what strings are said to hold: ``format`` and the encoding and type of contents.
    ``is_decimal`` marks what Kafka Connect writes for a decimal: ``connect.type`` is ``bytes``.
    """

    id: str | None = None
    title: str | None = None
    description: str | None = None
    default: str | None = None
    format: str | None = None
    is_decimal: bool = False


NO_NOTES = Notes()


@frozen
class Plain:
    """A schema without parts: empty, true, false, boolean or null."""

    kind: Kind
    notes: Notes = NO_NOTES


@frozen
class Conditional:
    """A condition: the schemas of ``if``, ``then`` and ``else``, by keyword."""

    bodies: Mapping[str, Node] = field(default_factory=dict)
    notes: Notes = NO_NOTES
    kind: ClassVar[Kind] = Kind.CONDITIONAL


@frozen
class Text:
    """A schema of strings; ``pattern`` is compared as a text and never run."""

    max_length: Number | None = None
    min_length: Number | None = None
    pattern: str | None = None
    notes: Notes = NO_NOTES
    kind: ClassVar[Kind] = Kind.STRING


@frozen
class Numeric:
    """A schema of numbers; ``flags`` are the exclusive bounds that are true, as draft 4 has them."""

    maximum: Number | None = None
    minimum: Number | None = None
    exclusive_maximum: Number | None = None
    exclusive_minimum: Number | None = None
    multiple_of: Number | None = None
    is_integer: bool = False
    flags: frozenset[str] = frozenset()
    notes: Notes = NO_NOTES
    kind: ClassVar[Kind] = Kind.NUMBER


@frozen
class Values:
    """An enumeration, or with ``kind`` CONST a single value: the keys of the values, and their texts."""

    kind: Kind
    keys: frozenset[str]
    notes: Notes = NO_NOTES


@frozen
class Not:
    """A schema that another one must not hold."""

    inner: Node
    notes: Notes = NO_NOTES
    kind: ClassVar[Kind] = Kind.NOT


@frozen
class Combined:
    """Several schemas under a criterion, written so or implied by keywords of several kinds.

    ``count`` is how many were written; ``branches`` leaves out repetitions. Branches of two schemas with
    equal ``keys`` are written alike. ``without_format`` is what stands there if the branch that ``format``
    alone made, beside something other than text, is passed over. ``is_implied`` marks what nobody wrote as a
    combination: keywords of several kinds beside each other (allOf), or a list of types (anyOf). ``numbers``
    are the places that the branches have in the list that was written, from 0.
    """

    criterion: Criterion
    branches: tuple[Node, ...]
    keys: tuple[bytes, ...]
    count: int
    notes: Notes = NO_NOTES
    without_format: Schema | None = None
    is_implied: bool = False
    numbers: tuple[int, ...] = ()
    kind: ClassVar[Kind] = Kind.COMBINED

    def way(self, position: int) -> tuple[str, ...]:
        """Return the steps to a branch in the text: none to what stands beside other keywords."""
        return () if self.is_implied else (str(self.criterion), str(self.numbers[position]))


@frozen
class Object:
    """A schema of objects.

    ``permits`` is false where undeclared names are forbidden, ``extra`` the schema that undeclared
    values must hold, ``patterns`` the schemas for names in which a pattern is found, ``names`` what all names
    must hold.
    """

    properties: Mapping[str, Node] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    permits: bool = True
    extra: Node | None = None
    patterns: tuple[tuple[str, Node], ...] = ()
    needed_names: Mapping[str, frozenset[str]] = field(default_factory=dict)
    needed_schemas: Mapping[str, Node] = field(default_factory=dict)
    names: Node | None = None
    unevaluated: Node | None = None
    max_properties: Number | None = None
    min_properties: Number | None = None
    notes: Notes = NO_NOTES
    kind: ClassVar[Kind] = Kind.OBJECT


@frozen
class Array:
    """A schema of arrays: ``items`` for all of them, or ``positions`` and ``extra`` for what follows.

    ``contains`` is what one of them must hold; ``is_least_implied`` where it stands alone, whose
    ``min_contains`` is then 1.
    """

    items: Node | None = None
    positions: tuple[Node, ...] = ()
    permits: bool = True
    extra: Node | None = None
    unevaluated: Node | None = None
    max_items: Number | None = None
    min_items: Number | None = None
    is_unique: bool = False
    contains: Node | None = None
    max_contains: Number | None = None
    min_contains: Number | None = None
    is_least_implied: bool = False
    notes: Notes = NO_NOTES
    kind: ClassVar[Kind] = Kind.ARRAY


@frozen
class Ref:
    """A reference; comparison looks through it, but a default beside it is lost."""

    text: str
    notes: Notes = NO_NOTES
    target: Schema | None = field(default=None, init=False)
    kind: ClassVar[None] = None

    def complete(self, target: Schema) -> None:
        """Set what it leads to: once, by the parser, after every node is made."""
        object.__setattr__(self, "target", target)


Schema: TypeAlias = Plain | Conditional | Text | Numeric | Values | Not | Combined | Object | Array
Node: TypeAlias = Schema | Ref


def seen_through(node: Node) -> Schema:
    """Return the schema that a node stands for."""
    # The parser completes every reference.
    return cast("Schema", node.target) if isinstance(node, Ref) else node


def is_trivial(node: Node) -> bool:
    """Tell whether a schema accepts everything by saying nothing; a reference to one does not count."""
    return node.kind is Kind.EMPTY or node.kind is Kind.TRUE
