"""The life of what is registered: changes of state, comments, descriptions, and what may be deleted."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord_server.kit.models import TenantOwned
from registry.models.columns import LONGEST_PRINCIPAL, LONGEST_REASON, LONGEST_STATE, STATES
from registry.models.descriptors import ModuleVersion
from registry.models.schemas import Subject, Version


class StateChange(TenantOwned):
    """One step in the life of what has states: who took it, when and why; rows are only ever added."""

    before = models.CharField(max_length=LONGEST_STATE, choices=STATES)
    after = models.CharField(max_length=LONGEST_STATE, choices=STATES)
    reason = models.CharField(max_length=LONGEST_REASON)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        abstract = True


class VersionStateChange(StateChange):
    """One step in the life of a version."""

    version = models.ForeignKey(
        Version, models.CASCADE, related_name="state_changes", db_constraint=False, db_index=False
    )

    class Meta:
        indexes = (models.Index(fields=("version", "id"), name="registry_state_change_newest"),)


class ModuleStateChange(StateChange):
    """One step in the life of a version of a module, which the database takes along when that goes."""

    version = models.ForeignKey(
        ModuleVersion, models.DO_NOTHING, related_name="state_changes", db_constraint=False, db_index=False
    )

    class Meta:
        indexes = (models.Index(fields=("version", "id"), name="registry_module_state_newest"),)


class VersionComment(TenantOwned):
    """What somebody said about a version, in plain text."""

    version = models.ForeignKey(
        Version, models.CASCADE, related_name="comments", db_constraint=False, db_index=False
    )
    public_id = models.UUIDField(default=uuid.uuid4)
    text = models.TextField()
    author = models.CharField(max_length=LONGEST_PRINCIPAL)
    created_at = models.DateTimeField(default=timezone.now)
    edited_at = models.DateTimeField(null=True)
    revision = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_comment_public_id_once"),
        )
        indexes = (models.Index(fields=("version", "id"), name="registry_comment_newest"),)


class Detail(TenantOwned):
    """Description, labels and properties of a subject, or of one of its versions."""

    subject = models.ForeignKey(
        Subject, models.CASCADE, related_name="details", db_constraint=False, db_index=False, null=True
    )
    version = models.ForeignKey(
        Version, models.CASCADE, related_name="details", db_constraint=False, db_index=False, null=True
    )
    description = models.TextField(blank=True)
    labels = models.JSONField(default=list)
    properties = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=2)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("subject",), name="registry_detail_once_per_subject"),
            models.UniqueConstraint(fields=("version",), name="registry_detail_once_per_version"),
            models.CheckConstraint(
                condition=Q(subject__isnull=True, version__isnull=False)
                | Q(subject__isnull=False, version__isnull=True),
                name="registry_detail_of_one_thing",
            ),
        )


class DeletionRule(TenantOwned):
    """What may not be deleted in a namespace, or without one in all of the tenant."""

    namespace = models.ForeignKey(
        "tenants.Namespace",
        models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
        null=True,
    )
    forbids_soft = models.BooleanField(default=False)
    forbids_permanent = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=2)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace",), name="registry_deletion_once_per_namespace"),
            models.UniqueConstraint(
                fields=("tenant",),
                condition=Q(namespace__isnull=True),
                name="registry_deletion_once_per_tenant",
            ),
        )
