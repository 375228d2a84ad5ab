"""What is told of an export of a tenant, and how it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.errors import Conflict, NotFound, error

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """An export as operators see it."""

    key: int
    id: UUID
    state: str
    done: int
    total: int
    size: int
    error: str
    created_at: datetime
    created_by: str
    ended_at: datetime | None
    sha256: bytes | None


@error
class ExportNotFound(NotFound):
    """No export of that id in this tenant, or it was kept long enough."""

    code = "export_not_found"
    template = "Export '{export}' not found; an archive is kept for {days} days."
    export: str
    days: int


@error
class ExportUnderWay(Conflict):
    """A tenant is exported once at a time."""

    code = "export_under_way"
    template = "Export '{export}' of this tenant is under way; wait for it."
    export: str


@error
class ExportNotDone(Conflict):
    """There is no archive yet, or there never will be one."""

    code = "export_not_done"
    template = "Export '{export}' is {state}: there is no archive."
    export: str
    state: str
