"""Tables of the kit: what belongs to a tenant, and side effects that are still to be done."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from accord_server.kit.tenant_queries import TenantManager

__all__ = ["AnyAnswer", "Delivery", "KeptAnswer", "OperatorAnswer", "Outbox", "OutboxState", "TenantOwned"]


class TenantOwned(models.Model):
    """A row of one tenant: `EnableRowSecurity` in the migration is its other half.

    The foreign keys between such rows are composite, (tenant, other row), because foreign keys
    ignore row-level security: declare them with ``db_constraint=False`` and add `TenantForeignKey`
    to the migration.
    """

    # Every table of this kind has a unique key that starts with the tenant: no index of its own.
    tenant = models.ForeignKey("tenants.Tenant", models.PROTECT, related_name="+", db_index=False)

    objects: ClassVar[TenantManager] = TenantManager()  # type: ignore[type-arg]  # the model is filled in per subclass

    class Meta:
        abstract = True


class OutboxState(models.TextChoices):
    """The life of a side effect."""

    PENDING = "pending"
    DONE = "done"
    DEAD = "dead"


class Outbox(TenantOwned):
    """One side effect, written in the transaction that causes it."""

    topic = models.CharField(max_length=80)
    namespace_id = models.UUIDField(null=True)
    request_id = models.CharField(max_length=128, blank=True)
    payload = models.JSONField()
    state = models.CharField(max_length=8, choices=OutboxState.choices, default=OutboxState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(state__in=OutboxState.values), name="kit_outbox_state_known"
            ),
        )
        indexes = (
            models.Index(
                fields=("tenant", "due_at", "id"),
                condition=models.Q(state=OutboxState.PENDING),
                name="kit_outbox_pending",
            ),
            models.Index(fields=("tenant", "done_at"), name="kit_outbox_done"),
            models.Index(
                fields=("tenant", "id"), condition=models.Q(state=OutboxState.DEAD), name="kit_outbox_dead"
            ),
        )


class Delivery(TenantOwned):
    """One attempt to do a side effect that did not succeed at once, or its success."""

    outbox = models.ForeignKey(Outbox, models.CASCADE, related_name="+", db_constraint=False)
    attempt = models.PositiveSmallIntegerField()
    is_success = models.BooleanField()
    error = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "outbox", "attempt"), name="kit_delivery_attempt_once"),
        )


class AnyAnswer(models.Model):
    """The answer to a POST that came with a key of the caller's: a repetition is answered the same."""

    # The word for what kind it is, and a name of up to 200 characters.
    principal = models.CharField(max_length=220)
    key = models.CharField(max_length=200)
    digest = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField()
    # Text: an answer is repeated letter by letter, and jsonb has an order of its own.
    body = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class KeptAnswer(AnyAnswer, TenantOwned):
    """An answer to somebody in a tenant."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "principal", "key"), name="kit_keptanswer_once"),
        )
        indexes = (models.Index(fields=("tenant", "created_at"), name="kit_keptanswer_by_age"),)


class OperatorAnswer(AnyAnswer):
    """An answer to whoever runs the installation, who asks about tenants that are not there yet."""

    objects: ClassVar[models.Manager[OperatorAnswer]] = models.Manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("principal", "key"), name="kit_operatoranswer_once"),)
        indexes = (models.Index(fields=("created_at",), name="kit_operatoranswer_by_age"),)
