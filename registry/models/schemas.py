"""Schemas, what they are made of, and the subjects whose versions they are."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.lookups import Exact
from django.utils import timezone

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.models import TenantOwned
from registry.models.columns import (
    DIGEST_BYTES,
    FORMATS,
    LONGEST_LEVEL,
    LONGEST_PRINCIPAL,
    JsonType,
    OctetLength,
    name_field,
    namespace_field,
    state_field,
    state_known,
)
from registry.models.descriptors import DescriptorSet


class Content(TenantOwned):
    """A canonical text, stored once per tenant and never changed."""

    format = models.CharField(max_length=8, choices=FORMATS)
    digest = models.BinaryField(max_length=32)
    text = models.TextField()

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
    mean the same have equal ones, so a look-up compares digests and reads no texts. ``rabin``, ``md5`` and
    ``sha256`` are the fingerprints of the Avro specification: empty in other formats, None where they wait to
    be filled in (`registry.services.fingerprints`). ``descriptor_set`` is what a Protobuf schema was compiled
    to, with all it imports: what it imports depends on its references, so that texts have none.
    """

    namespace = namespace_field()
    context = name_field(default=DEFAULT_CONTEXT)
    number = models.PositiveIntegerField()
    content = models.ForeignKey(Content, models.PROTECT, related_name="schemas", db_constraint=False)
    guid = models.UUIDField()
    identity = models.BinaryField(max_length=32)
    equivalence = models.BinaryField(max_length=32)
    references = models.JSONField(default=list)
    contract = models.ForeignKey(
        Contract, models.PROTECT, null=True, related_name="schemas", db_constraint=False
    )
    descriptor_set = models.ForeignKey(
        DescriptorSet, models.PROTECT, null=True, related_name="schemas", db_constraint=False, db_index=False
    )
    rabin = models.BinaryField(max_length=8, null=True)
    md5 = models.BinaryField(max_length=16, null=True)
    sha256 = models.BinaryField(max_length=32, null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("namespace", "context", "number"), name="registry_schema_number_once"
            ),
        )
        indexes = (
            models.Index(fields=("namespace", "context", "identity"), name="registry_schema_identity"),
            models.Index(fields=("namespace", "guid"), name="registry_schema_guid"),
            models.Index(fields=("namespace", "rabin"), name="registry_schema_rabin"),
            models.Index(fields=("namespace", "md5"), name="registry_schema_md5"),
            models.Index(fields=("namespace", "sha256"), name="registry_schema_sha256"),
            models.Index(
                fields=("tenant",), condition=Q(sha256__isnull=True), name="registry_schema_unprinted"
            ),
            models.Index(
                fields=("descriptor_set",),
                condition=Q(descriptor_set__isnull=False),
                name="registry_schema_set",
            ),
        )


class Subject(TenantOwned):
    """A named line of evolution; its row is what registrations and deletions lock first."""

    namespace = namespace_field()
    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("namespace", "context", "name"), name="registry_subject_name_once"
            ),
        )


class Version(TenantOwned):
    """A numbered place in a subject that points to a schema; only its state and deletion mark ever change.

    ``state`` says what it may be used for (`registry.version_states`), ``state_changed_at`` since when;
    None where it never changed.

    ``level``, ``in_force``, ``judged`` and ``findings`` are what was in force, and what it said, at
    registration (`registry.registration_records`); None where that was not kept yet.
    """

    subject = models.ForeignKey(
        Subject, models.PROTECT, related_name="versions", db_constraint=False, db_index=False
    )
    number = models.PositiveIntegerField()
    schema = models.ForeignKey(Schema, models.PROTECT, related_name="versions", db_constraint=False)
    deleted_at = models.DateTimeField(null=True)
    state = state_field()
    state_changed_at = models.DateTimeField(null=True)
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
            state_known("registry_version_state_known"),
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
    """The highest id ever issued or imported in a context; locked last, never lowered.

    A context that was dropped keeps it: ids are never issued again.
    """

    namespace = namespace_field()
    context = name_field(default=DEFAULT_CONTEXT)
    last = models.PositiveIntegerField(default=0)
    is_dropped = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "context"), name="registry_counter_once"),
        )
