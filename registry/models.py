"""Tables of the registry and the constraints that hold whatever the code above them does.

Names are compared byte by byte (collation C): sorting is the same everywhere, and a search by prefix
can use the index.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accord.model import DEFAULT_CONTEXT, Format
from accord_server.kit.models import TenantOwned

FORMATS = [(one.value, one.value) for one in Format]
BYTEWISE = "C"
# A qualified subject has at most this many bytes; an index row ends at 2,704.
LONGEST_NAME = 1024
LONGEST_PRINCIPAL = 255
# Two sides, each down to a version of ten digits.
LONGEST_LEVEL = 64
LONGEST_REASON = 500
LONGEST_POLICY_NAME = 40


def _name_field(**options: Any) -> models.CharField[str, str]:
    return models.CharField(max_length=LONGEST_NAME, db_collation=BYTEWISE, **options)


def _namespace_field() -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        "tenants.Namespace", models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )


class Content(TenantOwned):
    """A canonical text, stored once per tenant and never changed.

    ``descriptor_set`` waits for Protobuf: the compiled files beside their text.
    """

    format = models.CharField(max_length=8, choices=FORMATS)
    digest = models.BinaryField(max_length=32)
    text = models.TextField()
    descriptor_set = models.BinaryField(null=True)

    class Meta:
        constraints = (
            # Two formats can share a text, and what it means depends on the format.
            models.UniqueConstraint(
                fields=("tenant", "digest", "format"), name="registry_content_once_per_tenant"
            ),
        )


class Schema(TenantOwned):
    """A content with its references under an id of a context; never changed.

    ``number`` is Confluent's id. ``identity`` is the digest of everything that makes a schema the same
    schema (an import may give it several ids), ``equivalence`` that of its meaning alone, references written
    out and the order of properties settled, docs and defaults kept (`ParsedSchema.comparable`): schemas that
    mean the same have equal ones, so a look-up compares digests and reads no texts.
    """

    namespace = _namespace_field()
    context = _name_field(default=DEFAULT_CONTEXT)
    number = models.PositiveIntegerField()
    content = models.ForeignKey(Content, models.PROTECT, related_name="schemas", db_constraint=False)
    guid = models.UUIDField()
    identity = models.BinaryField(max_length=32)
    equivalence = models.BinaryField(max_length=32)
    references = models.JSONField(default=list)
    metadata = models.JSONField(null=True)
    rule_set = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("namespace", "context", "number"), name="registry_schema_number_once"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="registry_schema_number_positive"),
        )
        indexes = (
            models.Index(fields=("namespace", "context", "identity"), name="registry_schema_identity"),
            models.Index(fields=("namespace", "guid"), name="registry_schema_guid"),
        )


class Subject(TenantOwned):
    """A named line of evolution; its row is what registrations and deletions lock first."""

    namespace = _namespace_field()
    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("namespace", "context", "name"), name="registry_subject_name_once"
            ),
        )


class Version(TenantOwned):
    """A numbered place in a subject that points to a schema; only its deletion mark ever changes.

    ``level``, ``policies`` (names and versions, nearest first) and ``findings`` are what was in force, and
    what it said, at registration.
    """

    subject = models.ForeignKey(
        Subject, models.PROTECT, related_name="versions", db_constraint=False, db_index=False
    )
    number = models.PositiveIntegerField()
    schema = models.ForeignKey(Schema, models.PROTECT, related_name="versions", db_constraint=False)
    deleted_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)
    level = models.CharField(max_length=LONGEST_LEVEL)
    policies = models.JSONField(default=list)
    findings = models.JSONField(default=list)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("subject", "number"), name="registry_version_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="registry_version_number_positive"),
        )


class SchemaReference(TenantOwned):
    """An edge: the schema uses a version, soft-deleted or not, which therefore cannot vanish."""

    schema = models.ForeignKey(
        Schema, models.PROTECT, related_name="edges", db_constraint=False, db_index=False
    )
    position = models.PositiveSmallIntegerField()
    target = models.ForeignKey(Version, models.PROTECT, related_name="dependants", db_constraint=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("schema", "position"), name="registry_reference_position_once"),
        )


class Counter(TenantOwned):
    """The highest id ever issued or imported in a context; locked last, never lowered."""

    namespace = _namespace_field()
    context = _name_field(default=DEFAULT_CONTEXT)
    last = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "context"), name="registry_counter_once"),
        )


class Config(TenantOwned):
    """The whole config record of a subject, a context (empty name) or the pseudo-context above all."""

    namespace = _namespace_field()
    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field(default="", blank=True)
    record = models.JSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "context", "name"), name="registry_config_once"),
        )


class Mode(TenantOwned):
    """The mode of a subject, a context (empty name) or the pseudo-context above all."""

    namespace = _namespace_field()
    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field(default="", blank=True)
    mode = models.CharField(max_length=32)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "context", "name"), name="registry_mode_once"),
        )


class CheckState(models.TextChoices):
    """The life of a check run."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class CheckRun(TenantOwned):
    """One asynchronous check of a candidate against the versions of a subject.

    ``key`` is the digest of candidate, history and policy: asking again joins the run. Whoever works on
    it holds it until ``leased_until``; then anybody may take it up again, from ``done`` on. Once it is
    over, ``leased_until`` is when it ended.
    """

    namespace = _namespace_field()
    public_id = models.UUIDField(default=uuid.uuid4)
    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field()
    key = models.BinaryField(max_length=32)
    level = models.CharField(max_length=LONGEST_LEVEL)
    policy = models.JSONField(default=dict)
    format = models.CharField(max_length=8, choices=FORMATS)
    text = models.TextField()
    references = models.JSONField(default=list)
    version_keys = models.JSONField(default=list)
    state = models.CharField(max_length=8, choices=CheckState.choices, default=CheckState.QUEUED)
    done = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(default=timezone.now)
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)

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
                condition=Q(state__in=("done", "failed")),
                name="registry_check_over",
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
    all whose names begin so.
    """

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="bindings", db_constraint=False)
    namespace = models.ForeignKey(
        "tenants.Namespace", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )
    context = _name_field(default="", blank=True)
    name = _name_field(default="", blank=True)
    is_prefix = models.BooleanField(default=False)
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
