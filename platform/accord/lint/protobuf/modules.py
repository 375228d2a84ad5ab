"""The files that are linted together, and what rules about packages and imports ask of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from accord.lint.protobuf.cycles import components

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.formats.protobuf.model import File, FileSet, Method


@dataclass(frozen=True)
class Module:
    """Own files with all they import.

    ``unused`` are imports that protoc found no use for, by importing and imported path. Without
    ``has_paths`` the paths of files are made up, and no rule looks at them.
    """

    files: FileSet
    unused: frozenset[tuple[str, str]] = frozenset()
    has_paths: bool = True

    @property
    def own(self) -> Sequence[File]:
        """The files that are judged, as the set has them."""
        return self.files.own

    @cached_property
    def by_package(self) -> Mapping[str, list[File]]:
        """The own files of each package; those without one are together too."""
        return _grouped((file.package, file) for file in self.own)

    @cached_property
    def by_folder(self) -> Mapping[str, list[File]]:
        """The own files of each folder."""
        return _grouped((folder_of(file), file) for file in self.own)

    @cached_property
    def imported(self) -> Mapping[str, Mapping[str, None]]:
        """The packages that the files of each package import from, in the order of the texts."""
        graph: dict[str, dict[str, None]] = defaultdict(dict)
        for file in self.files.files:
            for path in file.proto.dependency:
                package = self.package_of(path)
                if file.package and package and package != file.package:
                    graph[file.package][package] = None
        return graph

    @cached_property
    def circles(self) -> Mapping[str, int]:
        """A number for each package, the same for those that reach each other."""
        return components(self.imported)

    def package_of(self, path: str) -> str:
        """Return the package of a file; empty for one that the set does not have."""
        file = self.files.by_path.get(path)
        return "" if file is None else file.package

    @cached_property
    def users(self) -> Mapping[str, tuple[Method, ...]]:
        """The methods of own files that use each type, once each."""
        found: dict[str, dict[int, Method]] = defaultdict(dict)
        for method in self.methods:
            for name in (method.proto.input_type, method.proto.output_type):
                found[name.removeprefix(".")][id(method)] = method
        return {name: tuple(methods.values()) for name, methods in found.items()}

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """Every method of own files."""
        services = (service for file in self.own for service in file.services)
        return tuple(method for service in services for method in service.methods.values())


class Import(NamedTuple):
    """One import of an own file."""

    file: File
    position: int
    path: str
    module: Module


@dataclass(frozen=True)
class Folder:
    """The own files of one folder."""

    files: Sequence[File]


@dataclass(frozen=True)
class Package:
    """The own files of one package."""

    files: Sequence[File]
    has_paths: bool = True


def folder_of(file: File) -> str:
    """Return the folder of a file, ``.`` for the root."""
    return file.path.rpartition("/")[0] or "."


def _grouped(pairs: Iterable[tuple[str, File]]) -> dict[str, list[File]]:
    found: dict[str, list[File]] = {}
    for key, file in pairs:
        found.setdefault(key, []).append(file)
    return found
