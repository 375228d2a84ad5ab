"""Logical types: which annotations mean something.

As in Avro Java, an annotation that does not fit its type, or a decimal whose precision or scale makes
no sense, is no error: the annotation stays in the text as an ordinary member and means nothing.
Compatibility ignores logical types; normalisation and one optional rule read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING

from accord.formats.avro.model import Fixed, Kind, Primitive

if TYPE_CHECKING:
    from accord.formats.avro.model import Node, Props

# Logical types without parameters, and the one type each annotates.
PLAIN_LOGICAL_TYPES = {
    "big-decimal": Kind.BYTES,
    "date": Kind.INT,
    "local-timestamp-micros": Kind.LONG,
    "local-timestamp-millis": Kind.LONG,
    "local-timestamp-nanos": Kind.LONG,
    "time-micros": Kind.LONG,
    "time-millis": Kind.INT,
    "timestamp-micros": Kind.LONG,
    "timestamp-millis": Kind.LONG,
    "timestamp-nanos": Kind.LONG,
    "uuid": Kind.STRING,
}
SIZED_LOGICAL_TYPES = {"duration": 12, "uuid": 16}


@dataclass(frozen=True, slots=True)
class LogicalType:
    """A meaningful annotation; precision and scale are digits and belong to decimals only."""

    name: str
    precision: int | None = None
    scale: int = 0

    def __str__(self) -> str:
        return self.name if self.precision is None else f"decimal({self.precision},{self.scale})"


def logical_type(node: Node) -> LogicalType | None:
    """Return what the node's ``logicalType`` means, or None where it means nothing."""
    return _annotation(node) if isinstance(node, Primitive | Fixed) else None


def _annotation(node: Primitive | Fixed) -> LogicalType | None:
    name = node.props.get("logicalType")
    if name == "decimal":
        return _decimal(node)
    if isinstance(node, Fixed):
        is_meant = isinstance(name, str) and SIZED_LOGICAL_TYPES.get(name) == node.size
    else:
        is_meant = isinstance(name, str) and PLAIN_LOGICAL_TYPES.get(name) is node.kind
    return LogicalType(str(name)) if is_meant else None


def _decimal(node: Primitive | Fixed) -> LogicalType | None:
    if not isinstance(node, Fixed) and node.kind is not Kind.BYTES:
        return None
    precision, scale = _whole(node.props, "precision"), _whole(node.props, "scale", absent=0)
    if precision is None or scale is None or precision == 0 or scale > precision:
        return None
    if isinstance(node, Fixed) and precision > most_digits(node.size):
        return None
    return LogicalType("decimal", precision, scale)


def _whole(props: Props, key: str, absent: int | None = None) -> int | None:
    value = props.get(key, absent)
    is_whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_whole and isinstance(value, int) else None


def most_digits(size: int) -> int:
    """Return how many decimal digits always fit into ``size`` bytes, two's complement."""
    return floor((8 * size - 1) * log10(2)) if size else 0
