"""What lint rules of Avro look at: a node of the schema and where it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.lint.hits import Hit

if TYPE_CHECKING:
    from accord.formats.avro.model import Enum, Field, Named, Union

    Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A place; the path is that of findings."""

    path: Tokens

    def hit(self, message: str, *steps: str) -> Hit:
        """Return a hit at the place, or at what steps lead to from there."""
        return Hit(message, (*self.path, *steps))


@dataclass(frozen=True, slots=True)
class TypeNode(Placed):
    """A record, an enum or a fixed type."""

    type: Named


@dataclass(frozen=True, slots=True)
class FieldNode(Placed):
    """A field of a record."""

    field: Field


@dataclass(frozen=True, slots=True)
class EnumNode(Placed):
    """An enum."""

    enum: Enum


@dataclass(frozen=True, slots=True)
class UnionNode(Placed):
    """A union."""

    union: Union
