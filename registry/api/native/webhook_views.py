"""Views of webhooks, of the messages to them and of the attempts to send those, with their bodies."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import NOTHING, Reply, choice, listed, made, single, tagged
from accord_server.kit.outbound import LONGEST as LONGEST_URL
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, number_in
from accord_server.kit.preconditions import etag, expected_version
from accord_server.kit.rest_bodies import Body
from registry.api.native.shapes import MessageShape, MessageWithAttempts, WebhookShape, WebhookWithSecret
from registry.models import MessageState
from registry.models.columns import LONGEST_REASON
from registry.models.webhooks import LONGEST_EVENT
from registry.queries import webhooks as queries
from registry.services import webhooks as services
from registry.services.events import TOPICS
from registry.webhook_records import WebhookDetails
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from registry.webhook_records import MessageDetails, MessageRecord, WebhookRecord

MOST_EVENTS = len(TOPICS) + len(queries.OF_TENANT) + 1


class WebhookDetailsSerializer(Body[Any]):
    """The body that changes a webhook: what it leaves out stays."""

    url = serializers.CharField(max_length=LONGEST_URL, required=False)
    events = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_EVENT),
        required=False,
        max_length=MOST_EVENTS,
        error_messages={"not_a_list": "Must be a list."},
    )
    description = serializers.CharField(max_length=LONGEST_REASON, required=False, allow_blank=True)
    enabled = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a change that changes nothing."""
        if not attrs:
            raise serializers.ValidationError(f"Name what is to change: {', '.join(self.fields)}.")
        return attrs

    def command(self) -> WebhookDetails:
        """Return what the service is asked."""
        given = self.validated_data
        events = given.get("events")
        return WebhookDetails(
            url=given.get("url"),
            events=None if events is None else tuple(events),
            description=given.get("description"),
            is_enabled=given.get("enabled"),
        )


class WebhookSerializer(WebhookDetailsSerializer):
    """The body that makes a webhook."""

    url = serializers.CharField(max_length=LONGEST_URL)


class WebhookView(TenantView):
    """A view of webhooks, which whoever may see one may all see: nothing is hidden."""

    hides = False


class Webhooks(WebhookView):
    """The webhooks of a namespace."""

    rights = {"GET": "webhook.read", "POST": "webhook.manage"}
    bodies = {"POST": WebhookSerializer}
    answers = {"GET": listed(WebhookShape), "POST": made(WebhookWithSecret, is_tagged=True)}
    codes = {
        "POST": (
            "webhook_invalid",
            "webhook_limit_reached",
        )
    }
    secrets = frozenset({"secret"})

    def get(self, request: Request, **_names: str) -> Response:
        """List them, oldest first."""
        batch = queries.list_webhooks(self.scope, after=number_in(cursor(request)), limit=batch_size(request))
        return Response(batch_document(batch, webhook_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str, namespace: str) -> Response:
        """Make one; its secret is told in this answer."""
        record, secret = services.create_webhook(self.scope, self.body(request).command())
        where = reverse("native-webhook", args=[tenant, namespace, record.id])
        return _shown(record, secret=secret, status=201, where=where)


class Webhook(WebhookView):
    """One webhook."""

    rights = {"GET": "webhook.read", "PATCH": "webhook.manage", "DELETE": "webhook.manage"}
    bodies = {"PATCH": WebhookDetailsSerializer}
    answers = {"GET": tagged(WebhookShape), "PATCH": tagged(WebhookShape), "DELETE": NOTHING}
    codes = {
        "GET": ("webhook_not_found",),
        "PATCH": (
            "webhook_changed",
            "webhook_invalid",
            "webhook_not_found",
        ),
        "DELETE": (
            "webhook_changed",
            "webhook_not_found",
        ),
    }

    def get(self, request: Request, webhook: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it, without its secret."""
        return _shown(queries.get_webhook(self.scope, webhook))

    def patch(self, request: Request, webhook: UUID, **_names: str) -> Response:
        """Change what is said of it, if nobody was faster; what is left out stays."""
        expected = expected_version(request)
        command = self.body(request).command()
        return _shown(services.change_webhook(self.scope, webhook, command, expected=expected))

    def delete(self, request: Request, webhook: UUID, **_names: str) -> Response:
        """Delete it with its messages."""
        services.delete_webhook(self.scope, webhook, expected=expected_version(request))
        return Response(status=204)


class RollSecret(WebhookView):
    """Another secret for a webhook."""

    rights = {"POST": "webhook.manage"}
    answers = {"POST": tagged(WebhookWithSecret)}
    codes = {"POST": ("webhook_changed", "webhook_not_found")}
    if_match = {"POST": True}
    secrets = frozenset({"secret"})

    def post(self, request: Request, webhook: UUID, **_names: str) -> Response:
        """Make another secret and tell it; the one before signs beside it for a day."""
        expected = expected_version(request)
        record, secret = services.roll_secret(self.scope, webhook, expected=expected)
        return _shown(record, secret=secret)


class TryWebhook(WebhookView):
    """A trial of a webhook."""

    rights = {"POST": "webhook.manage"}
    answers = {"POST": Reply(MessageShape, 202)}
    codes = {"POST": ("webhook_not_found",)}

    def post(self, request: Request, webhook: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Send a message that says nothing."""
        return Response(message_document(services.try_webhook(self.scope, webhook)), status=202)


class Messages(WebhookView):
    """The messages to a webhook."""

    rights = {"GET": "webhook.read"}
    answers = {"GET": listed(MessageShape)}
    queries = {"GET": (choice("state", "Only those in this state.", *MessageState.values),)}
    codes = {"GET": ("webhook_not_found",)}

    def get(self, request: Request, webhook: UUID, **_names: str) -> Response:
        """List them, newest first."""
        state = request.query_params.get("state", "")
        if state and state not in MessageState.values:
            raise HttpError(400, f"state is one of {', '.join(MessageState.values)}")
        before = number_in(cursor(request)) or None
        limit = batch_size(request)
        batch = queries.list_messages(self.scope, webhook, state=state, before=before, limit=limit)
        return Response(batch_document(batch, message_document, next_cursor(request, batch.after)))


class Message(WebhookView):
    """One message to a webhook."""

    rights = {"GET": "webhook.read"}
    answers = {"GET": single(MessageWithAttempts)}
    codes = {
        "GET": (
            "webhook_message_not_found",
            "webhook_not_found",
        )
    }

    def get(self, request: Request, webhook: UUID, message: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it with its body and every attempt to send it."""
        return Response(details_document(queries.get_message(self.scope, webhook, message)))


class Replay(WebhookView):
    """A message that is sent again."""

    rights = {"POST": "webhook.manage"}
    answers = {"POST": Reply(MessageShape, 202)}
    codes = {
        "POST": (
            "webhook_message_not_found",
            "webhook_message_under_way",
            "webhook_not_found",
        )
    }

    def post(self, request: Request, webhook: UUID, message: int, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Send a message again that was delivered or given up."""
        return Response(message_document(services.replay(self.scope, webhook, message)), status=202)


def _shown(
    record: WebhookRecord, *, secret: str | None = None, status: int = 200, where: str = ""
) -> Response:
    told = {} if secret is None else {"secret": secret}
    headers = etag(record.revision) | ({"Location": where} if where else {})
    return Response(webhook_document(record) | told, status=status, headers=headers)


def webhook_document(record: WebhookRecord) -> WebhookShape:
    """Return a webhook."""
    return {
        "id": str(record.id),
        "url": record.url,
        "events": list(record.events),
        "description": record.description,
        "enabled": record.is_enabled,
        "disabled_because": record.disabled_because or None,
        "revision": record.revision,
        "created_at": record.created_at.isoformat(),
        "created_by": record.created_by,
        "roll_ends_at": record.roll_ends_at.isoformat() if record.roll_ends_at else None,
    }


def message_document(record: MessageRecord) -> MessageShape:
    """Return a message."""
    return {
        "id": record.id,
        "event": record.event,
        "state": record.state,
        "attempts": record.attempts,
        "created_at": record.created_at.isoformat(),
        "due_at": record.due_at.isoformat() if record.due_at else None,
        "ended_at": record.ended_at.isoformat() if record.ended_at else None,
    }


def details_document(record: MessageDetails) -> dict[str, Any]:
    """Return a message with its body and its attempts."""
    attempts = [{**asdict(one), "at": one.at.isoformat()} for one in record.attempts]
    return message_document(record.message) | {"body": record.body, "tried": attempts}
