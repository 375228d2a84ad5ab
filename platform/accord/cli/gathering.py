"""Which files a check is about: those named, and the schema files of folders that are named.

Folders are walked without following links, within a number of files; what lies in hidden folders is left out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from accord.cli.sniffing import SUFFIXES
from accord.errors import Invalid, error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.config import Config, Entry

MOST_VISITED: Final = 100_000
MOST_SCHEMAS: Final = 2_000


@error
class TooManyFiles(Invalid):
    """A folder with more files than a check takes on."""

    code: ClassVar[str] = "too_many_files"
    template: ClassVar[str] = "{path}: more than {limit} {what}; name the folders of schemas more closely"
    path: str
    limit: int
    what: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to be checked: as it was named, its place, and the config's entry for it."""

    name: str
    path: Path
    entry: Entry | None = None


@dataclass(slots=True)
class Gathered:
    """The files of a check: to be judged, and those passed over with the reason."""

    candidates: list[Candidate] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def gather(paths: Sequence[str], config: Config | None) -> Gathered:
    """The files that paths stand for, each once; raises `TooManyFiles`.

    With a config only files count that one of its entries covers.
    """
    gathered = Gathered()
    seen: set[Path] = set()
    for name in paths:
        if Path(name).is_dir():
            _take_folder(gathered, name, config, seen)
        else:
            _take_file(gathered, name, config, seen)
    return gathered


def _take_file(gathered: Gathered, name: str, config: Config | None, seen: set[Path]) -> None:
    path = absolute(name)
    entry = None if config is None else config.entry(path)
    if path in seen:
        return
    seen.add(path)
    if config is not None and entry is None:
        gathered.skipped.append((name, "no entry of the config covers it"))
    else:
        gathered.candidates.append(Candidate(name, path, entry))


def _take_folder(gathered: Gathered, name: str, config: Config | None, seen: set[Path]) -> None:
    for visited, file in enumerate(_files(name)):
        if visited >= MOST_VISITED:
            raise TooManyFiles(path=name, limit=MOST_VISITED, what="files")
        path = absolute(file)
        entry = None if config is None else config.entry(path)
        if path in seen or (entry is None and (config is not None or Path(file).suffix not in SUFFIXES)):
            continue
        seen.add(path)
        if path.is_symlink():
            gathered.skipped.append((file, "a link; only files themselves are checked"))
        elif path.is_file():
            gathered.candidates.append(Candidate(file, path, entry))
        if len(seen) > MOST_SCHEMAS:
            raise TooManyFiles(path=name, limit=MOST_SCHEMAS, what="schema files")


def _files(folder: str) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        yield from (os.path.normpath(Path(root, one)) for one in sorted(files))


def absolute(name: str) -> Path:
    """The place of a file: its folder's real one, so that a link in front of it cannot lead astray."""
    path = Path(os.path.normpath(name))
    return path.parent.resolve() / path.name if path.name else path.resolve()
