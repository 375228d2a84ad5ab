"""Reads of waivers: for people, and for the registration that looks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from accord.model import Format, SubjectName
from accord_server.kit.paging import Batch
from registry.models import Waiver
from registry.queries.places import namespace_of
from registry.queries.visibility import visible
from registry.waiver_errors import WaiverNotFound
from registry.waiver_records import WaiverRecord, WaiverState
from tenants.access import require, require_somewhere

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

READ: Final = "waiver.read"
WRITE: Final = "waiver.write"
TURN: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def list_waivers(
    scope: Scope,
    *,
    subject: SubjectName | None = None,
    is_open: bool = False,
    before: int | None = None,
    limit: int,
) -> Batch[WaiverRecord]:
    """Return the waivers that may be read, newest first.

    Raises:
        RightMissing: ``waiver.read`` is held on no subject of the namespace.
    """
    require_somewhere(scope, READ)
    rows = _in_namespace(scope).filter(visible(scope, (READ,))).order_by("-pk")
    if subject is not None:
        rows = rows.filter(context=subject.context, name=subject.name)
    if is_open:
        rows = rows.filter(open_now())
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: limit + 1])
    kept = found[:limit]
    return Batch(tuple(map(waiver_record, kept)), str(kept[-1].pk) if len(found) > limit else None)


def get_waiver(scope: Scope, waiver_id: UUID) -> WaiverRecord:
    """Return one waiver.

    Raises:
        WaiverNotFound: No such waiver here, or none that may be seen.
        RightMissing: It may be seen, and ``waiver.read`` is missing.
    """
    return waiver_record(seen_waiver(scope, waiver_id, READ))


def seen_waiver(scope: Scope, waiver_id: UUID, right: str) -> Waiver:
    """Return the row of a waiver for whoever holds the right on its subject; raises as `get_waiver`."""
    row = _in_namespace(scope).filter(public_id=waiver_id).first()
    if row is None:
        raise WaiverNotFound(str(waiver_id))
    subject = SubjectName(row.name, row.context)
    if not any(scope.may(one, subject) for one in (READ, WRITE)):
        raise WaiverNotFound(str(waiver_id))
    require(scope, right, subject)
    return row


def open_waiver(scope: Scope, subject: SubjectName, identity: bytes) -> Waiver | None:
    """Return the open waiver of a schema under a subject."""
    rows = _in_namespace(scope).filter(context=subject.context, name=subject.name, identity=identity)
    return rows.filter(open_now()).first()


def count_open_waivers(scope: Scope) -> int:
    """Count the open waivers of the namespace."""
    return _in_namespace(scope).filter(open_now()).count()


def await_turn_to_give(scope: Scope) -> None:
    """Let one caller of a namespace at a time look for open waivers and add one."""
    with connection.cursor() as cursor:
        cursor.execute(TURN, [f"waivers of {namespace_of(scope)}"])


def open_now() -> Q:
    """Return the filter of waivers that can be used."""
    return Q(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def waiver_record(row: Waiver) -> WaiverRecord:
    """Return a waiver as it is read."""
    return WaiverRecord(
        id=row.public_id,
        subject=SubjectName(row.name, row.context),
        format=Format(row.format),
        digest=bytes(row.identity).hex(),
        rules=tuple(row.rules),
        findings=tuple((rule, path, direction) for rule, path, direction in row.findings),
        reason=row.reason,
        state=_state(row),
        created_at=row.created_at,
        created_by=row.created_by,
        expires_at=row.expires_at,
        ended_at=row.used_at or row.revoked_at,
        ended_by=row.used_by or row.revoked_by,
        version=row.used_version,
    )


def _state(row: Waiver) -> WaiverState:
    if row.used_at is not None:
        return WaiverState.USED
    if row.revoked_at is not None:
        return WaiverState.REVOKED
    return WaiverState.OPEN if row.expires_at > timezone.now() else WaiverState.EXPIRED


def _in_namespace(scope: Scope) -> QuerySet[Waiver]:
    rows: QuerySet[Waiver] = Waiver.objects.scoped(scope)
    return rows.filter(namespace=namespace_of(scope))
