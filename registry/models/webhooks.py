"""Receivers of what happens in a namespace, the messages to them and each attempt to send one."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord_server.kit.models import TenantOwned
from accord_server.kit.outbound import LONGEST as LONGEST_URL
from registry.models.columns import LONGEST_PRINCIPAL, LONGEST_REASON, namespace_field

LONGEST_EVENT = 80


class Webhook(TenantOwned):
    """One receiver: where, and what it wants to be told. Its secret follows from ``public_id`` and number.

    Until ``roll_ends_at`` messages are signed with the secret before as well.
    """

    namespace = namespace_field()
    public_id = models.UUIDField(default=uuid.uuid4)
    url = models.CharField(max_length=LONGEST_URL)
    description = models.CharField(max_length=LONGEST_REASON, blank=True)
    events = models.JSONField()
    is_enabled = models.BooleanField(default=True)
    disabled_because = models.CharField(max_length=LONGEST_REASON, blank=True)
    secret_number = models.PositiveIntegerField(default=1)
    roll_ends_at = models.DateTimeField(null=True)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_webhook_public_id_once"),
        )
        indexes = (models.Index(fields=("namespace", "id"), name="registry_webhook_place"),)


class MessageState(models.TextChoices):
    """The life of a message."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookMessage(TenantOwned):
    """One event for one receiver; ``event_id`` is the side effect it comes from, none for a trial.

    Who sends it moves ``due_at`` on before it does, so that it is due again if nothing comes of that.
    """

    webhook = models.ForeignKey(
        Webhook, models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    event = models.CharField(max_length=LONGEST_EVENT)
    event_id = models.BigIntegerField(null=True)
    body = models.TextField()
    state = models.CharField(max_length=9, choices=MessageState.choices, default=MessageState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # The first attempt since it was asked for, or asked for again.
    since = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("webhook", "event_id"), name="registry_webhookmessage_once"),
            models.CheckConstraint(
                condition=Q(state__in=MessageState.values), name="registry_webhookmessage_state"
            ),
        )
        indexes = (
            models.Index(fields=("webhook", "id"), name="registry_webhookmessage_place"),
            models.Index(
                fields=("tenant", "due_at"), condition=Q(state="pending"), name="registry_webhookmessage_due"
            ),
            models.Index(fields=("tenant", "ended_at"), name="registry_webhookmessage_ended"),
        )


class WebhookAttempt(TenantOwned):
    """One attempt to send a message: the status that came back, or why none did."""

    message = models.ForeignKey(WebhookMessage, models.CASCADE, related_name="+", db_constraint=False)
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField(default=timezone.now)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=LONGEST_REASON, blank=True)
    milliseconds = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tenant", "message", "number"), name="registry_webhookattempt_once"
            ),
        )
