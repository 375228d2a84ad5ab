"""Leases on work that outlives a request: they lie in its row, so whoever is lost is replaced.

Two workers on one row do no harm: the later lease wins, and what the other one writes is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F
from django.utils import timezone

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import CHECK_LEASE
from registry.queries.leased_runs import OPEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope
    from registry.models import LeasedRun

MAX_ATTEMPTS: Final = 5
# States that every kind of leased work shares.
RUNNING: Final = "running"
FAILED: Final = "failed"


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a run: lost as soon as somebody else takes it up, or it is called off."""

    runs: type[LeasedRun]
    run_key: int
    attempt: int


def take_lease(scope: Scope, runs: type[LeasedRun], run_key: int) -> Lease | None:
    """Take the lease if it is free; a run that was taken up too often fails for good."""
    now = timezone.now()
    free = runs.objects.scoped(scope).filter(pk=run_key, state__in=OPEN, leased_until__lte=now)
    given_up = {"error": "given_up", "message": f"{MAX_ATTEMPTS} workers were lost on it"}
    tired = free.filter(attempts__gte=MAX_ATTEMPTS)
    tired.update(state=FAILED, result=given_up, leased_until=now)
    taken = free.filter(state__in=OPEN).update(
        state=RUNNING, attempts=F("attempts") + 1, leased_until=lease_end()
    )
    if not taken:
        return None
    attempts = runs.objects.scoped(scope).values_list("attempts", flat=True).get(pk=run_key)
    return Lease(runs, run_key, attempts)


def write_under(scope: Scope, lease: Lease, **values: Any) -> bool:
    """Write progress and renew the lease; False once it is lost."""
    rows: QuerySet[LeasedRun] = lease.runs.objects.scoped(scope)
    mine = rows.filter(pk=lease.run_key, attempts=lease.attempt, state=RUNNING)
    return bool(mine.update(**{"leased_until": lease_end(), **values}))


def end_under(
    scope: Scope, lease: Lease, state: str, result: Mapping[str, Any] | None, **values: Any
) -> bool:
    """Write what came out and let go; False if the lease was lost before."""
    return write_under(scope, lease, state=state, result=result, leased_until=timezone.now(), **values)


def lease_end() -> datetime:
    """Return until when a lease that is taken or renewed now is held."""
    return timezone.now() + timedelta(seconds=configured(CHECK_LEASE))
