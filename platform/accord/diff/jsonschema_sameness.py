"""Do two JSON Schemas say the same? Compared keyword by keyword, without asking who reads whom.

Words about a schema, such as its title, do not count, nor does the way references are spelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, cast, get_args

from accord.diff.changes import Effort
from accord.formats.jsonschema.model import Notes, Ref, Schema, seen_through

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from accord.diff.changes import Step
    from accord.formats.jsonschema.model import Node

NODES = (*get_args(Schema), Ref)
# How a combination was written, and what stands for it under another reading of it.
SPELLED = frozenset(("keys", "count", "without_format", "is_implied", "is_least_implied", "numbers"))
# Looking at a node costs about as much as this many steps of the driver.
STEPS_PER_NODE = 4
PARTS_PER_STEP = 4


def says_the_same(one: Node | None, other: Node | None) -> Generator[Step, bool, bool]:
    """Tell whether two schemas accept the same for the same reasons; branches keep their order."""
    waiting: list[tuple[object, object]] = [(one, other)]
    met: set[tuple[int, int]] = set()
    while waiting:
        left, right = map(_plain, waiting.pop())
        if not isinstance(left, NODES) or not isinstance(right, NODES):
            if left != right:
                return False
            continue
        if (id(left), id(right)) in met:
            continue
        met.add((id(left), id(right)))
        first, second = list(_parts(left)), list(_parts(right))
        yield Effort(STEPS_PER_NODE + len(first) // PARTS_PER_STEP)
        if type(left) is not type(right) or len(first) != len(second):
            return False
        waiting += zip(first, second, strict=True)
    return True


def _plain(part: object) -> object:
    return seen_through(cast("Node", part)) if isinstance(part, Ref) else part


def _parts(node: object) -> Iterator[object]:
    """Yield what a node says, with the schemas in it, in an order that does not depend on its text."""
    yield getattr(node, "kind", None)
    for field in fields(node):  # type: ignore[arg-type]  # every node is a data class
        if field.name not in SPELLED:
            yield from _flat(getattr(node, field.name))


def _flat(value: object) -> Iterator[object]:
    match value:
        case Notes():
            yield from (value.format, value.default, value.is_decimal)
        case Mapping():
            for key in sorted(value):
                yield key
                yield from _flat(value[key])
        case tuple():
            yield len(value)
            for one in value:
                yield from _flat(one)
        case _:
            yield value
