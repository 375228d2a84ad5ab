"""The walk over two combined schemas. Source: json-compat, section 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.changes import Effort, Probe, Ways
from accord.diff.jsonschema_changes import Difference, DifferenceType
from accord.diff.jsonschema_partners import partners
from accord.diff.jsonschema_parts import aligned
from accord.diff.jsonschema_words import beyond, branch, counted, spoken
from accord.diff.matching import FREE, maximum_matching
from accord.formats.jsonschema.model import Criterion, Object, Values, seen_through

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from accord.diff.changes import Pair, Step, Steps
    from accord.formats.jsonschema.model import Combined, Node

EDGES_PER_STEP = 8
# Branches without a partner whose differences are told.
MOST_TOLD = 3


def combined(reader: Combined, writer: Combined) -> Steps:
    """Emit what differs between two combined schemas; branches are matched one to one."""
    if reader.criterion is not writer.criterion:
        is_wider = _is_wider_criterion(reader, writer)
        type_ = DifferenceType.COMBINED_TYPE_EXTENDED if is_wider else DifferenceType.COMBINED_TYPE_CHANGED
        yield Difference((), type_, spoken(reader), spoken(writer))
        if not is_wider:
            return
    yield from counts(reader, writer)
    edges: list[list[int]] = []
    marks = [_marks(branch) for branch in reader.branches]
    for number, old in enumerate(map(_marks, writer.branches)):
        edges.append([])
        for position, new in enumerate(marks):
            pair = couple(reader, writer, position, number)
            if (yield from _are_marked_alike(new, old, pair)) and (yield Probe(pair)):
                edges[-1].append(position)
    yield Effort(sum(map(len, edges)) // EDGES_PER_STEP)
    options = {key: position for position, key in enumerate(reader.keys)}
    alike = [(position, options[key]) for position, key in enumerate(writer.keys) if key in options]
    likely = [(position, option) for position, option in alike if option in edges[position]]
    matches = maximum_matching(edges, len(reader.branches), likely)
    for position, match in enumerate(matches):
        if match != FREE:
            yield couple(reader, writer, match, position)
    if len(matches) - matches.count(FREE) < min(len(reader.branches), len(writer.branches)):
        yield _unmatched(reader, writer, matches)


def _is_wider_criterion(reader: Combined, writer: Combined) -> bool:
    if reader.criterion is Criterion.ANY_OF or (reader.count == 1 and writer.count == 1):
        return True
    if writer.count == 1 and reader.criterion is Criterion.ONE_OF:
        return True
    return reader.count == 1 and writer.criterion is Criterion.ALL_OF


def counts(reader: Combined, writer: Combined) -> Steps:
    """Emit that two combinations differ in length: more alternatives and fewer constraints are wider."""
    more = len(reader.branches) - len(writer.branches)
    if not more:
        return
    if more > 0:
        is_product = reader.criterion is Criterion.ALL_OF
        type_ = DifferenceType.PRODUCT_TYPE_EXTENDED if is_product else DifferenceType.SUM_TYPE_EXTENDED
    else:
        is_product = writer.criterion is Criterion.ALL_OF
        type_ = DifferenceType.PRODUCT_TYPE_NARROWED if is_product else DifferenceType.SUM_TYPE_NARROWED
    about = beyond(reader, writer) if more > 0 else beyond(writer, reader)
    yield Difference((), type_, counted(reader), counted(writer), about=about)


def couple(reader: Combined, writer: Combined, position: int, number: int) -> Pair:
    """Return a branch of each; Confluent counts those of the writer, without repetitions."""
    return aligned(
        reader.branches[position],
        writer.branches[number],
        str(writer.criterion),
        str(number),
        ways=Ways(reader.way(position), writer.way(number)),
    )


def _marks(branch: Node) -> Mapping[str, Node]:
    """Return the properties of a branch that hold one of few values, by which branches are told apart."""
    node = seen_through(branch)
    if not isinstance(node, Object):
        return {}
    return {name: one for name, one in node.properties.items() if isinstance(seen_through(one), Values)}


def _are_marked_alike(
    new: Mapping[str, Node], old: Mapping[str, Node], pair: Pair
) -> Generator[Step, bool, bool]:
    """Ask first of what tells branches apart: where that does not fit, nothing around it does.

    The walk over objects meets the same pairs, perhaps after hundreds of others.
    """
    for name in old:
        if name in new and not (yield Probe(aligned(new[name], old[name], *pair.at, "properties", name))):
            return False
    return True


def _unmatched(reader: Combined, writer: Combined, matches: list[int]) -> Difference:
    """Name branches that are left over, each with the one that it was likely to become."""
    taken = frozenset(matches)
    free = [place for place in range(len(reader.branches)) if place not in taken]
    left = [place for place, match in enumerate(matches) if match == FREE]
    found = partners([reader.branches[one] for one in free], [writer.branches[one] for one in left])
    likely = [(free[found[place]], left[place]) for place in sorted(found)][:MOST_TOLD]
    position, number = likely[0] if likely else (free[0], left[0])
    alike = [one for one in likely if _are_of_a_kind(reader, writer, *one)]
    return Difference(
        (),
        DifferenceType.COMBINED_TYPE_SUBSCHEMAS_CHANGED,
        branch(reader, position),
        branch(writer, number),
        closest=tuple(couple(reader, writer, *one) for one in alike),
    )


def _are_of_a_kind(reader: Combined, writer: Combined, position: int, number: int) -> bool:
    return seen_through(reader.branches[position]).kind is seen_through(writer.branches[number]).kind
