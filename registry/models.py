"""Tables of the registry and the constraints that hold whatever the code above them does.

Names are compared byte by byte (collation C): sorting is the same everywhere, and a search by prefix
can use the index.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.lookups import Exact
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
# SHA-256.
DIGEST_BYTES = 32


class OctetLength(models.Func):
    """How many bytes a value has."""

    function = "octet_length"
    output_field = models.IntegerField()


class JsonType(models.Func):
    """What kind of JSON value a column holds."""

    function = "jsonb_typeof"
    output_field = models.TextField()


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


class Contract(TenantOwned):
    """Metadata and rule set of schemas, stored once per tenant and never changed.

    ``digest`` is that of both; None is not the same as empty, and a row has one of them at least.
    """

    digest = models.BinaryField(max_length=32)
    metadata = models.JSONField(null=True)
    rule_set = models.JSONField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "digest"), name="registry_contract_once_per_tenant"),
            models.CheckConstraint(
                condition=Q(metadata__isnull=False) | Q(rule_set__isnull=False),
                name="registry_contract_says_something",
            ),
            models.CheckConstraint(
                condition=Exact(OctetLength("digest"), DIGEST_BYTES), name="registry_contract_digest_whole"
            ),
            models.CheckConstraint(
                condition=Q(metadata__isnull=True) | Q(Exact(JsonType("metadata"), "object")),
                name="registry_contract_metadata_object",
            ),
            models.CheckConstraint(
                condition=Q(rule_set__isnull=True) | Q(Exact(JsonType("rule_set"), "object")),
                name="registry_contract_rule_set_object",
            ),
        )


class Schema(TenantOwned):
    """A content with its references, metadata and rules under an id of a context; never changed.

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
    contract = models.ForeignKey(
        Contract, models.PROTECT, null=True, related_name="schemas", db_constraint=False
    )
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

    ``level``, ``in_force``, ``judged`` and ``findings`` are what was in force, and what it said, at
    registration (`registry.registration_records`); None where that was not kept yet.
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
    in_force = models.JSONField(null=True)
    judged = models.JSONField(null=True)
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
    CANCELLED = "cancelled"


class LeasedRun(TenantOwned):
    """Work of a worker that outlives a request: whoever does it holds the row until ``leased_until``.

    Then anybody may take it up again, from ``done`` on. Once it is over, ``leased_until`` is when it ended.
    """

    namespace = _namespace_field()
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

    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field()
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
    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field()
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8)
    decided_by = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("run", "position"), name="registry_dry_run_position_once"),
        )


class Waiver(TenantOwned):
    """A permission to register one schema (``identity``) under one subject once, despite what blocks.

    It waives every finding of ``rules``, or without any exactly ``findings``: rule, path and direction of
    each. Used, ended or past ``expires_at`` it waives nothing more.
    """

    namespace = _namespace_field()
    public_id = models.UUIDField(default=uuid.uuid4)
    context = _name_field(default=DEFAULT_CONTEXT)
    name = _name_field()
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
    context = _name_field(default="", blank=True)
    name = _name_field(default="", blank=True)
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
    context = _name_field(default="", blank=True)
    name = _name_field(default="", blank=True)
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
