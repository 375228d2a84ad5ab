"""Whether the branches of a ``oneOf`` exclude each other, as far as their keywords tell."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from accord.formats.jsonschema.addresses import MOST_REFERENCES, local_steps
from accord.lint.jsonschema.values import TYPES, identity, types_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsontext import Json
    from accord.lint.jsonschema.nodes import SchemaNode

MOST_BRANCHES: Final = 100


def clashes(node: SchemaNode) -> Iterator[tuple[int, int]]:
    """Yield the branches that may accept what one before them accepts, with the first such branch."""
    held = node.members.get("oneOf")
    branches: list[_Branch] = []
    for at, value in enumerate(islice(held if isinstance(held, list) else (), MOST_BRANCHES)):
        branch = _Branch(node.root, value)
        clash = next((other for other, one in enumerate(branches) if not one.excludes(branch)), None)
        if clash is not None:
            yield at, clash
        branches.append(branch)


class _Branch:
    """One branch, behind its local references."""

    def __init__(self, root: Members, value: Json) -> None:
        self.root = root
        self.members = _meant(root, value)

    def excludes(self, other: _Branch) -> bool:
        """Tell whether no value fits both."""
        if self.values is not None and other.values is not None:
            return self.values.isdisjoint(other.values)
        if self.types.isdisjoint(other.types):
            return True
        shared = self.marks.keys() & other.marks.keys()
        return any(self.marks[name].isdisjoint(other.marks[name]) for name in shared)

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of values that fit; of any number, whole ones are a part."""
        if self.members is None:
            return frozenset()
        kind = self.members.get("type")
        named = frozenset(one for one in (kind if isinstance(kind, list) else [kind]) if isinstance(one, str))
        if not named:
            values = _values(self.members)
            found = [types_of(one) for one in values] if values is not None else [frozenset(TYPES)]
            named = frozenset().union(*found)
        return named | {"integer"} if "number" in named else named

    @cached_property
    def values(self) -> frozenset[Hashable] | None:
        """The only values that fit; None where there are more."""
        return None if self.members is None else _identities(self.members)

    @cached_property
    def marks(self) -> Mapping[str, frozenset[Hashable]]:
        """The required properties that take a few values only, with those."""
        members = self.members or {}
        required, properties = members.get("required"), members.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            return {}
        meant = {name: _meant(self.root, properties.get(name)) for name in required if isinstance(name, str)}
        found = {name: _identities(members) for name, members in meant.items() if members is not None}
        return {name: values for name, values in found.items() if values is not None}


def _meant(root: Members, value: Json) -> Members | None:
    """Return what a schema stands for; None for one that accepts nothing, or is in another text."""
    for _ in range(MOST_REFERENCES):
        reference = value.get("$ref") if isinstance(value, dict) else None
        if not isinstance(reference, str):
            break
        value = _target(root, reference)
    if value is True:
        return {}
    return value if isinstance(value, dict) and "$ref" not in value else None


def _target(root: Members, reference: str) -> Json:
    steps = local_steps(reference)
    found: Json = False if steps is None else root
    for token in steps or ():
        found = found.get(token, False) if isinstance(found, dict) else False
    return found


def _values(members: Members) -> list[Json] | None:
    if "const" in members:
        return [members["const"]]
    values = members.get("enum")
    return values if isinstance(values, list) else None


def _identities(members: Members) -> frozenset[Hashable] | None:
    values = _values(members)
    return None if values is None else frozenset(map(identity, values))
