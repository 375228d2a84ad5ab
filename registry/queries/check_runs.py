"""Reads of asynchronous checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.model import SubjectName
from registry.errors import CheckNotFound
from registry.models import CheckRun, CheckState
from registry.queries.places import namespace_of
from registry.records import CheckRunRecord
from tenants.access import require

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

OVER = (CheckState.DONE, CheckState.FAILED, CheckState.CANCELLED)


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


def find_finished_run(scope: Scope, *, key: bytes) -> list[Any] | None:
    """Return the comparisons that the run of a question ended with; None before that."""
    rows = CheckRun.objects.scoped(scope).filter(namespace=namespace_of(scope), key=key)
    return rows.filter(state=CheckState.DONE).values_list("found", flat=True).first()


def state_of_run(scope: Scope, run_key: int) -> str | None:
    """Return how a run stands: None once it is forgotten."""
    return _rows(scope, run_key).values_list("state", flat=True).first()


def done_of_run(scope: Scope, run_key: int) -> int:
    """Return how many versions a run is through with."""
    return _rows(scope, run_key).values_list("done", flat=True).first() or 0


def why_it_ended(scope: Scope, run_key: int) -> str:
    """Return in words why a run gave no verdict."""
    result = _rows(scope, run_key).values_list("result", flat=True).first()
    return str(result["message"]) if result else "it was cancelled"


def _rows(scope: Scope, run_key: int) -> QuerySet[CheckRun]:
    return CheckRun.objects.scoped(scope).filter(pk=run_key)


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
