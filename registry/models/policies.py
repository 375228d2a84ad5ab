"""Policies, where they are bound, and the waivers of what they refuse."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.models import TenantOwned
from registry.models.columns import (
    BYTEWISE,
    FORMATS,
    LONGEST_POLICY_NAME,
    LONGEST_PRINCIPAL,
    LONGEST_REASON,
    name_field,
    namespace_field,
)


class Waiver(TenantOwned):
    """A permission to register one schema (``identity``) under one subject once, despite what blocks.

    It waives every finding of ``rules``, or without any exactly ``findings``: rule, path and direction of
    each. Used, ended or past ``expires_at`` it waives nothing more.
    """

    namespace = namespace_field()
    public_id = models.UUIDField(default=uuid.uuid4)
    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field()
    format = models.CharField(max_length=8, choices=FORMATS)
    identity = models.BinaryField(max_length=32)
    rules = models.JSONField(default=list)
    findings = models.JSONField(default=list)
    reason = models.CharField(max_length=LONGEST_REASON)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.CharField(max_length=LONGEST_PRINCIPAL, blank=True)
    used_version = models.PositiveIntegerField(null=True)
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=LONGEST_PRINCIPAL, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "public_id"), name="registry_waiver_public_id_once"),
            models.CheckConstraint(
                condition=Q(used_at=None) | Q(revoked_at=None), name="registry_waiver_used_or_revoked"
            ),
        )
        indexes = (
            models.Index(
                fields=("namespace", "context", "name", "identity"),
                condition=Q(used_at=None, revoked_at=None),
                name="registry_waiver_open",
            ),
        )


class Policy(TenantOwned):
    """A name that policies are known by; ``newest`` is the version in force wherever it is bound.

    A deleted one keeps its versions, so that their numbers never mean two things.
    """

    name = models.CharField(max_length=LONGEST_POLICY_NAME, db_collation=BYTEWISE)
    newest = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tenant", "name"), name="registry_policy_name_once"),)


class PolicySyntax(models.TextChoices):
    """How the text of a policy is written."""

    YAML = "yaml"
    JSON = "json"


class PolicyVersion(TenantOwned):
    """One version of a policy, never changed: what it says, as it was written, by whom and why."""

    policy = models.ForeignKey(
        Policy, models.PROTECT, related_name="versions", db_constraint=False, db_index=False
    )
    number = models.PositiveIntegerField()
    document = models.JSONField()
    source = models.TextField()
    syntax = models.CharField(max_length=4, choices=PolicySyntax.choices)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    reverted_from = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("policy", "number"), name="registry_policy_number_once"),
            models.CheckConstraint(
                condition=Q(syntax__in=PolicySyntax.values), name="registry_policy_syntax_known"
            ),
        )


class PolicyBinding(TenantOwned):
    """A place that the newest version of a policy counts for; a place has one at most.

    Without a namespace it is the whole tenant, without a context the whole namespace; else a subject, or
    all whose names begin so. ``number`` is that of the change that made it as it is.
    """

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="bindings", db_constraint=False)
    namespace = models.ForeignKey(
        "tenants.Namespace", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )
    context = name_field(default="", blank=True)
    name = name_field(default="", blank=True)
    is_prefix = models.BooleanField(default=False)
    number = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tenant", "namespace", "context", "name", "is_prefix"),
                name="registry_binding_place_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(namespace__isnull=False) | Q(context="", name="", is_prefix=False),
                name="registry_binding_of_tenant_has_no_name",
            ),
            models.CheckConstraint(
                condition=~Q(context="") | Q(name="", is_prefix=False),
                name="registry_binding_of_namespace_has_no_name",
            ),
        )


class PolicyBindingChange(TenantOwned):
    """One change of what is bound to a place, never changed: the policy or none, by whom and why.

    Numbers go on when a place was free for a while, so that none ever means two things.
    """

    namespace = models.ForeignKey(
        "tenants.Namespace", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )
    context = name_field(default="", blank=True)
    name = name_field(default="", blank=True)
    is_prefix = models.BooleanField(default=False)
    number = models.PositiveIntegerField()
    policy = models.CharField(max_length=LONGEST_POLICY_NAME, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tenant", "namespace", "context", "name", "is_prefix", "number"),
                name="registry_binding_change_number_once",
                nulls_distinct=False,
            ),
        )
