"""Jobs: work of workers, whatever its kind, as one list tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

RIGHT: Final = "job.read"


class JobKind(StrEnum):
    """What is done."""

    CHECK = "check"
    DRY_RUN = "dry_run"
    IMPORT = "import"
    EXPORT = "export"


class JobState(StrEnum):
    """How it stands; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


# What is not over, in one word.
OPEN: Final = "open"
STATES: Final = {OPEN: (JobState.QUEUED, JobState.RUNNING), **{str(one): (one,) for one in JobState}}


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One job, ``done`` of ``total`` steps far; ``namespace`` is a slug, None for what is the tenant's."""

    kind: JobKind
    id: UUID
    namespace: str | None
    state: str
    done: int
    total: int
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class WantedJobs:
    """Which jobs are asked for: of a kind, in a state or `OPEN`; empty for all."""

    kind: str = ""
    state: str = ""
