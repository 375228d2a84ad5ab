"""Archives of whole tenants, written by workers, fetched part by part."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    SecurityDefinerFunction,
    TenantForeignKey,
)

TENANT = models.ForeignKey(
    db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenants.tenant"
)
KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("registry", "0023_counted_rows"), ("tenants", "0014_purged_tenants")]

    operations = [
        migrations.CreateModel(
            name="TenantExport",
            fields=[
                ("id", KEY),
                ("public_id", models.UUIDField(default=uuid.uuid4)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=7,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("leased_until", models.DateTimeField(default=django.utils.timezone.now)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
                ("ended_at", models.DateTimeField(null=True)),
                ("tenant", TENANT),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "public_id"), name="registry_export_public_id_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("queued", "running"))),
                        fields=("tenant",),
                        name="registry_export_one_open",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["queued", "running", "done", "failed"])),
                        name="registry_export_state_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExportPart",
            fields=[
                ("id", KEY.clone()),
                ("number", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                (
                    "export",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="registry.tenantexport",
                    ),
                ),
                ("tenant", TENANT.clone()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("export", "number"), name="registry_export_part_once"),
                ],
            },
        ),
        EnableRowSecurity("TenantExport"),
        EnableRowSecurity("ExportPart"),
        TenantForeignKey("ExportPart", "export", cascades=True),
        SecurityDefinerFunction(
            "registry_tenants_with_open_exports",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT tenant_id FROM registry_tenantexport"
                " WHERE state IN ('queued', 'running') AND leased_until <= moment"
            ),
        ),
        SecurityDefinerFunction(
            "registry_tenants_with_old_exports",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM registry_tenantexport WHERE ended_at < before",
        ),
    ]
