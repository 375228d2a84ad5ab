"""The walk over two JSON Schemas: Confluent's ordered procedure, one pair of nodes at a time.

Source: json-compat, sections 4 to 6. The reader is the new schema of that text, the writer the old one.
Places are the keywords that lead to a pair from its holder; a ``$ref`` adds none, since pairs are made
of what references lead to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accord.diff.changes import Effort, Pair, Probe, Ways
from accord.diff.jsonschema_arrays import arrays
from accord.diff.jsonschema_changes import Difference, DifferenceType
from accord.diff.jsonschema_combined import combined
from accord.diff.jsonschema_objects import objects
from accord.diff.jsonschema_parts import aligned, bounds, spelled_number
from accord.diff.jsonschema_words import added_keywords, spoken
from accord.formats.jsonschema.model import (
    Array,
    Combined,
    Criterion,
    Kind,
    Not,
    Numeric,
    Object,
    Text,
    Values,
    is_trivial,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    from accord.diff.changes import Step, Steps, Tokens, Walk
    from accord.formats.jsonschema.model import Number, Schema

VALUES_PER_STEP = 8
TEXT_BOUNDS = (("maxLength", "max_length"), ("minLength", "min_length"))
NUMBER_BOUNDS = (
    ("maximum", "maximum"),
    ("minimum", "minimum"),
    ("exclusiveMaximum", "exclusive_maximum"),
    ("exclusiveMinimum", "exclusive_minimum"),
)


def walk(pair: Pair) -> Steps:
    """Emit what differs between two nodes, and the inner pairs to go on with."""
    # Pairs are alike for all formats; those of this walk come from JSON Schema's model.
    reader, writer = cast("Schema", pair.reader), cast("Schema", pair.writer)
    is_one_combined = isinstance(reader, Combined) is not isinstance(writer, Combined)
    if is_one_combined and (yield from _fits_a_branch(reader, writer)):
        return
    if reader.kind is writer.kind:
        yield from said_of_itself(reader, writer)
        yield from _same_kind(reader, writer)
    elif not _is_let_through(reader, writer):
        yield Difference(
            (),
            DifferenceType.TYPE_CHANGED,
            spoken(reader),
            spoken(writer),
            about=added_keywords(reader, writer),
        )


def without_formats(walk: Walk) -> Walk:
    """Return a walk as if ``format`` made no combination with what is no text; its changes are still told."""

    def walked(pair: Pair) -> Steps:
        return walk(Pair(_without_format(pair.reader), _without_format(pair.writer), pair.at))

    return walked


def _without_format(node: object) -> object:
    return node.without_format or node if isinstance(node, Combined) else node


def spelled(path: Tokens, _first: Tokens) -> str:
    """Spell a place as Confluent does: the steps as they are, nothing escaped."""
    return "#/" + "/".join(path)


def _fits_a_branch(reader: Schema, writer: Schema) -> Generator[Step, bool, bool]:
    """Compare a plain schema with the branches of a combined one; tell whether that settles the pair.

    Any branch of the reader's alternatives will do, and any of the writer's constraints.
    """
    if isinstance(reader, Combined):
        is_open = reader.count == 1 or reader.criterion is not Criterion.ALL_OF
        found, count = DifferenceType.SUM_TYPE_EXTENDED, reader.count
        ways = [Ways(reader.way(place), ()) for place in range(len(reader.branches))]
        pairs = [aligned(one, writer, ways=way) for one, way in zip(reader.branches, ways, strict=True)]
    else:
        sides = cast("Combined", writer)
        is_open = sides.count == 1 or sides.criterion is Criterion.ALL_OF
        found, count = DifferenceType.PRODUCT_TYPE_NARROWED, sides.count
        ways = [Ways((), sides.way(place)) for place in range(len(sides.branches))]
        pairs = [aligned(reader, one, ways=way) for one, way in zip(sides.branches, ways, strict=True)]
    for inner in pairs if is_open else ():
        if (yield Probe(inner)):
            yield inner
            if count > 1:
                yield Difference((), found, spoken(reader), spoken(writer))
            return True
    return False


def _is_let_through(reader: Schema, writer: Schema) -> bool:
    if writer.kind is Kind.FALSE or is_trivial(reader):
        return True
    return reader.notes.is_decimal and writer.notes.is_decimal


def said_of_itself(reader: Schema, writer: Schema) -> Steps:
    """Emit what two schemas say differently about themselves."""
    new, old = reader.notes, writer.notes
    if new is old:
        return
    for type_, is_, was in (
        (DifferenceType.ID_CHANGED, new.id, old.id),
        (DifferenceType.TITLE_CHANGED, new.title, old.title),
        (DifferenceType.DESCRIPTION_CHANGED, new.description, old.description),
        (DifferenceType.DEFAULT_CHANGED, new.default, old.default),
    ):
        if is_ != was:
            yield Difference((), type_, is_ or "none", was or "none")
    if new.format != old.format:
        yield Difference(
            ("format",), DifferenceType.FORMAT_CHANGED, new.format or "none", old.format or "none"
        )


def _same_kind(reader: Schema, writer: Schema) -> Steps:
    match reader, writer:
        case Text(), Text():
            yield from bounds(reader, writer, TEXT_BOUNDS)
            yield from _pattern(reader, writer)
        case Numeric(), Numeric():
            yield from bounds(reader, writer, NUMBER_BOUNDS)
            yield from _multiples(reader.multiple_of, writer.multiple_of)
            yield from _integers(reader, writer)
        case Values(), Values():
            yield from _values(reader, writer)
        case Not(), Not():
            yield from _negated(reader, writer)
        case Combined(), Combined():
            yield from combined(reader, writer)
        case Object(), Object():
            yield from objects(reader, writer)
        case Array(), Array():
            yield from arrays(reader, writer)


def _pattern(reader: Text, writer: Text) -> Steps:
    """Patterns are compared as texts: whether one allows what the other does is not asked."""
    if reader.pattern == writer.pattern:
        return
    type_ = DifferenceType.PATTERN_CHANGED
    if writer.pattern is None:
        type_ = DifferenceType.PATTERN_ADDED
    elif reader.pattern is None:
        type_ = DifferenceType.PATTERN_REMOVED
    yield Difference(("pattern",), type_, reader.pattern or "none", writer.pattern or "none")


def _multiples(reader: Number | None, writer: Number | None) -> Steps:
    if reader == writer:
        return
    if writer is None:
        type_ = DifferenceType.MULTIPLE_OF_ADDED
    elif reader is None:
        type_ = DifferenceType.MULTIPLE_OF_REMOVED
    elif _is_multiple(reader, writer):
        type_ = DifferenceType.MULTIPLE_OF_EXPANDED
    elif _is_multiple(writer, reader):
        type_ = DifferenceType.MULTIPLE_OF_REDUCED
    else:
        type_ = DifferenceType.MULTIPLE_OF_CHANGED
    yield Difference(("multipleOf",), type_, spelled_number(reader), spelled_number(writer))


def _is_multiple(one: Number, of: Number) -> bool:
    """Tell exactly; both are within the range of a double, so the whole numbers stay small."""
    top, bottom = one.as_integer_ratio(), of.as_integer_ratio()
    divisor = bottom[0] * top[1]
    return divisor != 0 and top[0] * bottom[1] % divisor == 0


def _integers(reader: Numeric, writer: Numeric) -> Steps:
    if reader.is_integer is not writer.is_integer:
        type_ = DifferenceType.TYPE_NARROWED if reader.is_integer else DifferenceType.TYPE_EXTENDED
        yield Difference((), type_, spoken(reader), spoken(writer))


def _values(reader: Values, writer: Values) -> Steps:
    """Compare sets; of two constants it only matters that they differ."""
    new, old = reader.keys, writer.keys
    if len(new) + len(old) > VALUES_PER_STEP:
        yield Effort((len(new) + len(old)) // VALUES_PER_STEP)
    if new == old:
        return
    type_ = DifferenceType.ENUM_ARRAY_CHANGED
    if reader.kind is Kind.ENUM and old < new:
        type_ = DifferenceType.ENUM_ARRAY_EXTENDED
    elif reader.kind is Kind.ENUM and new < old:
        type_ = DifferenceType.ENUM_ARRAY_NARROWED
    more, fewer = (", ".join(sorted(keys)) for keys in (new - old, old - new))
    yield Difference((str(reader.kind),), type_, more, fewer)


def _negated(reader: Not, writer: Not) -> Steps:
    """What must not hold is compared the other way round, and nothing of it is told."""
    reversed_ = aligned(writer.inner, reader.inner)
    if (yield Probe(reversed_)):
        yield Difference(("not",), DifferenceType.NOT_TYPE_NARROWED)
    else:
        yield Difference(("not",), DifferenceType.NOT_TYPE_EXTENDED, closest=(reversed_,))
