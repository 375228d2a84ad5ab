"""Reads of asynchronous checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone

from accord.model import SubjectName
from registry.errors import CheckNotFound
from registry.models import CheckRun, CheckState
from registry.queries.places import namespace_of
from registry.records import CheckRunRecord
from tenants.access import require

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Scope

WAITING_TENANTS = "SELECT * FROM registry_tenants_with_open_checks(%s)"
OLD_TENANTS = "SELECT * FROM registry_tenants_with_old_checks(%s)"
TURN = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
OPEN = (CheckState.QUEUED, CheckState.RUNNING)
OVER = (CheckState.DONE, CheckState.FAILED)


def check_run(scope: Scope, check_id: UUID) -> CheckRunRecord:
    """Return a check for whoever may check that subject.

    Raises:
        CheckNotFound: No such check here, or its subject may neither be checked nor read.
        RightMissing: Its subject may be read, not checked.
    """
    row = CheckRun.objects.scoped(scope).filter(namespace=namespace_of(scope), public_id=check_id).first()
    if row is None:
        raise CheckNotFound(str(check_id))
    record = check_run_record(row)
    if not any(scope.may(right, record.subject) for right in ("compat.check", "subject.read")):
        raise CheckNotFound(str(check_id))
    require(scope, "compat.check", record.subject)
    return record


def await_turn_to_ask(scope: Scope) -> None:
    """Let one caller of a tenant at a time count what is open and add to it, until its transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(TURN, [f"open checks of {scope.tenant.id}"])


def count_open_checks(scope: Scope) -> int:
    """Count the checks of the whole tenant that are not finished."""
    return CheckRun.objects.scoped(scope).filter(state__in=OPEN).count()


def find_check_run(scope: Scope, *, key: bytes) -> CheckRun | None:
    """Lock and return the run of a question, if it was asked before."""
    rows = CheckRun.objects.scoped(scope).filter(namespace=namespace_of(scope), key=key)
    return rows.select_for_update().first()


def check_run_record(row: CheckRun) -> CheckRunRecord:
    """Return what the caller of a check sees."""
    return CheckRunRecord(
        id=row.public_id,
        subject=SubjectName(row.name, row.context),
        level=row.level,
        state=CheckState(row.state),
        done=row.done,
        total=len(row.version_keys),
        created_at=row.created_at,
        result=row.result if row.state in OVER else None,
    )


def waiting_tenants() -> list[UUID]:
    """Return the tenants that have checks nobody works on."""
    return _tenants(WAITING_TENANTS, timezone.now())


def tenants_with_old_checks(before: datetime) -> list[UUID]:
    """Return the tenants that have checks which ended before a moment."""
    return _tenants(OLD_TENANTS, before)


def waiting_checks(scope: Scope) -> list[int]:
    """Return the keys of a tenant's checks that nobody works on, oldest first."""
    rows = CheckRun.objects.scoped(scope).filter(state__in=OPEN, leased_until__lte=timezone.now())
    return list(rows.order_by("leased_until").values_list("pk", flat=True))


def namespace_of_check(scope: Scope, run_key: int) -> UUID | None:
    """Return the namespace a check belongs to."""
    rows = CheckRun.objects.scoped(scope).filter(pk=run_key)
    return rows.values_list("namespace_id", flat=True).first()


def _tenants(statement: str, moment: datetime) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [moment])
        return [tenant for (tenant,) in cursor.fetchall()]
