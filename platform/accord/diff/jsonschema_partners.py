"""Which branches of two combined schemas were likely meant for each other, for explanations only.

Whether one branch reads another is the comparison's business. Here people are told which branch became
which: the one with the same constant or values in a property, with the same ``$ref`` or the same title, else
the one of its kind whose properties differ least.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING

from accord.formats.jsonschema.model import Combined, Object, Ref, Values, seen_through

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import TypeAlias

    from accord.formats.jsonschema.model import Node, Schema

    # Places in the two lists.
    Couple: TypeAlias = tuple[int, int]

# Of properties whose values or kinds are looked at, and of branches that are held against each other.
MOST_PROPERTIES = 32
MOST_BRANCHES = 8


def partners(readers: Sequence[Node], writers: Sequence[Node]) -> dict[int, int]:
    """Return for the place of each writer that of the reader it likely became; no reader is given twice."""
    found: dict[int, int] = {}
    for marks in (_values, _references, _titles):
        _pair(found, [list(marks(one)) for one in readers], [list(marks(one)) for one in writers])
    taken = set(found.values())
    free = [place for place in range(len(readers)) if place not in taken][:MOST_BRANCHES]
    left = [place for place in range(len(writers)) if place not in found][:MOST_BRANCHES]
    distances = [
        (_distance(new, old), writer, reader)
        for writer, old in ((place, seen_through(writers[place])) for place in left)
        for reader, new in ((place, seen_through(readers[place])) for place in free)
        if new.kind is old.kind
    ]
    for _, writer, reader in sorted(distances):
        if writer not in found and reader not in found.values():
            found[writer] = reader
    return found


def _pair(
    found: dict[int, int], readers: Sequence[list[Hashable]], writers: Sequence[list[Hashable]]
) -> None:
    """Add the couples that share a mark which nobody else on their side has."""
    owners = _owners(readers)
    theirs = _owners(writers)
    taken = set(found.values())
    for mark, writer in theirs.items():
        reader = owners.get(mark)
        if reader is not None and writer not in found and reader not in taken:
            found[writer] = reader
            taken.add(reader)


def _owners(marked: Sequence[list[Hashable]]) -> dict[Hashable, int]:
    """Return who has each mark that only one has."""
    counts = Counter(chain.from_iterable(marked))
    return {mark: place for place, marks in enumerate(marked) for mark in marks if counts[mark] == 1}


def _values(node: Node) -> Iterator[Hashable]:
    schema = seen_through(node)
    if isinstance(schema, Values):
        yield from schema.keys
    found = _object(schema)
    for name, inner in islice(found.properties.items(), MOST_PROPERTIES) if found is not None else ():
        for one in _parts(seen_through(inner)):
            if isinstance(one, Values):
                yield name, one.keys


def _references(node: Node) -> Iterator[Hashable]:
    if isinstance(node, Ref):
        yield node.text


def _titles(node: Node) -> Iterator[Hashable]:
    title = seen_through(node).notes.title
    if title:
        yield title


def _parts(schema: Schema) -> Iterator[Schema]:
    """Yield a schema, or what keywords of several kinds imply beside each other."""
    if isinstance(schema, Combined) and schema.is_implied:
        yield from map(seen_through, schema.branches)
    else:
        yield schema


def _object(schema: Schema) -> Object | None:
    return next((one for one in _parts(schema) if isinstance(one, Object)), None)


def _distance(reader: Schema, writer: Schema) -> int:
    """Return how many properties differ at first sight."""
    return len(_outline(reader) ^ _outline(writer))


def _outline(schema: Schema) -> set[Hashable]:
    """Return the names of properties, and the kind of each: a name that differs counts twice."""
    found = _object(schema)
    named = islice(found.properties.items(), MOST_PROPERTIES) if found is not None else ()
    kinds = {name: seen_through(inner).kind for name, inner in named}
    return {*kinds, *kinds.items()}
