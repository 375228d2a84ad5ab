"""What is handed out about quotas: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tenants.quotas import is_near

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """One limit of a tenant and what is in use of it, None where nothing of it is stored.

    ``limit`` is what counts, ``ceiling`` what whoever runs the installation allows, ``default`` what they
    allow every tenant; 0 is no limit, but for what goes on at a time.
    """

    name: str
    limit: int
    ceiling: int
    default: int
    used: int | None
    warned_at: datetime | None

    @property
    def percent(self) -> int | None:
        """How much of the limit is in use; None where there is no limit, or nothing to count."""
        return None if self.used is None or not self.limit else self.used * 100 // self.limit

    @property
    def is_near(self) -> bool:
        """True when so much of the limit is in use that somebody should know."""
        return self.used is not None and is_near(self.used, self.limit)


@dataclass(frozen=True, slots=True)
class QuotaRecord:
    """Every limit of a tenant, in the order of their table."""

    uses: tuple[ResourceUse, ...]
    revision: int


@dataclass(frozen=True, slots=True)
class DayOfUse:
    """What was in use at the end of a day, by resource."""

    day: date
    used: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Drift:
    """A resource of which less or more was counted than there is; what was wrong is mended."""

    resource: str
    counted: int
    found: int
