"""Limits of a tenant, what it uses of them, and what it used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenants.models import Quota, QuotaTotal, UsageDay
from tenants.queries.rows import rows_of
from tenants.quotas import RESOURCES, STORED, default_limit, in_force
from tenants.quota_records import DayOfUse, QuotaRecord, ResourceUse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from accord_server.kit.scope import Scope

USE: list[str] = list(STORED)
IN_USE = "SELECT resource, used FROM accord_quota_use(%s, %s, %s)"
FIRST_REVISION = 1


def limits_set(scope: Scope) -> Mapping[str, int]:
    """Return the limits that are set for the tenant itself."""
    row = Quota.objects.scoped(scope).values_list("limits", flat=True).first()
    return _known(row or {})


def in_use(scope: Scope) -> dict[str, int]:
    """Return how much of what is stored the tenant uses at this moment: one statement."""
    rows = rows_of(IN_USE, str(scope.tenant.id), USE, [0] * len(USE))
    return {row["resource"]: row["used"] for row in rows}


def quota_record(scope: Scope) -> QuotaRecord:
    """Return every limit of the tenant, and what is in use: three statements."""
    row = Quota.objects.scoped(scope).first()
    own = _known(row.limits if row else {})
    used, limits = in_use(scope), in_force(own)
    warned = dict(QuotaTotal.objects.scoped(scope).values_list("resource", "warned_at"))
    uses = [
        ResourceUse(name, limits[name], default_limit(name), name in own, used.get(name), warned.get(name))
        for name in RESOURCES
    ]
    return QuotaRecord(tuple(uses), row.revision if row else FIRST_REVISION)


def usage_between(scope: Scope, first: date, last: date) -> list[DayOfUse]:
    """Return what was in use day by day, both days included; days on which nobody looked are left out."""
    rows = UsageDay.objects.scoped(scope).filter(day__gte=first, day__lte=last).order_by("day", "resource")
    days: dict[date, dict[str, int]] = {}
    for day, resource, used in rows.values_list("day", "resource", "used"):
        days.setdefault(day, {})[resource] = used
    return [DayOfUse(day, used) for day, used in days.items()]


def _known(limits: Mapping[str, int]) -> dict[str, int]:
    """Leave out what another release has set that this one does not know."""
    return {name: limit for name, limit in limits.items() if name in RESOURCES}
