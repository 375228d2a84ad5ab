"""Several writer schemas into one reader schema that reads them all.

Every field of every version becomes a column: one that some version lacks is nullable. Numbers widen
(int to long, either to double beside a float), enums and unions gather what they may hold, types of the
same full name become one. Two logical types for one place are refused, because Avro would read the bytes of
one as the other without a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.avro.logical import logical_type
from accord.formats.avro.model import (
    Array,
    Enum,
    Field,
    Fixed,
    Kind,
    Map,
    Primitive,
    Record,
    Union,
    branch_name,
)
from accord.formats.avro.parse import defined_types
from accord.pipeline.errors import UnmergeableSchemas

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.formats.avro.model import Named, Node

_WHOLE: Final = frozenset({Kind.INT, Kind.LONG})
_NUMBERS: Final = _WHOLE | {Kind.FLOAT, Kind.DOUBLE}


def merge(writers: Sequence[Node]) -> Node:
    """The reader schema for all writer schemas, oldest first: columns keep the order they appeared in.

    Raises `UnmergeableSchemas` where one place has two logical types, one name two kinds of type, or one
    fixed two sizes.
    """
    return _Merger(writers).node(writers, "the top")


def branches_of(root: Node) -> tuple[Node, ...]:
    """The types that a value of the schema may have."""
    return root.branches if isinstance(root, Union) else (root,)


def type_names(root: Node) -> frozenset[str]:
    """Names for those types: what merging keeps apart. Numbers are one type."""
    return frozenset(map(_group, branches_of(root)))


class _Merger:
    """Merges all definitions of a full name once, wherever it is used."""

    def __init__(self, roots: Iterable[Node]) -> None:
        self._merged: dict[str, Named] = {}
        self._definitions: dict[str, list[Named]] = {}
        for root in roots:
            for name, node in defined_types(root).items():
                self._definitions.setdefault(name, []).append(node)

    def node(self, nodes: Sequence[Node], place: str) -> Node:
        groups: dict[str, list[Node]] = {}
        for node in nodes:
            for branch in branches_of(node):
                groups.setdefault(_group(branch), []).append(branch)
        branches = tuple(self._branch(group, place) for group in groups.values())
        return branches[0] if len(branches) == 1 else Union(branches)

    def _branch(self, nodes: Sequence[Node], place: str) -> Node:
        match nodes[0]:
            case Array():
                items = [one.items for one in nodes if isinstance(one, Array)]
                return Array(self.node(items, f"{place}[]"), {})
            case Map():
                values = [one.values for one in nodes if isinstance(one, Map)]
                return Map(self.node(values, f"{place}{{}}"), {})
            case Record() | Enum() | Fixed() as named:
                return self._named(named.name.full)
            case _:
                return _primitive([one for one in nodes if isinstance(one, Primitive)], place)

    def _named(self, name: str) -> Named:
        if name not in self._merged:
            definitions = self._definitions[name]
            if len({one.kind for one in definitions}) > 1:
                raise UnmergeableSchemas(place=name, details="it is a record, enum or fixed by turns")
            match definitions[-1]:
                case Record() as latest:
                    self._record(latest, [one for one in definitions if isinstance(one, Record)])
                case Enum() as latest:
                    self._merged[name] = _enum(latest, [one for one in definitions if isinstance(one, Enum)])
                case latest:
                    self._merged[name] = _fixed(
                        latest, [one for one in definitions if isinstance(one, Fixed)]
                    )
        return self._merged[name]

    def _record(self, latest: Record, definitions: Sequence[Record]) -> None:
        merged = Record(latest.name, latest.doc, (), {})
        self._merged[latest.name.full] = merged  # before its fields, which may be of this very type
        uses: dict[str, list[Field]] = {}
        for definition in definitions:
            for field in definition.fields:
                uses.setdefault(field.name, []).append(field)
        merged.complete(tuple(self._field(merged, fields, len(definitions)) for fields in uses.values()))

    def _field(self, record: Record, uses: Sequence[Field], versions: int) -> Field:
        latest = uses[-1]
        node = self.node([use.type for use in uses], f"{record.name.full}.{latest.name}")
        if len(uses) == versions:
            return Field(latest.name, node, latest.doc)
        return Field(latest.name, _nullable(node), latest.doc, has_default=True, default=None)


def _group(branch: Node) -> str:
    """What is merged with what: numbers with numbers, else types of one name."""
    return "number" if branch.kind in _NUMBERS else branch_name(branch)


def _primitive(nodes: Sequence[Primitive], place: str) -> Primitive:
    meanings = {meaning: node for node in nodes if (meaning := logical_type(node)) is not None}
    kinds = {node.kind for node in nodes}
    if len(meanings) > 1 or (meanings and len(kinds) > 1):
        found = sorted({str(logical_type(node) or node.kind) for node in nodes})
        raise UnmergeableSchemas(place=place, details=f"it is {' and '.join(found)}")
    if len(kinds) == 1:
        return next(iter(meanings.values()), nodes[-1])
    return Primitive(Kind.LONG if kinds <= _WHOLE else Kind.DOUBLE, {})


def _enum(latest: Enum, definitions: Sequence[Enum]) -> Enum:
    symbols = dict.fromkeys(symbol for definition in definitions for symbol in definition.symbols)
    return Enum(latest.name, latest.doc, (), {}, tuple(symbols))


def _fixed(latest: Fixed, definitions: Sequence[Fixed]) -> Fixed:
    meanings = {meaning for one in definitions if (meaning := logical_type(one)) is not None}
    if len(meanings) > 1 or len({one.size for one in definitions}) > 1:
        raise UnmergeableSchemas(place=latest.name.full, details="its size or meaning changes")
    return next((one for one in definitions if logical_type(one) is not None), latest)


def _nullable(node: Node) -> Union:
    others = tuple(branch for branch in branches_of(node) if branch.kind is not Kind.NULL)
    return Union((Primitive(Kind.NULL, {}), *others))
