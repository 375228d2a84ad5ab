"""What both loaders need while they make the nodes of one schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.formats.jsonschema import members as read
from accord.formats.jsonschema.model import Combined, Conditional, Criterion, Kind, Not, Ref, Values
from accord.formats.jsonschema.values import Shapes, digest, value_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.formats.jsonschema.cursor import Cursor
    from accord.formats.jsonschema.drafts import Draft
    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsonschema.members import Build
    from accord.formats.jsonschema.model import Node, Notes
    from accord.formats.jsontext import Json

CONDITIONS = ("if", "then", "else")


@dataclass(slots=True)
class Workshop:
    """The draft, the shapes of values met so far, and the references that wait for their targets."""

    draft: Draft
    shapes: Shapes = field(default_factory=Shapes)
    waiting: list[tuple[Ref, Cursor]] = field(default_factory=list)

    def ref(self, members: Members, cursor: Cursor, notes: Notes) -> Ref:
        """Make a reference; its target is looked up when everything else is made."""
        made = Ref(read.text(members, "$ref", cursor) or "", notes)
        self.waiting.append((made, cursor.at("$ref")))
        return made

    def enum(self, members: Members, cursor: Cursor) -> Values:
        """Make the node of ``enum``."""
        return Values(Kind.ENUM, frozenset(map(value_key, read.items(members, "enum", cursor))))

    def const(self, members: Members) -> Values:
        """Make the node of ``const``."""
        return Values(Kind.CONST, frozenset([value_key(members["const"])]))

    def negated(self, members: Members, cursor: Cursor) -> Build:
        """Make the node of ``not``."""
        return Not((yield read.spot(members["not"], cursor.at("not"))))

    def combined(self, members: Members, criterion: Criterion, cursor: Cursor) -> Build:
        """Make the node of ``allOf``, ``anyOf`` or ``oneOf``."""
        nodes = yield from read.schema_list(members, criterion, cursor)
        keys = [self._key(item) for item in read.items(members, criterion, cursor)]
        return combination(criterion, zip(keys, nodes, strict=True))

    def conditional(self, members: Members, cursor: Cursor) -> Build:
        """Make the node of ``if``."""
        bodies: dict[str, Node] = {}
        for keyword in CONDITIONS:
            if keyword in members:
                bodies[keyword] = yield read.spot(members[keyword], cursor.at(keyword))
        return Conditional(bodies)

    def _key(self, item: Json) -> bytes:
        """Two branches are one if written alike; in older drafts nothing beside a reference counts."""
        if isinstance(item, dict) and "$ref" in item and not self.draft.is_modern:
            return digest(f"$ref {item['$ref']}".encode())
        return self.shapes.of(item)


def implied(nodes: Iterable[Node]) -> Combined:
    """Return the allOf that keywords of several kinds imply; its members are never repetitions."""
    branches = [(str(place).encode(), node) for place, node in enumerate(nodes)]
    return combination(Criterion.ALL_OF, branches, is_implied=True)


def combination(
    criterion: Criterion, branches: Iterable[tuple[bytes, Node]], *, is_implied: bool = False
) -> Combined:
    """Return a combined node; of branches with equal keys the first one stays."""
    distinct: dict[bytes, tuple[int, Node]] = {}
    count = 0
    for key, node in branches:
        distinct.setdefault(key, (count, node))
        count += 1
    numbers, nodes = zip(*distinct.values(), strict=True) if distinct else ((), ())
    return Combined(criterion, nodes, tuple(distinct), count, is_implied=is_implied, numbers=numbers)
