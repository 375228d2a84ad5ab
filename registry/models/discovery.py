"""What can be found in schemas: their fields and types, and the words by which those are looked for.

A row is about the latest version of a subject, be it deleted; all of it can be made anew from the schemas
(`registry.services.indexing`). Words are kept once per tenant, each with its three-letter pieces, so that a
search by a part of a word or by a misspelt one reads the dictionary and not the rows.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from accord_server.kit.models import TenantOwned
from registry.models.columns import LONGEST_LEVEL, LONGEST_NAME, name_field, namespace_field
from registry.models.schemas import Subject

LONGEST_KIND = 8
LONGEST_OWNER = 200


class FieldSource(TenantOwned):
    """The version of a subject that its fields are those of; ``edition`` is how they were read.

    ``owner`` is the property of that name in the metadata of its schema, ``level`` the one in force.
    ``schema_key`` is no foreign key: a schema that is deleted for good goes before its fields are.
    ``older`` are the keys of the versions before, whose fields are listed as well.
    """

    namespace = namespace_field()
    subject = models.OneToOneField(Subject, models.PROTECT, related_name="+", db_constraint=False)
    schema_key = models.BigIntegerField()
    number = models.PositiveIntegerField()
    format = models.CharField(max_length=LONGEST_KIND)
    updated_at = models.DateTimeField()
    is_deleted = models.BooleanField()
    is_cut = models.BooleanField()
    owner = models.CharField(max_length=LONGEST_OWNER, blank=True)
    edition = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=LONGEST_LEVEL, blank=True, db_default="")
    older = ArrayField(models.BigIntegerField(), db_default=[])


class FieldEntry(TenantOwned):
    """A field, a type or the subject itself: what a search finds; ``words`` are keys of `FieldTerm`.

    ``number`` is the last version that had it, where the latest has it no more.
    """

    source = models.ForeignKey(
        FieldSource, models.PROTECT, related_name="entries", db_constraint=False, db_index=False
    )
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=LONGEST_KIND)
    path = name_field()
    name = name_field()
    type = models.CharField(max_length=LONGEST_NAME)
    logical = models.CharField(max_length=LONGEST_NAME, blank=True)
    doc = models.TextField(blank=True)
    tags = ArrayField(models.TextField(), default=list)
    is_required = models.BooleanField(default=False)
    is_nullable = models.BooleanField(default=False)
    has_default = models.BooleanField(default=False)
    words = ArrayField(models.BigIntegerField(), default=list)
    number = models.PositiveIntegerField(db_default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("source", "position"), name="registry_field_position_once"),
        )
        indexes = (GinIndex(fields=("words",), name="registry_field_words"),)


class FieldBand(TenantOwned):
    """A band of the ways to the fields of a version (`accord.discovery.likeness`): like ones share some."""

    source = models.ForeignKey(
        FieldSource, models.CASCADE, related_name="bands", db_constraint=False, db_index=False
    )
    value = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("source", "value"), name="registry_band_once"),)
        indexes = (models.Index(fields=("tenant", "value"), name="registry_band_alike"),)


class FieldTerm(TenantOwned):
    """A word of a tenant's fields, and what it is of them: a name, a word of a doc, a tag, a type.

    ``grams`` are its three-letter pieces as numbers that no other tenant has for them.
    """

    kind = models.CharField(max_length=LONGEST_KIND)
    text = name_field()
    grams = ArrayField(models.IntegerField(), default=list)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tenant", "kind", "text"), name="registry_term_once"),)
        indexes = (GinIndex(fields=("grams",), name="registry_term_grams"),)
