"""What the parts of the JSON Schema walk share: aligned nodes, bounds, and content models.

A content model is what a schema says about undeclared properties or items. It is *open* where they may
be anything; else a schema may *cover* them, and where none does they are forbidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from accord.diff.changes import Effort, Pair, Probe, Ways
from accord.diff.jsonschema_changes import Difference, DifferenceType
from accord.formats.jsonschema.model import Array, Kind, Object, is_trivial, seen_through
from accord.formats.jsonschema.patterns import is_found, search_price

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from accord.diff.changes import Step, Steps, Tokens
    from accord.formats.jsonschema.model import Node, Number, Schema

Content: TypeAlias = Object | Array
# A search costs about as much as this many steps of the driver.
STEPS_PER_SEARCH = 5


def aligned(reader: Node, writer: Node, *at: str, ways: Ways | None = None) -> Pair:
    """Return a pair of the schemas that two nodes stand for; ``ways`` as in `accord.diff.changes.Pair`."""
    return Pair(seen_through(reader), seen_through(writer), at, ways)


def bounds(reader: Schema, writer: Schema, names: Iterable[tuple[str, str]]) -> Iterator[Difference]:
    """Compare bounds one by one: keyword and field of the node."""
    for keyword, name in names:
        new, old = getattr(reader, name), getattr(writer, name)
        if new != old:
            yield _bound(keyword, new, old)


def _bound(keyword: str, new: Number | None, old: Number | None) -> Difference:
    if old is None:
        change = "ADDED"
    elif new is None:
        change = "REMOVED"
    else:
        change = "INCREASED" if new > old else "DECREASED"
    return Difference((keyword,), BOUNDS[keyword, change], spelled_number(new), spelled_number(old))


def spelled_number(value: Number | None) -> str:
    """Return a number for people."""
    return "none" if value is None else str(value)


def _capitals(keyword: str) -> str:
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in keyword)


BOUND_KEYWORDS = (
    "maxLength",
    "minLength",
    "maximum",
    "minimum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxProperties",
    "minProperties",
    "maxItems",
    "minItems",
    "maxContains",
    "minContains",
)
BOUNDS = {
    (keyword, change): DifferenceType(f"{_capitals(keyword)}_{change}")
    for keyword in BOUND_KEYWORDS
    for change in ("ADDED", "REMOVED", "INCREASED", "DECREASED")
}


@dataclass(frozen=True, slots=True)
class Slot:
    """The four differences of a keyword for the undeclared rest, and its place."""

    keyword: str
    added: DifferenceType
    removed: DifferenceType
    extended: DifferenceType
    narrowed: DifferenceType


def slot(keyword: str) -> Slot:
    """Return the slot of a keyword."""
    changes = ("ADDED", "REMOVED", "EXTENDED", "NARROWED")
    return Slot(keyword, *(DifferenceType(f"{_capitals(keyword)}_{change}") for change in changes))


def is_open(node: Content) -> bool:
    """Tell whether undeclared properties or items may be anything.

    A schema for them, even an empty one, and any pattern make an object partly open at most.
    """
    if not node.permits or node.extra is not None or (isinstance(node, Object) and node.patterns):
        return False
    return node.unevaluated is None or is_trivial(node.unevaluated)


class Cover(NamedTuple):
    """The schema that something undeclared must hold, and the steps to it."""

    schema: Node
    way: Tokens


def covering(node: Content, name: str) -> Generator[Step, bool, Cover | None]:
    """Return the schema that an undeclared property or item must hold, if there is one."""
    for pattern, schema in node.patterns if isinstance(node, Object) else ():
        yield Effort(STEPS_PER_SEARCH + search_price(pattern, name))
        found = is_found(pattern, name)
        if found is None:
            yield Difference(("patternProperties", pattern), DifferenceType.PATTERN_UNREADABLE)
        if found:
            return Cover(schema, ("patternProperties", pattern))
    what = "Properties" if isinstance(node, Object) else "Items"
    if node.extra is not None:
        return Cover(node.extra, (f"additional{what}",))
    rest = node.unevaluated if node.permits else None
    is_told = rest is not None and rest.kind is not Kind.FALSE and not is_trivial(rest)
    return Cover(rest, (f"unevaluated{what}",)) if rest is not None and is_told else None


@dataclass(frozen=True, slots=True)
class Undeclared:
    """The differences of a property or item that one side does not declare; ``what`` begins their names.

    ``holder`` is the keyword that declares it, where Confluent's paths have another word.
    """

    what: str
    holder: str

    def told(self, at: Tokens, name: str) -> Difference:
        """Return one of them."""
        way = self.way(at)
        return Difference(at, DifferenceType(f"{self.what}_{name}_CONTENT_MODEL"), written=Ways(way, way))

    def way(self, at: Tokens) -> Tokens:
        """Return the steps to it in a text."""
        return (self.holder, at[-1])

    def removed(self, reader: Content, old: Node, at: Tokens) -> Steps:
        """The reader's content model decides what becomes of what it does not declare."""
        if is_open(reader):
            yield self.told(at, "REMOVED_FROM_OPEN")
            return
        cover = yield from covering(reader, at[-1])
        if cover is not None:
            fits = yield from covered(aligned(cover.schema, old, *at, ways=Ways(cover.way, self.way(at))))
            how = "IS_COVERED" if fits else "NOT_COVERED"
            yield self.told(at, f"REMOVED_{how}_BY_PARTIALLY_OPEN")
        elif old.kind is Kind.FALSE:
            yield self.told(at, "WITH_FALSE_REMOVED_FROM_CLOSED")
        else:
            yield self.told(at, "REMOVED_FROM_CLOSED")

    def added(self, new: Node, writer: Content, at: Tokens) -> Generator[Step, bool, bool]:
        """Compare with what an unopen writer allowed there; tell whether it allowed anything."""
        cover = yield from covering(writer, at[-1])
        if cover is None:
            return False
        fits = yield from covered(aligned(new, cover.schema, *at, ways=Ways(self.way(at), cover.way)))
        yield self.told(at, f"ADDED_{'IS' if fits else 'NOT'}_COVERED_BY_PARTIALLY_OPEN")
        return True


def covered(pair: Pair) -> Generator[Step, bool, bool]:
    """Emit what differs between a declared schema and the one that covers its name; tell if it fits."""
    fits = yield Probe(pair)
    yield pair
    return fits


def rest(reader: Content, writer: Content, slot: Slot) -> Steps:
    """Compare what two schemas say about the undeclared rest."""
    at = (slot.keyword,)
    new, old = reader.extra, writer.extra
    if reader.permits is not writer.permits:
        yield Difference(at, slot.added if reader.permits else slot.removed)
    elif new is not None and old is not None:
        yield aligned(new, old, slot.keyword)
    elif old is not None:
        yield Difference(at, slot.extended)
    elif new is not None:
        yield Difference(at, slot.narrowed)


def unevaluated(reader: Content, writer: Content, slot: Slot) -> Steps:
    """Compare what two schemas say about what nothing else has evaluated."""
    at = (slot.keyword,)
    new, old = reader.unevaluated, writer.unevaluated
    if new is None and old is None:
        return
    forbids, forbade = _is_false(new), _is_false(old)
    if new is not None and old is not None and forbids is forbade and is_trivial(new) is is_trivial(old):
        yield aligned(new, old, slot.keyword)
    elif forbids:
        yield Difference(at, slot.removed)
    elif forbade:
        yield Difference(at, slot.added)
    elif old is None or (new is not None and is_trivial(old)):
        yield Difference(at, slot.narrowed)
    else:
        yield Difference(at, slot.extended)


def _is_false(node: Node | None) -> bool:
    return node is not None and node.kind is Kind.FALSE
