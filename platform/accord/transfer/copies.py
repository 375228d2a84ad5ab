"""A copy of a registry: texts on disk, and in memory what is needed to find, order and compare them."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, TYPE_CHECKING, Self

from accord.transfer.errors import CopyUnwritable
from accord.transfer.lines import content_of, line_of, of_place, of_version, subject_of, version_of
from accord.transfer.ordering import references_first
from accord.transfer.records import CopiedPlace, CopiedVersion, Key, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from accord.client.transport import Json
    from accord.model import SubjectName


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept in memory of a version; ``content`` is the digest that `content_of` makes."""

    key: Key
    id: int
    guid: str | None
    is_deleted: bool
    content: bytes
    targets: tuple[Key, ...]
    offset: int
    size: int


class Copy:
    """A whole registry, or what was read of it so far. Methods are safe to call from several threads.

    ``lacks`` names what the registry has no way to tell: ``contexts`` or ``modes``; ``left_out`` says in
    sentences what it has that cannot be copied. Closing it takes the texts off the disk.
    """

    def __init__(self, source: str = "", lacks: frozenset[str] = frozenset()) -> None:
        self.source = source
        self.lacks = lacks
        self.entries: dict[Key, Entry] = {}
        self.places: dict[SubjectName, CopiedPlace] = {}
        self.extras: dict[str, Json] = {}
        self.left_out: list[str] = []
        self._lock = Lock()
        with _keeping():
            self._texts: IO[bytes] = TemporaryFile(prefix="accord-copy-")  # noqa: SIM115 - closed by `close`
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Forget the texts."""
        with suppress(OSError):  # what is not written yet is not wanted any more
            self._texts.close()

    def add(self, version: CopiedVersion) -> None:
        """Keep a version; the one that was in its place is forgotten. Raises `Unfit` as `add_place` does."""
        line = line_of(of_version(version))
        content = content_of(version)
        with self._lock, _keeping():
            self._texts.seek(self._end)
            self._texts.write(line)
            self.entries[version.key] = Entry(
                key=version.key,
                id=version.id,
                guid=version.guid,
                is_deleted=version.is_deleted,
                content=content,
                targets=version.targets,
                offset=self._end,
                size=len(line),
            )
            self._end += len(line)

    def add_place(self, place: CopiedPlace) -> None:
        """Keep a context or a subject with its settings; raises `Unfit` for what no export can hold."""
        line_of(of_place(place))
        with self._lock:
            self.places[place.place] = place

    def drop(self, key: Key) -> None:
        """Forget a version."""
        with self._lock:
            self.entries.pop(key, None)

    def line(self, key: Key) -> bytes:
        """The line of a version."""
        entry = self.entries[key]
        with self._lock, _keeping():
            self._texts.seek(entry.offset)
            return self._texts.read(entry.size)

    def version(self, key: Key) -> CopiedVersion:
        """A version, read from the disk."""
        held = json.loads(self.line(key))
        return version_of(held, subject_of(held), is_deleted=held["deleted"])

    def ordered_keys(self) -> list[Key]:
        """The versions, each after all that it refers to."""
        return references_first({key: entry.targets for key, entry in self.entries.items()})

    def ordered_places(self) -> list[CopiedPlace]:
        """The places that have something to tell, in order."""
        return [self.places[place] for place in sorted(self.places, key=in_order)]


@contextmanager
def _keeping() -> Iterator[None]:
    """Use the file of the texts; raises `CopyUnwritable`."""
    try:
        yield
    except OSError as problem:
        folder = os.environ.get("TMPDIR", "the temporary folder")
        raise CopyUnwritable(folder=folder, details=problem.strerror or str(problem)) from problem
