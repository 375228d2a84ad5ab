"""The audit log, as far as the caller may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from accord_server.kit.paging import Batch, batch_of
from accord_server.kit.shown_numbers import meant, shown
from tenants.access import namespaces_with
from tenants.errors import AuditRecordNotFound, NamespaceNotFound
from tenants.models import AuditRecord
from tenants.queries.parts import place_of, read_place
from tenants.queries.tokens import namespace_slugs
from tenants.records import AuditRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

RIGHT: Final = "audit.read"
# What can be asked for letter by letter; each is a column.
EXACT: Final = ("actor", "action", "object_kind", "object_name", "outcome", "token_key_id", "request_id")
MOST_EXPORTED: Final = 10_000
EXPORTED_AT_ONCE: Final = 500
RECORDS: Final = "audit records"


@dataclass(frozen=True, slots=True)
class WantedRecords:
    """Which records are asked for; empty means all. ``since`` is in, ``until`` is out."""

    actor: str = ""
    action: str = ""
    object_kind: str = ""
    object_name: str = ""
    outcome: str = ""
    namespace: str = ""
    token_key_id: str = ""
    request_id: str = ""
    since: datetime | None = None
    until: datetime | None = None


def require_readable(scope: Scope) -> None:
    """Refuse whoever may read nothing of the log.

    Raises:
        RightMissing: Without ``audit.read`` anywhere.
    """
    namespaces_with(scope, RIGHT)


def list_audit(scope: Scope, *, wanted: WantedRecords, after: str = "", limit: int) -> Batch[AuditRow]:
    """Return a part of the log, newest first: two statements however many records there are.

    Who may read it in some namespaces sees what was done there.

    Raises:
        RightMissing: Without ``audit.read`` anywhere.
        NamespaceNotFound: The namespace asked for is not there, or closed to the caller.
    """
    readable, slugs = namespaces_with(scope, RIGHT), namespace_slugs(scope)
    rows = _readable_rows(scope, readable).filter(**_conditions(wanted))
    if wanted.namespace:
        rows = rows.filter(namespace_id=_named(wanted.namespace, slugs, readable))
    ordered = rows.order_by("-at", "-id")
    if after:
        at, number = read_place(AuditRecord._meta.pk, after)
        ordered = ordered.filter(Q(at__lt=at) | Q(at=at, id__lt=meant(scope.tenant.id, RECORDS, number)))
    found = (_record(row, slugs) for row in ordered[: limit + 1])
    return batch_of(found, limit, place_of_record)


def get_audit(scope: Scope, record: int) -> AuditRow:
    """Return one record of the log.

    Raises:
        RightMissing: Without ``audit.read`` anywhere.
        AuditRecordNotFound: There is none of this id, or the caller may not read it.
    """
    row = (
        _readable_rows(scope, namespaces_with(scope, RIGHT))
        .filter(id=meant(scope.tenant.id, RECORDS, record))
        .first()
    )
    if row is None:
        raise AuditRecordNotFound(record)
    return _record(row, namespace_slugs(scope))


def export_audit(scope: Scope, *, wanted: WantedRecords, after: str = "") -> Iterator[AuditRow]:
    """Yield a part of the log, newest first, at most `MOST_EXPORTED` records; refuse before the first.

    They are read part by part, so that the length of the log costs no memory.

    Raises:
        RightMissing, NamespaceNotFound: As `list_audit`.
    """
    first = list_audit(scope, wanted=wanted, after=after, limit=EXPORTED_AT_ONCE)
    return _exported(scope, wanted, first)


def shown_record(tenant: UUID, number: int) -> int:
    """Return the id by which the tenant knows a record; the records of all are numbered together."""
    return shown(tenant, RECORDS, number)


def place_of_record(row: AuditRow) -> str:
    """Return the place of a record in the list."""
    return place_of(row.at, row.id)


def _exported(scope: Scope, wanted: WantedRecords, part: Batch[AuditRow]) -> Iterator[AuditRow]:
    left = MOST_EXPORTED
    while True:
        yield from part.rows
        left -= len(part.rows)
        if part.after is None or left <= 0:
            return
        part = list_audit(scope, wanted=wanted, after=part.after, limit=min(left, EXPORTED_AT_ONCE))


def _readable_rows(scope: Scope, readable: frozenset[UUID] | None) -> QuerySet[AuditRecord]:
    rows: QuerySet[AuditRecord] = AuditRecord.objects.scoped(scope)
    return rows if readable is None else rows.filter(namespace_id__in=readable)


def _conditions(wanted: WantedRecords) -> dict[str, Any]:
    exact = {name: value for name in EXACT if (value := getattr(wanted, name))}
    times = {"at__gte": wanted.since, "at__lt": wanted.until}
    return exact | {name: at for name, at in times.items() if at}


def _named(slug: str, slugs: Mapping[UUID, str], readable: frozenset[UUID] | None) -> UUID:
    """Return the namespace of a name; a deleted one has its records still."""
    for known, name in slugs.items():
        if name == slug and (readable is None or known in readable):
            return known
    raise NamespaceNotFound


def _record(row: AuditRecord, slugs: Mapping[UUID, str]) -> AuditRow:
    # A namespace that is gone for good has no name left.
    namespace = None if row.namespace_id is None else slugs.get(row.namespace_id, str(row.namespace_id))
    return AuditRow(
        id=shown_record(row.tenant_id, row.pk),
        at=row.at,
        actor_kind=row.actor_kind,
        actor=row.actor,
        token_key_id=row.token_key_id,
        token_slot=row.token_slot,
        namespace=namespace,
        action=row.action,
        object_kind=row.object_kind,
        object_name=row.object_name,
        outcome=row.outcome,
        address=row.address,
        request_id=row.request_id,
        before=row.before,
        after=row.after,
    )
