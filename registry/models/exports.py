"""Exports of whole tenants: work of a worker, and the archive that comes of it, kept for some days."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord_server.kit.models import TenantOwned
from registry.models.columns import LONGEST_PRINCIPAL, LONGEST_REASON


class ExportState(models.TextChoices):
    """The life of an export."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class TenantExport(TenantOwned):
    """One export; whoever writes it holds the row until ``leased_until``. Then anybody begins it anew.

    ``done`` of ``total`` files of the archive are written, ``size`` bytes so far; ``sha256`` is that of
    all of it.
    """

    public_id = models.UUIDField(default=uuid.uuid4)
    state = models.CharField(max_length=7, choices=ExportState.choices, default=ExportState.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.BinaryField(max_length=32, null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(default=timezone.now)
    error = models.CharField(max_length=LONGEST_REASON, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_export_public_id_once"),
            models.UniqueConstraint(
                fields=("tenant",),
                condition=Q(state__in=("queued", "running")),
                name="registry_export_one_open",
            ),
            models.CheckConstraint(
                condition=Q(state__in=ExportState.values), name="registry_export_state_known"
            ),
        )


class ExportPart(TenantOwned):
    """So many bytes of an archive, all parts but the last equally many."""

    export = models.ForeignKey(
        TenantExport, models.CASCADE, related_name="parts", db_constraint=False, db_index=False
    )
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("export", "number"), name="registry_export_part_once"),
        )
