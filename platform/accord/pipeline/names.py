"""Which type names of several schemas mean one type: Avro's own matching rule.

A name that changed its namespace, or that an alias leads from, is still the same type: simple names match,
or an alias of the reader does. Names say nothing about the bytes, so the schemas are simply written with one
name for each type before anything is compared, merged or read. Types that one schema keeps apart stay apart.

Source: the Avro specification, "Schema Resolution" and "Aliases".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.formats.avro.model import Array, Map, Primitive, Record, Union
from accord.formats.avro.parse import defined_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from accord.formats.avro.model import Named, Node
    from accord.formats.avro.names import Name


def one_name_each(roots: Sequence[Node], reader: Node | None = None) -> list[Node]:
    """The schemas, each type under the one name it has in the last of them, or in the reader.

    Without a reader every schema may be the reader of another, so the aliases of all of them count.
    """
    every = [*roots] if reader is None else [*roots, reader]
    kinds = _Kinds(every)
    for one in every if reader is None else [reader]:
        kinds.join(kinds.aliases(one))
    kinds.join(kinds.namesakes())
    chosen = kinds.chosen()
    return [_Copy(chosen).node(root) for root in roots] if chosen else list(roots)


class _Kinds:
    """Classes of full names; a class grows only while no schema defines two of its names."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self._scenes: list[dict[str, Named]] = [defined_types(root) for root in roots]
        self._scene_of = dict(zip(map(id, roots), self._scenes, strict=True))
        self._types = {name: node for scene in self._scenes for name, node in scene.items()}
        self._classes = {name: {name} for name in self._types}

    def aliases(self, root: Node) -> Iterator[tuple[str, str]]:
        """Each type of a schema and what its aliases call it."""
        for name, node in self._scene_of[id(root)].items():
            for alias in sorted(node.alias_names & self._types.keys()):
                yield alias, name

    def namesakes(self) -> Iterator[tuple[str, str]]:
        """Names that differ in the namespace alone."""
        last: dict[str, str] = {}
        for name, node in self._types.items():
            if node.name.simple in last:
                yield last[node.name.simple], name
            last[node.name.simple] = name

    def join(self, couples: Iterable[tuple[str, str]]) -> None:
        """Make one class of the classes of two names, unless a schema or their kinds keep them apart."""
        for one, other in couples:
            first, second = self._classes[one], self._classes[other]
            is_apart = self._types[one].kind is not self._types[other].kind or any(
                not scene.keys().isdisjoint(first) and not scene.keys().isdisjoint(second)
                for scene in self._scenes
            )
            if first is not second and not is_apart:
                first |= second
                for name in second:
                    self._classes[name] = first

    def chosen(self) -> Mapping[str, Name]:
        """For each name that gives way to another, that other: the last in order of the schemas."""
        order = {name: place for place, scene in enumerate(self._scenes) for name in scene}
        chosen: dict[str, Name] = {}
        for name, names in self._classes.items():
            latest = max(names, key=lambda one: (order[one], one))
            if latest != name:
                chosen[name] = self._types[latest].name
        return chosen


class _Copy:
    """Copies a schema with some types renamed; aliases are done with and left out."""

    def __init__(self, names: Mapping[str, Name]) -> None:
        self._names = names
        self._copied: dict[str, Named] = {}

    def node(self, node: Node) -> Node:
        """The copy of a node; a named type is copied once."""
        match node:
            case Primitive():
                return node
            case Array():
                return replace(node, items=self.node(node.items))
            case Map():
                return replace(node, values=self.node(node.values))
            case Union():
                return Union(tuple(self.node(branch) for branch in node.branches))
            case _:
                return self._copied.get(node.name.full) or self._named(node)

    def _named(self, node: Named) -> Named:
        name = self._names.get(node.name.full, node.name)
        if not isinstance(node, Record):
            self._copied[node.name.full] = replace(node, name=name, aliases=())
            return self._copied[node.name.full]
        copy = Record(name, node.doc, (), node.props, is_error=node.is_error)
        self._copied[node.name.full] = copy  # before its fields, which may be of this very type
        copy.complete(tuple(replace(field, type=self.node(field.type)) for field in node.fields))
        return copy
