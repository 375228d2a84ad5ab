"""Limits of a tenant, what it uses of them, and what it used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tenants.access import require_everywhere
from tenants.models import Quota, QuotaTotal, UsageDay
from tenants.queries.rows import rows_of
from tenants.quota_records import DayOfUse, QuotaRecord, ResourceUse
from tenants.quotas import RESOURCES, STORED, SetLimits, default_limit

if TYPE_CHECKING:
    from datetime import date

    from accord_server.kit.scope import Scope

RIGHT: Final = "quota.read"
USE: Final = list(STORED)
IN_USE: Final = "SELECT resource, used FROM accord_quota_use(%s, %s, %s)"
FIRST_REVISION: Final = 1


def set_limits_of(scope: Scope) -> SetLimits:
    """Return the limits that were set for the tenant: one statement."""
    return _set(Quota.objects.scoped(scope).first())


def in_use(scope: Scope) -> dict[str, int]:
    """Return how much of what is stored the tenant uses at this moment: one statement."""
    rows = rows_of(IN_USE, str(scope.tenant.id), USE, [0] * len(USE))
    return {row["resource"]: row["used"] for row in rows}


def quota_record(scope: Scope) -> QuotaRecord:
    """Return every limit of the tenant, and what is in use: three statements.

    Raises:
        RightMissing: Without ``quota.read``.
    """
    require_everywhere(scope, RIGHT)
    row = Quota.objects.scoped(scope).first()
    limits, used = _set(row), in_use(scope)
    warned = dict(QuotaTotal.objects.scoped(scope).values_list("resource", "warned_at"))
    uses = [
        ResourceUse(
            name,
            limits.in_force(name),
            limits.ceiling(name),
            default_limit(name),
            used.get(name),
            warned.get(name),
        )
        for name in RESOURCES
    ]
    return QuotaRecord(tuple(uses), row.revision if row else FIRST_REVISION)


def usage_between(scope: Scope, first: date, last: date) -> list[DayOfUse]:
    """Return what was in use day by day, both days included; days on which nobody looked are left out.

    Raises:
        RightMissing: Without ``quota.read``.
    """
    require_everywhere(scope, RIGHT)
    rows = UsageDay.objects.scoped(scope).filter(day__gte=first, day__lte=last).order_by("day", "resource")
    days: dict[date, dict[str, int]] = {}
    for day, resource, used in rows.values_list("day", "resource", "used"):
        days.setdefault(day, {})[resource] = used
    return [DayOfUse(day, used) for day, used in days.items()]


def _set(row: Quota | None) -> SetLimits:
    """Return what was set, but for what another release has set that this one does not know."""
    every = () if row is None else (row.limits, row.own)
    return SetLimits(*({name: limit for name, limit in one.items() if name in RESOURCES} for one in every))
