"""What is wrong with an export, and what keeps a copy from being put back."""

from __future__ import annotations

from typing import ClassVar

from accord.errors import Invalid, Unavailable, error


@error
class UnreadableExport(Invalid):
    """A file that is no whole export; ``line`` counts from 1."""

    code: ClassVar[str] = "unreadable_export"
    template: ClassVar[str] = "line {line} of the export: {details}"
    line: int
    details: str


@error
class CopyUnwritable(Unavailable):
    """There is no room for the copy of a registry, or none may be made, in the folder for temporary files."""

    code: ClassVar[str] = "copy_unwritable"
    template: ClassVar[str] = (
        "the copy cannot be kept in {folder}: {details}; make room there, or name another folder in TMPDIR"
    )
    folder: str
    details: str
