"""Reading an export back: every line is checked, and the whole of it against its checksum."""

from __future__ import annotations

import hashlib
import json
from typing import IO, TYPE_CHECKING

from accord.transfer.copies import Copy
from accord.transfer.errors import UnreadableExport
from accord.transfer.lines import (
    FORMAT,
    FORMAT_VERSION,
    LONGEST_LINE,
    Unfit,
    number,
    ordered,
    place_of,
    subject_of,
    text,
    version_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.client.transport import Json
    from accord.transfer.records import CopiedPlace


def read(stream: IO[bytes]) -> Copy:
    """The copy that an export holds; the caller closes it. Raises `UnreadableExport`."""
    copy = Copy()
    try:
        _Reader(copy).read(stream)
    except BaseException:
        copy.close()
        raise
    return copy


class _Reader:
    """One export being read; ``at`` is the number of the line."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.at = 0

    def read(self, stream: IO[bytes]) -> None:
        lines = self._lines(stream)
        try:
            self._header(self._object(next(lines, b"")))
            self._rest(lines)
        except Unfit as problem:
            raise UnreadableExport(self.at, str(problem)) from problem

    def _lines(self, stream: IO[bytes]) -> Iterator[bytes]:
        while line := stream.readline(LONGEST_LINE + 1):
            self.at += 1
            if len(line) > LONGEST_LINE:
                raise Unfit(f"longer than {LONGEST_LINE} bytes")
            yield line

    def _header(self, line: dict[str, Json]) -> None:
        if line.get("kind") != FORMAT:
            raise Unfit(f"an export begins with a line of the kind {FORMAT!r}")
        if number(line, "formatVersion") > FORMAT_VERSION:
            raise Unfit("written by a newer version of Accord; take that to read it")
        lacks = line.get("lacks")
        self.copy.source = text(line, "source")
        self.copy.lacks = frozenset(map(str, lacks)) if isinstance(lacks, list) else frozenset()

    def _rest(self, lines: Iterator[bytes]) -> None:
        hasher = hashlib.sha256()
        for count, line in enumerate(lines):
            held = self._object(line)
            if held.get("kind") == "end":
                self._footer(held, count, hasher.hexdigest())
                if next(lines, None) is not None:
                    raise Unfit("something follows the last line, of the kind 'end'")
                return
            self._take(held)
            hasher.update(line)
        self.at += 1
        raise Unfit("the last line, of the kind 'end', is missing; the file was cut short: export again")

    def _footer(self, line: dict[str, Json], count: int, sha256: str) -> None:
        told = number(line, "lines", 0), text(line, "sha256")
        if told != (count, sha256):
            raise Unfit("what is above does not go with this checksum; the file was changed: export again")

    def _take(self, held: dict[str, Json]) -> None:
        match held.get("kind"):
            case "version":
                self._take_version(held)
            case "context" | "subject":
                self._take_place(place_of(held))
            case "extra":
                self.copy.extras[text(held, "name")] = ordered(held.get("body"))
            case other:
                raise Unfit(f"there is no line of the kind {str(other)[:60]!a}")

    def _take_version(self, held: dict[str, Json]) -> None:
        is_deleted = held.get("deleted")
        if not isinstance(is_deleted, bool):
            raise Unfit("'deleted' must be true or false")
        version = version_of(held, subject_of(held), is_deleted=is_deleted)
        if not version.key.subject.name:
            raise Unfit("a version needs a 'subject'")
        if version.key in self.copy.entries:
            raise Unfit(f"{version.key} is there twice")
        self.copy.add(version)

    def _take_place(self, place: CopiedPlace) -> None:
        if place.place in self.copy.places:
            raise Unfit(f"{place} is there twice")
        self.copy.add_place(place)

    def _object(self, line: bytes) -> dict[str, Json]:
        try:
            held = json.loads(line)
        except (ValueError, RecursionError) as problem:
            self.at = max(self.at, 1)
            raise Unfit("not a line of JSON") from problem
        if not isinstance(held, dict):
            raise Unfit("not a JSON object")
        return held
