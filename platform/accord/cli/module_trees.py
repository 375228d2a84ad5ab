"""The Protobuf files of a tree, module by module, and what they come to when they are compiled together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from accord.cli.gathering import gather
from accord.cli.proto_files import PROTO, proto_file
from accord.errors import Invalid, error
from accord.formats.positions import Position, pointer_tokens
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.noted import NotedText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from accord.cli.buf_workspace import Root
    from accord.cli.proto_files import ProtoFile
    from accord.cli.proto_modules import Compiled
    from accord.formats.protobuf.model import FileSet


@error
class UnusableTree(Invalid):
    """A tree that no modules can be made of; ``problem`` says what to change."""

    code: ClassVar[str] = "unusable_tree"
    template: ClassVar[str] = "{problem}"
    problem: str


class Site(NamedTuple):
    """A place in a file of the tree; line and column are 0 where none is known."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True)
class TreeModule:
    """One module of a tree: what it is called, and its files by the paths they are imported by.

    ``place`` is the folder that imports begin in, as it was named.
    """

    name: str
    place: str
    root: Root
    files: Mapping[str, ProtoFile]

    @cached_property
    def texts(self) -> dict[str, str]:
        """The texts by import path."""
        return {path: one.text for path, one in self.files.items()}

    def site(self, path: str, line: int = 0, column: int = 0) -> Site:
        """A place in one of the files; the module's folder where it has no such file."""
        found = self.files.get(path)
        return Site(self.place) if found is None else Site(found.candidate.name, line, column)

    def located(self, pointer: str, files: FileSet) -> Site:
        """Where the path of a finding leads; ``files`` are the compiled ones."""
        path = (pointer_tokens(pointer) or [""])[0]
        if path not in self.files:
            return self.site(path)
        place: Position = NotedText(files.by_path[path], self.texts[path], path).locate(pointer)
        return self.site(path, *place)


def tree_modules(roots: Mapping[str, Root], folder: Path) -> list[TreeModule]:
    """Return the modules of these names with their files; ``folder`` is what the tree was named.

    Files that every compiler has built in are left out. Raises `UnusableTree`, and what reading files raises.
    """
    found = [_module(name, root, folder) for name, root in roots.items()]
    homes: dict[str, ProtoFile] = {}
    for one in (file for module in found for file in module.files.values()):
        other = homes.setdefault(one.path, one)
        if other is not one:
            names = f"{other.candidate.name} and {one.candidate.name}"
            raise UnusableTree(problem=f"{names} are both imported as {one.path!r}; move or exclude one")
    return found


def in_order(modules: Sequence[TreeModule], compiled: Compiled) -> list[TreeModule]:
    """Return the modules so that each comes after those it imports. Raises `UnusableTree` for a circle."""
    homes = {path: one.name for one in modules for path in one.files}
    graph: dict[str, set[str]] = {one.name: set() for one in modules}
    for file in compiled.files:
        home = homes.get(file.name)
        if home is not None:
            graph[home] |= {homes[path] for path in file.dependency if path in homes} - {home}
    try:
        ordered = list(TopologicalSorter(graph).static_order())
    except CycleError as circle:
        names = " -> ".join(reversed(circle.args[1]))
        raise UnusableTree(
            problem=f"modules import each other in a circle: {names}; move what they share to one of them"
        ) from None
    known = {one.name: one for one in modules}
    return [known[name] for name in ordered]


def reached(compiled: Compiled, paths: Iterable[str]) -> set[str]:
    """Return the paths of all that files import, directly or not, without themselves."""
    imported = {file.name: list(file.dependency) for file in compiled.files}
    own = set(paths)
    found: set[str] = set()
    waiting = [*own]
    while waiting:
        for path in imported[waiting.pop()]:
            if path not in found:
                found.add(path)
                waiting.append(path)
    return found - own


def _module(name: str, root: Root, folder: Path) -> TreeModule:
    place = str(folder / root.folder.relative_to(folder.resolve()))
    found = gather([place], None).candidates
    files = [proto_file(one, root.folder) for one in found if one.path.suffix == PROTO and root.has(one.path)]
    own = {one.path: one for one in files if not is_built_in(one.path)}
    if not own:
        raise UnusableTree(problem=f"{place}: no .proto file; name the folder that imports begin in")
    return TreeModule(name, place, root, own)
