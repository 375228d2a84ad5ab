"""The walk for presets under which only optional properties come and go.

Where Confluent's procedure passes over a keyword, this one says that it changed. Where that looks for any
branch that fits, this one asks which branch was meant: crossed with another, a branch of changed properties
looks like one that lost some and gained others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, cast

from accord.diff import jsonschema
from accord.diff.changes import Effort
from accord.diff.jsonschema_changes import Difference, DifferenceType
from accord.diff.jsonschema_combined import counts, couple
from accord.diff.jsonschema_parts import aligned
from accord.diff.jsonschema_sameness import says_the_same
from accord.diff.jsonschema_words import branch, spoken
from accord.diff.matching import FREE
from accord.formats.jsonschema.model import (
    Array,
    Combined,
    Conditional,
    Criterion,
    Not,
    Numeric,
    Object,
    Text,
    Values,
    seen_through,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from typing import TypeAlias

    from accord.diff.changes import Pair, Steps
    from accord.formats.jsonschema.model import Node, Schema

    # What a branch is known by, or None where it has nothing of the kind.
    Label: TypeAlias = Callable[[Combined, int], Hashable | None]

MARK = "connect.type"


def walk(pair: Pair) -> Steps:
    """Emit what differs between two nodes, and the inner pairs to go on with."""
    reader, writer = cast("Schema", pair.reader), cast("Schema", pair.writer)
    match reader, writer:
        case Combined(), Combined():
            yield from jsonschema.said_of_itself(reader, writer)
            yield from _combined(reader, writer)
        case Not(), Not():
            yield from jsonschema.said_of_itself(reader, writer)
            yield from _keyword("not", reader.inner, writer.inner)
        case _:
            yield from jsonschema.walk(pair)
            yield from _passed_over(reader, writer)


def _passed_over(reader: Schema, writer: Schema) -> Steps:
    """Look at what the other walk does not."""
    yield from _decimals(reader, writer)
    match reader, writer:
        case Object(), Object():
            yield from _required(reader, writer)
            yield from _patterns(reader, writer)
            yield from _keyword("propertyNames", reader.names, writer.names)
        case Array(), Array():
            yield from _keyword("contains", reader.contains, writer.contains)
        case Numeric(), Numeric():
            for name in sorted(reader.flags ^ writer.flags):
                is_, was = ("true" if name in side.flags else "none" for side in (reader, writer))
                yield Difference((name,), DifferenceType.KEYWORD_CHANGED, is_, was)
        case Conditional(), Conditional():
            for name in {**reader.bodies, **writer.bodies}:
                yield from _keyword(name, reader.bodies.get(name), writer.bodies.get(name))


def _decimals(reader: Schema, writer: Schema) -> Steps:
    """What Kafka Connect takes for a decimal may be written as two kinds, and is let through as either."""
    is_, was = reader.notes.is_decimal, writer.notes.is_decimal
    if is_ is not was:
        yield Difference((MARK,), DifferenceType.KEYWORD_CHANGED)
    elif is_ and reader.kind is not writer.kind:
        yield Difference((), DifferenceType.TYPE_CHANGED, spoken(reader), spoken(writer))


def _required(reader: Object, writer: Object) -> Steps:
    """Look at names that are required by a side that does not declare them; of the others all is told."""
    for name in sorted(reader.required ^ writer.required):
        side = reader if name in reader.required else writer
        if name not in side.properties:
            words = ("required", "none") if side is reader else ("none", "required")
            yield Difference(("required", name), DifferenceType.KEYWORD_CHANGED, *words)


def _patterns(reader: Object, writer: Object) -> Steps:
    new, old = dict(reader.patterns), dict(writer.patterns)
    for pattern in {**old, **new}:
        at = ("patternProperties", pattern)
        if pattern in new and pattern in old:
            yield aligned(new[pattern], old[pattern], *at)
        else:
            yield Difference(at, DifferenceType.KEYWORD_CHANGED)


def _keyword(name: str, new: Node | None, old: Node | None) -> Steps:
    """Compare schemas that describe no data of their own: whatever changes in them changes what they mean."""
    if (yield from says_the_same(new, old)):
        return
    inner = (aligned(new, old),) if new is not None and old is not None else ()
    yield Difference((name,), DifferenceType.KEYWORD_CHANGED, closest=inner)


def _combined(reader: Combined, writer: Combined) -> Steps:
    if reader.criterion is not writer.criterion:
        yield Difference((), DifferenceType.COMBINED_TYPE_CHANGED, spoken(reader), spoken(writer))
        return
    yield from counts(reader, writer)
    yield Effort(len(LABELS) * (len(reader.branches) + len(writer.branches)))
    partners = _partners(reader, writer)
    taken = frozenset(partners)
    left = [number for number in range(len(reader.branches)) if number not in taken]
    for position, partner in enumerate(partners):
        if partner != FREE:
            yield couple(reader, writer, partner, position)
        elif left:
            number = left.pop(0)
            yield Difference(
                (),
                DifferenceType.COMBINED_TYPE_SUBSCHEMAS_CHANGED,
                branch(reader, number),
                branch(writer, position),
                closest=(couple(reader, writer, number, position),),
            )


def _partners(reader: Combined, writer: Combined) -> list[int]:
    """Return which branch of the reader each of the writer's is, where something tells."""
    partners = [FREE] * len(writer.branches)
    for label in LABELS:
        taken = frozenset(partners)
        new = _unique(label, reader, (at for at in range(len(reader.branches)) if at not in taken))
        old = _unique(label, writer, (at for at, partner in enumerate(partners) if partner == FREE))
        for value in old.keys() & new.keys():
            partners[old[value]] = new[value]
    return partners


def _unique(label: Label, node: Combined, positions: Iterable[int]) -> dict[Hashable, int]:
    """Return the branches that a label tells from all others, by it."""
    labels = {position: label(node, position) for position in positions}
    counts = Counter(labels.values())
    return {value: at for at, value in labels.items() if value is not None and counts[value] == 1}


def _as_written(node: Combined, position: int) -> Hashable | None:
    """Of keywords that imply a combination, the keys are no more than places."""
    is_placed = node.is_implied and node.criterion is Criterion.ALL_OF
    return None if is_placed else node.keys[position]


def _as_said(node: Combined, position: int) -> Hashable | None:
    """Two may differ in words alone; what schemas of values hold is short."""
    inner = seen_through(node.branches[position])
    if not isinstance(inner, Text | Numeric | Values):
        return None
    said = (getattr(inner, one.name) for one in fields(inner) if one.name != "notes")
    return (inner.kind, inner.notes.format, *said)


def _by_constants(node: Combined, position: int) -> Hashable | None:
    """Objects are told apart by required properties that have one value only."""
    inner = _object(node.branches[position])
    if inner is None:
        return None
    values = {name: _value(inner.properties[name]) for name in inner.required if name in inner.properties}
    return frozenset((name, value) for name, value in values.items() if value is not None) or None


def _by_names(node: Combined, position: int) -> Hashable | None:
    inner = _object(node.branches[position])
    return None if inner is None else frozenset(inner.properties)


def _by_kind(node: Combined, position: int) -> Hashable | None:
    return seen_through(node.branches[position]).kind


# The surest first.
LABELS: tuple[Label, ...] = (_as_written, _as_said, _by_constants, _by_names, _by_kind)


def _implied(node: Node) -> Iterator[Schema]:
    """Yield a schema, or what its keywords of several kinds are taken for."""
    inner = seen_through(node)
    if isinstance(inner, Combined) and inner.is_implied and inner.criterion is Criterion.ALL_OF:
        yield from map(seen_through, inner.branches)
    else:
        yield inner


def _object(node: Node) -> Object | None:
    return next((one for one in _implied(node) if isinstance(one, Object)), None)


def _value(node: Node) -> str | None:
    keys = next((one.keys for one in _implied(node) if isinstance(one, Values)), frozenset[str]())
    return next(iter(keys)) if len(keys) == 1 else None
