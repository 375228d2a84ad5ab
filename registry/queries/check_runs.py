"""Reads of asynchronous checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.model import SubjectName
from registry.errors import CheckNotFound
from registry.models import CheckRun, CheckState
from registry.queries.places import namespace_of
from registry.records import CheckRunRecord
from tenants.access import require

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

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
