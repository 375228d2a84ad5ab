"""Compiled Protobuf files, stored once however many sets use them, and what names those sets."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.lookups import Exact
from django.utils import timezone

from accord_server.kit.models import TenantOwned
from registry.models.columns import (
    BYTEWISE,
    DIGEST_BYTES,
    LONGEST_LEVEL,
    LONGEST_PRINCIPAL,
    OctetLength,
    name_field,
    namespace_field,
    state_field,
    state_known,
)

LONGEST_MODULE = 200


class ProtoFile(TenantOwned):
    """One compiled file, never changed: ``digest`` is the SHA-256 of ``descriptor``.

    ``descriptor`` is a ``FileDescriptorProto`` as protoc makes it, without what is noted of its text.
    """

    digest = models.BinaryField(max_length=32)
    path = name_field()
    package = name_field()
    descriptor = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "digest"), name="registry_proto_file_once_per_tenant"),
            models.CheckConstraint(
                condition=Exact(OctetLength("digest"), DIGEST_BYTES), name="registry_proto_file_digest_whole"
            ),
        )


class ProtoNote(TenantOwned):
    """What only the text of a file tells, never changed: the text, or a ``SourceCodeInfo``, or both."""

    digest = models.BinaryField(max_length=32)
    text = models.TextField(default="")
    source_info = models.BinaryField(default=b"")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tenant", "digest"), name="registry_proto_note_once_per_tenant"),
            models.CheckConstraint(
                condition=Exact(OctetLength("digest"), DIGEST_BYTES), name="registry_proto_note_digest_whole"
            ),
        )


class DescriptorSet(TenantOwned):
    """A set of files, imports first, never changed; schemas and modules point to it.

    ``warnings`` are protoc's on the texts it was compiled from.
    """

    digest = models.BinaryField(max_length=32)
    warnings = models.JSONField(default=list)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tenant", "digest"), name="registry_descriptor_set_once_per_tenant"
            ),
            models.CheckConstraint(
                condition=Exact(OctetLength("digest"), DIGEST_BYTES),
                name="registry_descriptor_set_digest_whole",
            ),
        )


class DescriptorSetEntry(TenantOwned):
    """One file at its place in a set. There are very many of them, so that they have no key of their own."""

    pk = models.CompositePrimaryKey("tenant", "set", "position")
    set = models.ForeignKey(
        DescriptorSet, models.PROTECT, related_name="entries", db_constraint=False, db_index=False
    )
    file = models.ForeignKey(ProtoFile, models.PROTECT, related_name="entries", db_constraint=False)
    note = models.ForeignKey(
        ProtoNote, models.PROTECT, null=True, related_name="entries", db_constraint=False, db_index=False
    )
    position = models.PositiveSmallIntegerField()
    is_import = models.BooleanField()

    class Meta:
        indexes = (
            models.Index(fields=("note",), condition=Q(note__isnull=False), name="registry_set_entry_note"),
        )


class Module(TenantOwned):
    """A named line of descriptor sets; ``newest`` is the highest number ever given, so that none comes twice.

    The row stays when its versions go, and is locked by whoever adds one.
    """

    namespace = namespace_field()
    name = models.CharField(max_length=LONGEST_MODULE, db_collation=BYTEWISE)
    newest = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "name"), name="registry_module_name_once"),
        )


class ModuleVersion(TenantOwned):
    """A numbered place in a module that points to a set; only its state ever changes.

    ``state`` says what it may be used for (`registry.version_states`), ``state_changed_at`` since when.
    ``properties`` are what was said of it when it was uploaded, such as who owns it; ``level`` and
    ``findings`` are what was in force then, and what it said.
    """

    module = models.ForeignKey(
        Module, models.PROTECT, related_name="versions", db_constraint=False, db_index=False
    )
    number = models.PositiveIntegerField()
    set = models.ForeignKey(DescriptorSet, models.PROTECT, related_name="uses", db_constraint=False)
    properties = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    state = state_field()
    state_changed_at = models.DateTimeField(null=True)
    level = models.CharField(max_length=LONGEST_LEVEL)
    findings = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=LONGEST_PRINCIPAL)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("module", "number"), name="registry_module_version_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="registry_module_version_positive"),
            state_known("registry_module_version_state_known"),
        )
