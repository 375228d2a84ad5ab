"""Reads about work under leases, the same for every kind of it: who waits for a worker, and what is old."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import connection
from django.utils import timezone

from registry.models import CheckRun, DryRun, LeasedRun

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Scope

OPEN: Final = ("queued", "running")
TURN: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


@dataclass(frozen=True, slots=True)
class RunKind:
    """One kind of leased work: its rows, what it is called, and who has some, over all tenants."""

    rows: type[LeasedRun]
    plural: str

    @property
    def waiting_tenants(self) -> list[UUID]:
        """The tenants that have some which nobody works on."""
        return self._tenants("open", timezone.now())

    def old_tenants(self, before: datetime) -> list[UUID]:
        """Return the tenants that have some which ended before a moment."""
        return self._tenants("old", before)

    def _tenants(self, state: str, moment: datetime) -> list[UUID]:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM registry_tenants_with_{state}_{self.plural}(%s)", [moment])  # noqa: S608  # names of ours
            return [tenant for (tenant,) in cursor.fetchall()]


CHECKS: Final = RunKind(CheckRun, "checks")
DRY_RUNS: Final = RunKind(DryRun, "dry_runs")


def tenants_in_turn() -> list[UUID]:
    """Return the tenants with checks that nobody works on: fewest under way first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM registry_check_turns(%s)", [timezone.now()])
        return [tenant for (tenant,) in cursor.fetchall()]


def waiting_runs(scope: Scope, kind: RunKind) -> list[int]:
    """Return the keys of a tenant's runs that nobody works on, oldest first."""
    rows = kind.rows.objects.scoped(scope).filter(state__in=OPEN, leased_until__lte=timezone.now())
    return list(rows.order_by("leased_until").values_list("pk", flat=True))


def count_open_runs(scope: Scope, kind: RunKind) -> int:
    """Count the runs of the whole tenant that are not finished."""
    return kind.rows.objects.scoped(scope).filter(state__in=OPEN).count()


def namespace_of_run(scope: Scope, kind: RunKind, run_key: int) -> UUID | None:
    """Return the namespace a run belongs to."""
    rows = kind.rows.objects.scoped(scope).filter(pk=run_key)
    return rows.values_list("namespace_id", flat=True).first()


def await_turn_to_ask(scope: Scope, kind: RunKind) -> None:
    """Let one caller of a tenant at a time count what is open and add to it, until its transaction ends."""
    await_turn(f"open {kind.plural} of {scope.tenant.id}")


def await_turn(what: str) -> None:
    """Let one caller at a time do what is named, until its transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(TURN, [what])
