"""Reads of webhooks, of the messages to them and of the attempts to send those."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from django.db import connection
from django.utils import timezone

from accord_server.kit.each_tenant import tenants_from
from accord_server.kit.paging import Batch, batch_of
from accord_server.kit.scope import NamespaceRef, TenantRef
from accord_server.kit.shown_numbers import meant, shown
from registry.models import MessageState, Webhook, WebhookAttempt, WebhookMessage
from registry.queries.places import namespace_of
from registry.webhook_errors import MessageNotFound, WebhookNotFound
from registry.webhook_records import AttemptRecord, MessageDetails, MessageRecord, WebhookRecord
from tenants.access import require, require_everywhere
from tenants.principals import operator_scope
from tenants.services.events import TOPICS as TOKEN_TOPICS
from tenants.services.quotas import QUOTA_WARNED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

READ: Final = "webhook.read"
# What happens in the whole tenant, whatever namespace the webhook is in, and the right to know of it.
OF_TENANT: Final = {**dict.fromkeys(TOKEN_TOPICS, "token.read"), QUOTA_WARNED: "quota.read"}
KEPT_DAYS: Final = 30
MESSAGES: Final = "webhook messages"
PLACE: Final = """
SELECT tenant.slug, (SELECT namespace.slug FROM tenants_namespace namespace WHERE namespace.id = %s)
FROM tenants_tenant tenant WHERE tenant.id = %s
"""


def list_webhooks(scope: Scope, *, after: int = 0, limit: int) -> Batch[WebhookRecord]:
    """Return the webhooks of the namespace, oldest first.

    Raises:
        RightMissing: Without ``webhook.read``.
    """
    require(scope, READ)
    found = list(webhooks_of(scope).filter(pk__gt=after).order_by("pk")[: limit + 1])
    kept = found[:limit]
    return Batch(tuple(map(webhook_record, kept)), str(kept[-1].pk) if len(found) > limit else None)


def get_webhook(scope: Scope, webhook: UUID) -> WebhookRecord:
    """Return one webhook.

    Raises:
        RightMissing: Without ``webhook.read``.
        WebhookNotFound: There is none such.
    """
    require(scope, READ)
    return webhook_record(webhook_row(webhooks_of(scope), webhook))


def list_messages(
    scope: Scope, webhook: UUID, *, state: str = "", before: int | None = None, limit: int
) -> Batch[MessageRecord]:
    """Return the messages to a webhook, newest first, all or those in a state; raises as `get_webhook`."""
    require(scope, READ)
    rows = messages_to(scope, webhook_row(webhooks_of(scope), webhook)).order_by("-pk")
    if state:
        rows = rows.filter(state=state)
    if before is not None:
        rows = rows.filter(pk__lt=meant(scope.tenant.id, MESSAGES, before))
    return batch_of(map(message_record, rows[: limit + 1]), limit, lambda one: str(one.id))


def get_message(scope: Scope, webhook: UUID, message: int) -> MessageDetails:
    """Return a message with its body and every attempt.

    Raises:
        RightMissing, WebhookNotFound: As `get_webhook`.
        MessageNotFound: There is none such.
    """
    require(scope, READ)
    row = message_row(scope, messages_to(scope, webhook_row(webhooks_of(scope), webhook)), message)
    require_to_know(scope, (row.event,))
    attempts = WebhookAttempt.objects.scoped(scope).filter(message=row).order_by("number")
    records = [AttemptRecord(one.number, one.at, one.status, one.error, one.milliseconds) for one in attempts]
    return MessageDetails(message_record(row), json.loads(row.body), tuple(records))


def require_to_know(scope: Scope, events: Iterable[str]) -> None:
    """Refuse to tell of tokens or quotas, in any namespace, whoever may not see those of the whole tenant.

    Raises:
        RightMissing: Without ``token.read`` or ``quota.read`` in the whole tenant, for events about these.
    """
    for right in sorted({OF_TENANT[one] for one in events if one in OF_TENANT}):
        require_everywhere(scope, right)


def webhooks_of(scope: Scope) -> QuerySet[Webhook]:
    """Return the rows of the namespace's webhooks."""
    return Webhook.objects.scoped(scope).filter(namespace_id=namespace_of(scope))


def messages_to(scope: Scope, webhook: Webhook) -> QuerySet[WebhookMessage]:
    """Return the rows of the messages to a webhook."""
    return WebhookMessage.objects.scoped(scope).filter(webhook=webhook)


def webhook_row(rows: QuerySet[Webhook], webhook: UUID) -> Webhook:
    """Return the row of a webhook; raises `WebhookNotFound`."""
    row = rows.filter(public_id=webhook).first()
    if row is None:
        raise WebhookNotFound(str(webhook))
    return row


def message_row(scope: Scope, rows: QuerySet[WebhookMessage], message: int) -> WebhookMessage:
    """Return the row of a message; raises `MessageNotFound`."""
    row = rows.filter(pk=meant(scope.tenant.id, MESSAGES, message)).first()
    if row is None:
        raise MessageNotFound(message, KEPT_DAYS)
    return row


def webhook_record(row: Webhook) -> WebhookRecord:
    """Return a webhook as it is read."""
    is_rolling = row.roll_ends_at is not None and row.roll_ends_at > timezone.now()
    return WebhookRecord(
        id=row.public_id,
        url=row.url,
        events=tuple(row.events),
        description=row.description,
        is_enabled=row.is_enabled,
        disabled_because=row.disabled_because,
        revision=row.revision,
        created_at=row.created_at,
        created_by=row.created_by,
        roll_ends_at=row.roll_ends_at if is_rolling else None,
    )


def shown_message(tenant: UUID, number: int) -> int:
    """Return the id by which the tenant knows a message; the messages of all are numbered together."""
    return shown(tenant, MESSAGES, number)


def message_record(row: WebhookMessage) -> MessageRecord:
    """Return a message as it is read."""
    return MessageRecord(
        id=shown_message(row.tenant_id, row.pk),
        event=row.event,
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        due_at=row.due_at if row.state == MessageState.PENDING else None,
        ended_at=row.ended_at,
    )


def scope_of_event(tenant_id: UUID, namespace_id: UUID | None) -> Scope:
    """Return where something has happened, by the names that people use; the tenant is being served."""
    with connection.cursor() as cursor:
        cursor.execute(PLACE, [namespace_id, tenant_id])
        tenant, namespace = cursor.fetchone()
    place = NamespaceRef(namespace_id, namespace) if namespace_id else None
    return operator_scope(TenantRef(tenant_id, tenant), place)


def tenants_with_due_messages() -> list[UUID]:
    """Return the tenants that have messages to send."""
    return tenants_from("registry_tenants_with_due_messages", timezone.now())


def tenants_with_old_messages(before: datetime) -> list[UUID]:
    """Return the tenants that have messages which ended before a moment."""
    return tenants_from("registry_tenants_with_old_messages", before)
