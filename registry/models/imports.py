"""Imports: what was brought into a namespace, in batches, and what was refused of it."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.models import TenantOwned
from registry.models.columns import LONGEST_PRINCIPAL, name_field, namespace_field

LONGEST_SOURCE = 500
LONGEST_CODE = 60


class ImportState(models.TextChoices):
    """The life of an import."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


class ImportRun(TenantOwned):
    """One import into a namespace, of which there is one at a time.

    ``planned`` is how much whoever brings it means to bring, ``counts`` how much of each kind was stored,
    was there or was refused. ``checksums`` are those of both sides, told at the end. ``heard_at`` is when the
    last batch came.
    """

    namespace = namespace_field()
    public_id = models.UUIDField(default=uuid.uuid4)
    source = models.CharField(max_length=LONGEST_SOURCE)
    state = models.CharField(max_length=9, choices=ImportState.choices, default=ImportState.RUNNING)
    planned = models.JSONField(default=dict)
    registered = models.PositiveIntegerField(default=0)
    deleted = models.PositiveIntegerField(default=0)
    present = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)
    heard_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_import_public_id_once"),
            models.UniqueConstraint(
                fields=("namespace",), condition=Q(state="running"), name="registry_import_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state__in=ImportState.values), name="registry_import_state_known"
            ),
        )
        indexes = (models.Index(fields=("namespace", "id"), name="registry_import_newest"),)


class ImportIssue(TenantOwned):
    """One thing that an import was refused, or that stood in its way; never changed."""

    run = models.ForeignKey(
        ImportRun, models.CASCADE, related_name="issues", db_constraint=False, db_index=False
    )
    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field()
    number = models.PositiveIntegerField()
    code = models.CharField(max_length=LONGEST_CODE)
    message = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=("run", "id"), name="registry_import_issue_of_run"),)
