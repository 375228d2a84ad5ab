"""Work of workers that outlives a request: checks, and dry runs of policies."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.models import TenantOwned
from registry.models.columns import FORMATS, LONGEST_LEVEL, LONGEST_PRINCIPAL, name_field, namespace_field


class CheckState(models.TextChoices):
    """The life of a check run."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class LeasedRun(TenantOwned):
    """Work of a worker that outlives a request: whoever does it holds the row until ``leased_until``.

    Then anybody may take it up again, from ``done`` on. Once it is over, ``leased_until`` is when it ended.
    """

    namespace = namespace_field()
    public_id = models.UUIDField(default=uuid.uuid4)
    # Each kind of work says which states it has.
    state = models.CharField(max_length=9)
    done = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(default=timezone.now)
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        abstract = True


class CheckRun(LeasedRun):
    """One asynchronous check of a candidate against the versions of a subject.

    ``key`` is the digest of candidate, history and policy: asking again joins the run. ``found`` holds the
    comparisons made so far, from which a worker goes on and a registration takes its verdict.
    """

    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field()
    key = models.BinaryField(max_length=32)
    level = models.CharField(max_length=LONGEST_LEVEL)
    policy = models.JSONField(default=dict)
    format = models.CharField(max_length=8, choices=FORMATS)
    text = models.TextField()
    references = models.JSONField(default=list)
    version_keys = models.JSONField(default=list)
    found = models.JSONField(default=list)
    state = models.CharField(max_length=9, choices=CheckState.choices, default=CheckState.QUEUED)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_check_public_id_once"),
            models.UniqueConstraint(fields=("namespace", "key"), name="registry_check_key_once"),
            models.CheckConstraint(
                condition=Q(state__in=CheckState.values), name="registry_check_state_known"
            ),
        )
        indexes = (
            models.Index(
                fields=("tenant", "leased_until"),
                condition=Q(state__in=("queued", "running")),
                name="registry_check_open",
            ),
            models.Index(
                fields=("tenant", "leased_until"),
                condition=Q(state__in=("done", "failed", "cancelled")),
                name="registry_check_over",
            ),
        )


class DryRunState(models.TextChoices):
    """The life of a dry run."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class DryRun(LeasedRun):
    """One dry run of a policy: what the registrations of a namespace would have met under another one.

    ``proposal`` is what is tried, ``places`` where. Subjects are taken in the order of their keys: those
    before ``at_subject`` are done, that one up to version ``at_number``. ``tally`` counts what was found,
    ``cut`` names the bound that ended it early.
    """

    proposal = models.JSONField()
    places = models.JSONField()
    state = models.CharField(max_length=9, choices=DryRunState.choices, default=DryRunState.QUEUED)
    total = models.PositiveIntegerField()
    at_subject = models.PositiveBigIntegerField(default=0)
    at_number = models.PositiveIntegerField(default=0)
    tally = models.JSONField(default=dict)
    cut = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_dry_run_public_id_once"),
            models.CheckConstraint(
                condition=Q(state__in=DryRunState.values), name="registry_dry_run_state_known"
            ),
        )
        indexes = (
            models.Index(
                fields=("tenant", "leased_until"),
                condition=Q(state__in=("queued", "running")),
                name="registry_dry_run_open",
            ),
            models.Index(
                fields=("tenant", "leased_until"),
                condition=Q(state__in=("done", "failed", "cancelled")),
                name="registry_dry_run_over",
            ),
        )


class DryRunChange(TenantOwned):
    """One version on which the two policies of a dry run do not say the same; never changed."""

    run = models.ForeignKey(
        DryRun, models.CASCADE, related_name="changes", db_constraint=False, db_index=False
    )
    position = models.PositiveIntegerField()
    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field()
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8)
    decided_by = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("run", "position"), name="registry_dry_run_position_once"),
        )
