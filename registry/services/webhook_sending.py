"""Sending messages to webhooks: an event becomes one for each receiver, and each is sent until it arrives.

Nothing is sent inside a transaction. Who sends a message first moves its time on, so that it is sent again
if the sender is lost: receivers may get a message twice, and know it by its id.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accord_server.kit import metrics, outbound, tenancy
from accord_server.kit.configuration import configured
from accord_server.kit.scope import TenantRef
from accord_server.kit.settings_table import WEBHOOK_TIMEOUT
from accord_server.kit.signatures import secret_of, signed
from registry.models import MessageState, Webhook, WebhookAttempt, WebhookMessage
from registry.queries.webhooks import scope_of_event, shown_message, tenants_with_due_messages
from registry.services.webhook_bodies import body_of
from registry.services.webhooks import tell_senders, wants
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.outbox import Event
    from accord_server.kit.scope import Scope

log = logging.getLogger("accord.webhooks")

USER_AGENT: Final = "accord-webhooks"
# Seconds until the next attempt, after each that failed; after the last a message is given up.
PAUSES_S: Final = (5, 60, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
# Beyond the time a receiver has, for writing down what came of it.
GRACE_S: Final = 30
# A tenant with much to send lets the others have their turn after so many, and one whose receivers do not
# answer after so many seconds.
TURN: Final = 10
TURN_S: Final = 3.0
GONE: Final = 410
DELIVERED: Final = range(200, 300)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A message that is ours to send: what is sent where, and by which secrets it is signed."""

    key: int
    id: int
    url: str
    body: bytes
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attempt; without a status ``error`` says why."""

    status: int | None
    error: str
    milliseconds: int

    @property
    def is_delivered(self) -> bool:
        """Tell whether the receiver has taken it."""
        return self.status in DELIVERED


def fan_out(event: Event) -> None:
    """Make a message for every webhook that wants to know of an event: the handler of its topic."""
    wanted = _receivers(event)
    if not wanted:
        return
    scope = scope_of_event(event.tenant_id, event.namespace_id)
    body = json.dumps(body_of(scope, event.topic, event.payload, timezone.now()))
    messages = [
        WebhookMessage(
            tenant_id=event.tenant_id, webhook=row, event=event.topic, event_id=event.id, body=body
        )
        for row in wanted
    ]
    # A side effect may be done twice; its messages are made once.
    WebhookMessage.objects.scoped(scope).bulk_create(messages, ignore_conflicts=True)
    transaction.on_commit(tell_senders)


def _receivers(event: Event) -> list[Webhook]:
    """Return who wants to know: of the event's namespace, or of all where it is about the whole tenant."""
    rows = Webhook.objects.scoped(operator_scope(TenantRef(event.tenant_id, ""))).filter(is_enabled=True)
    if event.namespace_id is not None:
        rows = rows.filter(namespace_id=event.namespace_id)
    return [row for row in rows if wants(row.events, event.topic)]


def send_due(*, seconds: float) -> int:
    """Send what is due, tenant by tenant, while there is something and time; return how many were tried."""
    until, tried = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        round_ = sum(_turn(tenant, until) for tenant in tenants_with_due_messages())
        if not round_:
            break
        tried += round_
    return tried


def prune_messages(scope: Scope, *, before: datetime) -> int:
    """Forget the tenant's messages that ended before a moment; return how many."""
    deleted = _messages(scope).filter(ended_at__lt=before).delete()
    return deleted[1].get(WebhookMessage._meta.label, 0)


def _turn(tenant_id: UUID, until: float) -> int:
    sent, until = 0, min(until, time.monotonic() + TURN_S)
    with tenancy.tenant_context(tenant_id):
        scope = operator_scope(TenantRef(tenant_id, ""))
        while sent < TURN and time.monotonic() < until and (claimed := _claim(scope)):
            _settle(scope, claimed, _send(claimed))
            sent += 1
    return sent


def _claim(scope: Scope) -> Claimed | None:
    with transaction.atomic():
        now = timezone.now()
        due = _messages(scope).filter(state=MessageState.PENDING, due_at__lte=now, webhook__is_enabled=True)
        locked = due.select_related("webhook").select_for_update(skip_locked=True, of=("self",))
        row = locked.order_by("due_at", "pk").first()
        if row is None:
            return None
        row.attempts += 1
        row.due_at = now + timedelta(seconds=configured(WEBHOOK_TIMEOUT) + GRACE_S)
        row.save(update_fields=["attempts", "due_at"])
        return Claimed(
            row.pk,
            shown_message(row.tenant_id, row.pk),
            row.webhook.url,
            row.body.encode(),
            _secrets(row.webhook),
        )


def _secrets(webhook: Webhook) -> tuple[str, ...]:
    is_rolling = webhook.roll_ends_at is not None and webhook.roll_ends_at > timezone.now()
    numbers = (webhook.secret_number, *((webhook.secret_number - 1,) if is_rolling else ()))
    return tuple(secret_of(webhook.public_id, number) for number in numbers)


def _send(claimed: Claimed) -> Outcome:
    moment = int(timezone.now().timestamp())
    headers = signed(claimed.secrets, message=f"msg_{claimed.id}", moment=moment, body=claimed.body)
    headers |= {"Content-Type": "application/json", "User-Agent": USER_AGENT}
    try:
        reply = outbound.post(claimed.url, claimed.body, headers)
    except (outbound.Refused, outbound.Unreachable) as reason:
        return Outcome(None, str(reason), 0)
    return Outcome(reply.status, "", reply.milliseconds)


def _settle(scope: Scope, claimed: Claimed, outcome: Outcome) -> None:
    """Write down what came of an attempt, and whether there will be another."""
    with transaction.atomic():
        row = _messages(scope).filter(pk=claimed.key).select_for_update().first()
        if row is None:  # its webhook was deleted meanwhile
            return
        attempt = {"status": outcome.status, "error": outcome.error, "milliseconds": outcome.milliseconds}
        WebhookAttempt.objects.insert(scope, message=row, number=row.attempts, **attempt)
        _decide(row, outcome)
        row.save(update_fields=["state", "due_at", "ended_at"])
        if outcome.status == GONE:
            _disable(scope, row)
    word = "done" if outcome.is_delivered else "retried" if row.state == MessageState.PENDING else "given up"
    metrics.increment(metrics.WEBHOOKS, word)


def _decide(row: WebhookMessage, outcome: Outcome) -> None:
    now, failures = timezone.now(), row.attempts - row.since
    if outcome.is_delivered:
        row.state, row.ended_at = MessageState.DELIVERED, now
    elif outcome.status == GONE or failures > len(PAUSES_S):
        row.state, row.ended_at = MessageState.FAILED, now
    else:
        row.due_at = now + timedelta(seconds=PAUSES_S[failures - 1])


def _disable(scope: Scope, row: WebhookMessage) -> None:
    """Take a receiver at its word that it is gone for good."""
    because = "The receiver answered 410: it is gone for good."
    rows = Webhook.objects.scoped(scope).filter(pk=row.webhook_id, is_enabled=True)
    rows.update(is_enabled=False, disabled_because=because, revision=F("revision") + 1)
    log.warning("webhook %s answered 410 and is disabled", row.webhook_id)


def _messages(scope: Scope) -> QuerySet[WebhookMessage]:
    return WebhookMessage.objects.scoped(scope)
