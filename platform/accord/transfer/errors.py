"""What is wrong with an export, and what keeps a copy from being put back."""

from __future__ import annotations

from typing import ClassVar

from accord.errors import Invalid, error


@error
class UnreadableExport(Invalid):
    """A file that is no whole export; ``line`` counts from 1."""

    code: ClassVar[str] = "unreadable_export"
    template: ClassVar[str] = "line {line} of the export: {details}"
    line: int
    details: str
