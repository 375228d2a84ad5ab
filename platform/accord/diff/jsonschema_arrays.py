"""The walk over two schemas of arrays. Source: json-compat, section 5.6, in its order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.diff.changes import Effort, Ways
from accord.diff.jsonschema_changes import Difference, DifferenceType
from accord.diff.jsonschema_parts import (
    Undeclared,
    aligned,
    bounds,
    is_open,
    rest,
    slot,
    unevaluated,
)
from accord.formats.jsonschema.model import is_trivial

if TYPE_CHECKING:
    from accord.diff.changes import Steps, Tokens
    from accord.formats.jsonschema.model import Array, Node

COUNTS = (("maxItems", "max_items"), ("minItems", "min_items"))
CONTAINED = (("maxContains", "max_contains"), ("minContains", "min_contains"))
ITEM = Undeclared("ITEM", "prefixItems")
REST = slot("additionalItems")
UNEVALUATED = slot("unevaluatedItems")


def arrays(reader: Array, writer: Array) -> Steps:
    """Emit what differs between two schemas of arrays."""
    yield from _items(reader.items, writer.items)
    yield from _positions(reader, writer)
    yield from rest(reader, writer, REST)
    yield from unevaluated(reader, writer, UNEVALUATED)
    yield from bounds(reader, writer, COUNTS)
    if reader.is_unique is not writer.is_unique:
        is_added = reader.is_unique
        type_ = DifferenceType.UNIQUE_ITEMS_ADDED if is_added else DifferenceType.UNIQUE_ITEMS_REMOVED
        yield Difference(("uniqueItems",), type_)
    for change in bounds(reader, writer, CONTAINED):
        yield _named(change, reader, writer)


def _named(change: Difference, reader: Array, writer: Array) -> Difference:
    """Name what was written, which is ``contains`` where that stands alone."""
    who = {DifferenceType.MIN_CONTAINS_ADDED: reader, DifferenceType.MIN_CONTAINS_REMOVED: writer}
    holder = who.get(change.type)
    return replace(change, about="contains") if holder is not None and holder.is_least_implied else change


def _items(new: Node | None, old: Node | None) -> Steps:
    if new is not None and old is not None:
        yield aligned(new, old, "items")
    elif new is not None:
        yield Difference(("items",), DifferenceType.SCHEMA_ADDED)
    elif old is not None:
        yield Difference(("items",), DifferenceType.SCHEMA_REMOVED)


def _positions(reader: Array, writer: Array) -> Steps:
    new, old = reader.positions, writer.positions
    if new or old:
        yield Effort(len(new) + len(old))
    for position in range(max(len(new), len(old))):
        at = ("items", str(position))
        if position >= len(new):
            yield from ITEM.removed(reader, old[position], at)
        elif position >= len(old):
            yield from _added(new[position], writer, at)
        else:
            way = ITEM.way(at)
            yield aligned(new[position], old[position], *at, ways=Ways(way, way))


def _added(new: Node, writer: Array, at: Tokens) -> Steps:
    if is_open(writer):
        yield ITEM.told(at, "WITH_EMPTY_SCHEMA_ADDED_TO_OPEN" if is_trivial(new) else "ADDED_TO_OPEN")
        return
    if not (yield from ITEM.added(new, writer, at)):
        yield ITEM.told(at, "ADDED_TO_CLOSED")
