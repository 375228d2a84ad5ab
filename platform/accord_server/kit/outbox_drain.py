"""Doing the side effects that are due, tenant by tenant, row by row."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils import timezone

from accord_server.kit import metrics, request_id, tenancy
from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.models import Delivery, Outbox, OutboxState
from accord_server.kit.outbox import MAX_ATTEMPTS, Event, UnknownTopic, act, topic_named

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

log = logging.getLogger("accord.outbox")

FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=1)
LONGEST_ERROR = 2000
KEPT_FOR = timedelta(days=7)
# A tenant with much to do lets the others have their turn after so many rows.
TURN = 100


def drain() -> int:
    """Do what is due, one tenant after the other; return how many rows were tried."""
    due = tenants_from("accord_tenants_with_side_effects", timezone.now())
    return sum(drain_tenant(tenant) for tenant in due)


def drain_tenant(tenant_id: UUID, *, limit: int = TURN) -> int:
    """Do what is due for one tenant; return how many rows were tried."""
    tried = 0
    with tenancy.tenant_context(tenant_id):
        while tried < limit and _do_next(tenant_id):
            tried += 1
    return tried


def prune() -> int:
    """Forget side effects done long ago; return how many."""
    before = timezone.now() - KEPT_FOR
    tenants = tenants_from("accord_tenants_with_done_effects", before)
    return sum(_prune_tenant(tenant, before) for tenant in tenants)


def _prune_tenant(tenant_id: UUID, before: datetime) -> int:
    with tenancy.tenant_context(tenant_id):
        deleted = _rows_of(tenant_id).filter(done_at__lt=before).delete()
    return deleted[1].get(Outbox._meta.label, 0)


def _rows_of(tenant_id: UUID) -> QuerySet[Outbox]:
    return Outbox.objects.unscoped("one tenant's, by id").filter(tenant_id=tenant_id)


def _do_next(tenant_id: UUID) -> bool:
    """Do one row inside one transaction; a worker that dies here leaves the row as it was."""
    with transaction.atomic():
        due = _rows_of(tenant_id).filter(state=OutboxState.PENDING, due_at__lte=timezone.now())
        row = due.select_for_update(skip_locked=True, of=("self",)).order_by("due_at", "id").first()
        if row is None:
            return False
        row.attempts += 1
        _settle(row, _attempt(row))
    return True


def _attempt(row: Outbox) -> Exception | None:
    """Run the handler; what it wrote is taken back if it fails."""
    known = request_id.current.set(row.request_id)
    try:
        with transaction.atomic():
            act(_event(row))
    except Exception as error:  # noqa: BLE001  # it belongs to this row alone; the next must go on
        return error
    finally:
        request_id.current.reset(known)
    return None


def _event(row: Outbox) -> Event:
    return Event(
        id=row.pk,
        topic=row.topic,
        tenant_id=row.tenant_id,
        namespace_id=row.namespace_id,
        request_id=row.request_id,
        payload=row.payload,
        attempt=row.attempts,
    )


def _settle(row: Outbox, error: Exception | None) -> None:
    """Write down what came of the attempt and whether there will be another."""
    now, outcome = timezone.now(), "done"
    if error is None:
        row.state, row.done_at = OutboxState.DONE, now
    elif _may_try_again(row, error):
        outcome, row.due_at = "retried", now + pause_after(row.attempts)
        log.warning("%s %s will be tried again: %s", row.topic, row.pk, type(error).__name__)
    else:
        outcome, row.state = "given up", OutboxState.DEAD
        log.error("%s %s is given up: %s", row.topic, row.pk, type(error).__name__, exc_info=error)
    row.save(update_fields=["state", "done_at", "due_at", "attempts"])
    _record(row, error)
    metrics.increment(metrics.SIDE_EFFECTS, row.topic, outcome)


def _record(row: Outbox, error: Exception | None) -> None:
    Delivery.objects.unscoped("inserts one row of the tenant at hand").create(
        tenant_id=row.tenant_id,
        outbox_id=row.pk,
        attempt=row.attempts,
        is_success=error is None,
        error="" if error is None else f"{type(error).__name__}: {error}"[:LONGEST_ERROR],
    )


def pause_after(attempts: int) -> timedelta:
    """Return how long to wait after so many failures: twice as long each time, up to an hour."""
    return min(FIRST_PAUSE * int(2 ** (attempts - 1)), LONGEST_PAUSE)


def _may_try_again(row: Outbox, error: Exception) -> bool:
    try:
        topic = topic_named(row.topic)
    except UnknownTopic:
        # An older worker may meet a row of a newer web process.
        return row.attempts < MAX_ATTEMPTS
    passing = (*topic.retry_on, SoftTimeLimitExceeded)
    return isinstance(error, passing) and row.attempts < topic.max_attempts
