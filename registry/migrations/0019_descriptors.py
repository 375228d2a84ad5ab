"""Keep compiled Protobuf files once per tenant, the sets they belong to, and the modules that name those."""

import django.utils.timezone
from django.db import migrations, models
from django.db.models.deletion import PROTECT
from django.db.models.lookups import Exact

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    FreezeRows,
    SecurityDefinerFunction,
    TenantForeignKey,
)
from registry.models.columns import OctetLength


class Migration(migrations.Migration):
    dependencies = [("registry", "0018_sealed_metadata")]

    operations = [
        migrations.CreateModel(
            name="ProtoFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("path", models.CharField(db_collation="C", max_length=1024)),
                ("package", models.CharField(db_collation="C", max_length=1024)),
                ("descriptor", models.BinaryField()),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="+", to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "digest"), name="registry_proto_file_once_per_tenant"
                    ),
                    models.CheckConstraint(
                        condition=Exact(OctetLength("digest"), 32), name="registry_proto_file_digest_whole"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProtoNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("text", models.TextField(default="")),
                ("source_info", models.BinaryField(default=b"")),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="+", to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "digest"), name="registry_proto_note_once_per_tenant"
                    ),
                    models.CheckConstraint(
                        condition=Exact(OctetLength("digest"), 32), name="registry_proto_note_digest_whole"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DescriptorSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("warnings", models.JSONField(default=list)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="+", to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "digest"), name="registry_descriptor_set_once_per_tenant"
                    ),
                    models.CheckConstraint(
                        condition=Exact(OctetLength("digest"), 32),
                        name="registry_descriptor_set_digest_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DescriptorSetEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant",
                        "set",
                        "position",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="+", to="tenants.tenant"
                    ),
                ),
                (
                    "set",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="entries",
                        to="registry.descriptorset",
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=PROTECT,
                        related_name="entries",
                        to="registry.protofile",
                    ),
                ),
                (
                    "note",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=PROTECT,
                        related_name="entries",
                        to="registry.protonote",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("is_import", models.BooleanField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("note__isnull", False)),
                        fields=["note"],
                        name="registry_set_entry_note",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Module",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(db_collation="C", max_length=200)),
                ("newest", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="+", to="tenants.tenant"
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="+",
                        to="tenants.namespace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("namespace", "name"), name="registry_module_name_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ModuleVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("level", models.CharField(max_length=64)),
                ("findings", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="+", to="tenants.tenant"
                    ),
                ),
                (
                    "module",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="versions",
                        to="registry.module",
                    ),
                ),
                (
                    "set",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=PROTECT,
                        related_name="uses",
                        to="registry.descriptorset",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("module", "number"), name="registry_module_version_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="registry_module_version_positive"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="schema",
            name="descriptor_set",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=PROTECT,
                related_name="schemas",
                to="registry.descriptorset",
            ),
        ),
        migrations.AddIndex(
            model_name="schema",
            index=models.Index(
                condition=models.Q(("descriptor_set__isnull", False)),
                fields=["descriptor_set"],
                name="registry_schema_set",
            ),
        ),
        EnableRowSecurity("ProtoFile"),
        EnableRowSecurity("ProtoNote"),
        EnableRowSecurity("DescriptorSet"),
        EnableRowSecurity("DescriptorSetEntry"),
        EnableRowSecurity("Module"),
        EnableRowSecurity("ModuleVersion"),
        FreezeRows("ProtoFile"),
        FreezeRows("ProtoNote"),
        FreezeRows("DescriptorSet"),
        FreezeRows("DescriptorSetEntry"),
        TenantForeignKey("DescriptorSetEntry", "set"),
        TenantForeignKey("DescriptorSetEntry", "file"),
        TenantForeignKey("DescriptorSetEntry", "note"),
        TenantForeignKey("Module", "namespace"),
        TenantForeignKey("ModuleVersion", "module"),
        TenantForeignKey("ModuleVersion", "set"),
        TenantForeignKey("Schema", "descriptor_set"),
        SecurityDefinerFunction(
            "registry_tenants_with_unused_files",
            arguments="",
            returns="SETOF uuid",
            body="""
                SELECT tenant_id FROM registry_descriptorset AS listed
                WHERE NOT EXISTS (SELECT FROM registry_moduleversion WHERE set_id = listed.id)
                    AND NOT EXISTS (SELECT FROM registry_schema WHERE descriptor_set_id = listed.id)
                UNION SELECT tenant_id FROM registry_protofile AS file
                WHERE NOT EXISTS (SELECT FROM registry_descriptorsetentry WHERE file_id = file.id)
                UNION SELECT tenant_id FROM registry_protonote AS note
                WHERE NOT EXISTS (SELECT FROM registry_descriptorsetentry WHERE note_id = note.id)
            """,
        ),
        # Nothing was ever written there. The column stays until no server of an older release reads it.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="content", name="descriptor_set")]
        ),
    ]
