"""Writing a copy as an export, and the checksum of what is in it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from accord.transfer.lines import extra, footer, header, line_of, of_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.transfer.copies import Copy


@dataclass(frozen=True, slots=True)
class Summary:
    """How much was written, and the SHA-256 of it in hexadecimal digits."""

    contexts: int
    subjects: int
    versions: int
    deleted: int
    sha256: str


def write(copy: Copy, stream: IO[bytes]) -> Summary:
    """Write an export, ending in its checksum; the same copy always gives the same bytes."""
    stream.write(line_of(header(copy.source, copy.lacks)))
    hasher, count = hashlib.sha256(), 0
    for line in content_lines(copy):
        stream.write(line)
        hasher.update(line)
        count += 1
    stream.write(line_of(footer(lines=count, versions=len(copy.entries), sha256=hasher.hexdigest())))
    return summary(copy, hasher.hexdigest())


def content_lines(copy: Copy) -> Iterator[bytes]:
    """The lines between the first and the last."""
    for name in sorted(copy.extras):
        yield line_of(extra(name, copy.extras[name]))
    for key in copy.ordered_keys():
        yield copy.line(key)
    for place in copy.ordered_places():
        yield line_of(of_place(place))


def summary(copy: Copy, sha256: str) -> Summary:
    """How much a copy holds."""
    return Summary(
        contexts=len({key.subject.context for key in copy.entries}),
        subjects=len({key.subject for key in copy.entries}),
        versions=len(copy.entries),
        deleted=sum(entry.is_deleted for entry in copy.entries.values()),
        sha256=sha256,
    )
