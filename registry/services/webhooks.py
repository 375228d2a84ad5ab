"""Webhooks: who is told what happens in a namespace. Each change leaves a record in the audit log."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils import timezone

from accord_server.kit import nudge, outbound
from accord_server.kit.signatures import secret_of
from registry.models import MessageState, Webhook, WebhookMessage
from registry.models.columns import LONGEST_REASON
from registry.queries.leased_runs import await_turn
from registry.queries.places import namespace_of
from registry.queries.webhooks import (
    OF_TENANT,
    message_record,
    message_row,
    messages_to,
    require_to_know,
    webhook_record,
    webhook_row,
    webhooks_of,
)
from registry.services.events import TOPICS, WEBHOOK_TRIED
from registry.services.webhook_bodies import body_of
from registry.webhook_errors import MessageUnderWay, WebhookChanged, WebhookInvalid, WebhookLimitReached
from tenants.access import require
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from registry.webhook_records import MessageRecord, WebhookDetails, WebhookRecord

MANAGE: Final = "webhook.manage"
MOST: Final = 20
EVERY: Final = "*"
# So long a secret that was replaced signs beside the new one.
ROLLING: Final = timedelta(hours=24)
SEND: Final = "registry.send_webhooks"
QUEUE: Final = "webhooks"


def create_webhook(scope: Scope, details: WebhookDetails) -> tuple[WebhookRecord, str]:
    """Have somebody told from now on; return the webhook and its secret.

    Raises:
        RightMissing: Without ``webhook.manage``, or ``token.read`` in the whole tenant for events of tokens.
        WebhookInvalid: The address, the events or the description are not what they may be.
        WebhookLimitReached: The namespace has too many.
    """
    require(scope, MANAGE)
    _require_sound(details)
    require_to_know(scope, details.events or ())
    with transaction.atomic():
        await_turn(f"webhooks of {namespace_of(scope)}")
        if webhooks_of(scope).count() >= MOST:
            raise WebhookLimitReached(MOST)
        row: Webhook = Webhook.objects.insert(
            scope,
            namespace_id=namespace_of(scope),
            url=details.url,
            events=_sorted(details.events or (EVERY,)),
            description=details.description or "",
            is_enabled=details.is_enabled is not False,
            created_by=scope.principal.key,
        )
        _audit(scope, "webhook.create", row, after=_told(row))
    return webhook_record(row), secret_of(row.public_id, row.secret_number)


def change_webhook(
    scope: Scope, webhook: UUID, details: WebhookDetails, *, expected: int | None
) -> WebhookRecord:
    """Change what is said of a webhook; ``expected`` is the revision that the caller knew, None for any.

    Raises:
        RightMissing: As `create_webhook`, for the events before as well as those after.
        WebhookNotFound: There is none such.
        WebhookInvalid: As `create_webhook`.
        WebhookChanged: Somebody was faster.
    """
    require(scope, MANAGE)
    _require_sound(details)
    with transaction.atomic():
        row = _locked(scope, webhook, expected)
        # Who may not know of tokens cannot have it told to another address either.
        require_to_know(scope, (*row.events, *(details.events or ())))
        before = _told(row)
        row.url = details.url or row.url
        row.events = row.events if details.events is None else _sorted(details.events)
        row.description = row.description if details.description is None else details.description
        if details.is_enabled is not None:
            row.is_enabled, row.disabled_because = details.is_enabled, ""
        _store(scope, row, "webhook.update", before)
    return webhook_record(row)


def roll_secret(scope: Scope, webhook: UUID, *, expected: int | None) -> tuple[WebhookRecord, str]:
    """Give a webhook another secret; the one before signs beside it for a day. Raises as `change_webhook`."""
    require(scope, MANAGE)
    with transaction.atomic():
        row = _locked(scope, webhook, expected)
        before = {"secret": row.secret_number}
        row.secret_number += 1
        row.roll_ends_at = timezone.now() + ROLLING
        row.revision += 1
        row.save()
        _audit(scope, "webhook.roll", row, before=before, after={"secret": row.secret_number})
    return webhook_record(row), secret_of(row.public_id, row.secret_number)


def delete_webhook(scope: Scope, webhook: UUID, *, expected: int | None) -> None:
    """Tell somebody nothing any more; the messages go too. Raises as `change_webhook`."""
    require(scope, MANAGE)
    with transaction.atomic():
        row = _locked(scope, webhook, expected)
        _audit(scope, "webhook.delete", row, before=_told(row))
        row.delete()


def try_webhook(scope: Scope, webhook: UUID) -> MessageRecord:
    """Send a message that says nothing, to see whether one arrives.

    Raises:
        RightMissing: Without ``webhook.manage``.
        WebhookNotFound: There is none such.
    """
    require(scope, MANAGE)
    with transaction.atomic():
        row = webhook_row(webhooks_of(scope), webhook)
        body = json.dumps(body_of(scope, WEBHOOK_TRIED, {"webhook": str(row.public_id)}, timezone.now()))
        message = WebhookMessage.objects.insert(scope, webhook=row, event=WEBHOOK_TRIED, body=body)
        transaction.on_commit(tell_senders)
    return message_record(message)


def replay(scope: Scope, webhook: UUID, message: int) -> MessageRecord:
    """Send a message again that was delivered or given up.

    Raises:
        RightMissing, WebhookNotFound: As `try_webhook`.
        MessageNotFound: There is none such, or none any more.
        MessageUnderWay: It is still to be delivered.
    """
    require(scope, MANAGE)
    with transaction.atomic():
        rows = messages_to(scope, webhook_row(webhooks_of(scope), webhook)).select_for_update()
        row = message_row(scope, rows, message)
        if row.state == MessageState.PENDING:
            raise MessageUnderWay(message, row.due_at.isoformat())
        row.state, row.since = MessageState.PENDING, row.attempts
        row.due_at, row.ended_at = timezone.now(), None
        row.save()
        transaction.on_commit(tell_senders)
    return message_record(row)


def wants(events: Sequence[str], topic: str) -> bool:
    """Tell whether a webhook of some events is told of this one; of the whole tenant only if it is named."""
    return topic in events or (EVERY in events and topic not in OF_TENANT)


def tell_senders() -> None:
    """Ask a worker to send what is due."""
    nudge.tell(SEND, queue=QUEUE)


def _locked(scope: Scope, webhook: UUID, expected: int | None) -> Webhook:
    row = webhook_row(webhooks_of(scope).select_for_update(), webhook)
    if expected is not None and row.revision != expected:
        raise WebhookChanged(str(webhook), row.revision)
    return row


def _store(scope: Scope, row: Webhook, action: str, before: dict[str, Any]) -> None:
    if _told(row) != before:
        row.revision += 1
        row.save()
        _audit(scope, action, row, before=before, after=_told(row))


def _require_sound(details: WebhookDetails) -> None:
    if details.url is not None:
        try:
            outbound.place_of(details.url)
        except outbound.Refused as reason:
            raise WebhookInvalid(str(reason)) from None
    unknown = set(details.events or ()) - {EVERY, *TOPICS, *OF_TENANT}
    if unknown or details.events == ():
        raise WebhookInvalid(
            f"Events are {EVERY}, for all that happens in the namespace, or some of {', '.join(TOPICS)};"
            f" and beside them {', '.join(OF_TENANT)}."
        )
    if len(details.description or "") > LONGEST_REASON:
        raise WebhookInvalid(f"The description has at most {LONGEST_REASON} characters.")


def _sorted(events: tuple[str, ...]) -> list[str]:
    """Return the events in order; what "all" covers need not stand beside it."""
    named = set(events)
    return sorted(named & {EVERY, *OF_TENANT} if EVERY in named else named)


def _told(row: Webhook) -> dict[str, Any]:
    # An address may hold what opens it, in its path or query.
    host = outbound.place_of(row.url).host
    return {"host": host, "events": row.events, "description": row.description, "enabled": row.is_enabled}


def _audit(
    scope: Scope,
    action: str,
    row: Webhook,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    entry = AuditEntry(action, "webhook", str(row.public_id), before=before, after=after)
    record_audit(scope, entry=entry)
