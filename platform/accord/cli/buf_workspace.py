"""The modules of a tree of Protobuf files: the folder itself, or those that Buf's files in it name.

Read are ``buf.yaml`` of the versions v1 and v2 and ``buf.work.yaml``, for what they say about which files
belong together, what they are called and what they need; `accord.policy.buf_config` reads what they say about
rules. Source: Buf's references of these files, its release 1.75.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from accord.cli.files import read_text
from accord.errors import Invalid, error
from accord.policy.documents.problems import Place, Problems, nearest, shown
from accord.policy.documents.source import LARGEST_TEXT, Listed, Mapped, Scalar, read_source

if TYPE_CHECKING:
    from pathlib import Path

    from accord.policy.documents.source import Value

CONFIG: Final = "buf.yaml"
WORKSPACE: Final = "buf.work.yaml"
VERSIONS: Final = ("v1", "v2")
MIGRATE: Final = "the version is v1 or v2; bring the file there with buf config migrate"
HERE: Final = "."


@error
class UnusableWorkspace(Invalid):
    """A file about modules with something wrong in it; ``problems`` has a line for each."""

    code: ClassVar[str] = "unusable_workspace"
    template: ClassVar[str] = "{problems}"
    problems: str


@dataclass(frozen=True, slots=True)
class Need:
    """A module that others need: as it was written, and where, such as ``buf.yaml:5:5``."""

    text: str
    site: str

    @property
    def module(self) -> str:
        """What it is called in a registry."""
        return module_called(self.text)


@dataclass(frozen=True, slots=True)
class Root:
    """The folder that imports of a module begin in, and what is said about it.

    ``config`` is the file that does, and calls the module ``path``; without one, ``config`` is None.
    ``includes`` and ``excludes`` are folders inside; no includes stand for all.
    """

    folder: Path
    name: str = ""
    config: Path | None = None
    path: str = ""
    includes: tuple[Path, ...] = ()
    excludes: tuple[Path, ...] = ()

    def has(self, file: Path) -> bool:
        """Tell whether a file below the folder belongs to the module."""
        if any(file.is_relative_to(one) for one in self.excludes):
            return False
        return not self.includes or any(file.is_relative_to(one) for one in self.includes)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The modules of a tree, and what they need of others."""

    roots: tuple[Root, ...]
    needs: tuple[Need, ...] = ()


def module_called(text: str) -> str:
    """Return what a registry calls a module of Buf's: ``buf.build/acme/pets:main`` is ``acme.pets``."""
    return ".".join(text.partition(":")[0].split("/")[-2:])


def read_workspace(folder: Path) -> Workspace:
    """Return the modules of a tree; a folder without files about them is one module without a name.

    Raises `UnusableWorkspace` with all that is wrong, and `accord.cli.files.UnreadableFile`.
    """
    top = folder.resolve()
    if (top / WORKSPACE).is_file():
        named = _Reader(folder / WORKSPACE, top).directories()
        parts = [_Reader(folder / path / CONFIG, top / path).workspace() for path in named]
        roots = tuple(root for part in parts for root in part.roots)
        return Workspace(roots, tuple(need for part in parts for need in part.needs))
    return _Reader(folder / CONFIG, top).workspace()


class _Reader:
    """One file, ``shown`` as it is named in messages; ``folder`` is where paths in it begin."""

    def __init__(self, shown_: Path, folder: Path) -> None:
        self.file = shown_
        self.folder = folder
        self.problems = Problems()

    def directories(self) -> list[str]:
        """Return the folders that a ``buf.work.yaml`` names."""
        top = self._top()
        found = [] if top is None else self._folders(top, "directories")
        if not found and top is not None and not self.problems.found:
            self.problems.add(top.place, "write the folders of the modules under directories")
        self._refuse()
        return [one.relative_to(self.folder).as_posix() for one in found]

    def workspace(self) -> Workspace:
        """Return what a ``buf.yaml`` says; without one, the folder is a module."""
        if not self.file.is_file():
            return Workspace((Root(self.folder),))
        top = self._top()
        made = None if top is None else self._workspace(top)
        self._refuse()
        return made or Workspace(())

    def _refuse(self) -> None:
        if self.problems.found:
            lines = (f"{self.file}:{one.line}:{one.column}: {one.message}" for one in self.problems.sorted())
            raise UnusableWorkspace(problems="\n".join(lines))

    def _top(self) -> Mapped | None:
        text = read_text(str(self.file), LARGEST_TEXT)
        value = read_source(text, is_json=False, problems=self.problems)
        if value is not None and not isinstance(value, Mapped):
            self.problems.add(value.place, "members belong here, such as version")
        return value if isinstance(value, Mapped) else None

    def _workspace(self, top: Mapped) -> Workspace:
        version = self._word(top, "version")
        if version not in VERSIONS:
            self.problems.add(top.members.get("version", top).place, MIGRATE)
        held = top.members.get("modules")
        needs = tuple(
            Need(one.text, f"{self.file}:{one.place.line}:{one.place.column}")
            for one in self._words(top, "deps")
        )
        if version == "v2" and held is not None:
            return Workspace(tuple(map(self._module, self._objects(held))), needs)
        excludes: tuple[Path, ...] = ()
        build = top.members.get("build")
        if version == "v1" and isinstance(build, Mapped):
            excludes = tuple(self._folders(build, "excludes"))
        return Workspace((Root(self.folder, self._word(top, "name"), self.file, excludes=excludes),), needs)

    def _module(self, held: Mapped) -> Root:
        path = posixpath.normpath(self._word(held, "path") or HERE)
        folder = self._folder(held.members.get("path", held).place, path)
        return Root(
            folder,
            self._word(held, "name"),
            self.file,
            path,
            tuple(self._folders(held, "includes")),
            tuple(self._folders(held, "excludes")),
        )

    def _objects(self, value: Value) -> list[Mapped]:
        items = value.items if isinstance(value, Listed) else []
        found = [one for one in items if isinstance(one, Mapped)]
        if not found or len(found) < len(items):
            self.problems.add(value.place, "write a list of modules, each with its path")
        return found

    def _folders(self, held: Mapped, member: str) -> list[Path]:
        return [self._folder(one.place, posixpath.normpath(one.text)) for one in self._words(held, member)]

    def _folder(self, place: Place, path: str) -> Path:
        if path.startswith(("/", "..")) or not (self.folder / path).resolve().is_relative_to(self.folder):
            self.problems.add(place, f"{shown(path)} leads out of the folder of this file; name one inside")
        elif not (self.folder / path).is_dir():
            self.problems.add(place, f"there is no folder {shown(path)} here; {nearest(path, self._here())}")
        return (self.folder / path).resolve()

    def _here(self) -> list[str]:
        return [one.name for one in self.folder.iterdir() if one.is_dir() and not one.name.startswith(".")]

    def _word(self, held: Mapped, member: str) -> str:
        value = held.members.get(member)
        if value is None or isinstance(value, Scalar):
            return "" if value is None else value.text
        self.problems.add(value.place, f"write one word for {member}")
        return ""

    def _words(self, held: Mapped, member: str) -> list[Scalar]:
        value = held.members.get(member)
        items = value.items if isinstance(value, Listed) else []
        found = [one for one in items if isinstance(one, Scalar)]
        if value is not None and (not isinstance(value, Listed) or len(found) < len(items)):
            self.problems.add(value.place, f"write a list of words for {member}")
        return found
