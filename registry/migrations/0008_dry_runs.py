"""Keep dry runs of policies and what they find; let the worker learn whose wait, or are old."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    SecurityDefinerFunction,
    TenantForeignKey,
)


class Migration(migrations.Migration):
    dependencies = [("registry", "0007_registrations")]

    operations = [
        migrations.CreateModel(
            name="DryRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4)),
                ("done", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("leased_until", models.DateTimeField(default=django.utils.timezone.now)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
                ("proposal", models.JSONField()),
                ("places", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=9,
                    ),
                ),
                ("total", models.PositiveIntegerField()),
                ("at_subject", models.PositiveBigIntegerField(default=0)),
                ("at_number", models.PositiveIntegerField(default=0)),
                ("tally", models.JSONField(default=dict)),
                ("cut", models.CharField(blank=True, default="", max_length=8)),
                (
                    "namespace",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.namespace",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DryRunChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("context", models.CharField(db_collation="C", default=".", max_length=1024)),
                ("name", models.CharField(db_collation="C", max_length=1024)),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=8)),
                ("decided_by", models.JSONField()),
                (
                    "run",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="registry.dryrun",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="dryrun",
            index=models.Index(
                condition=models.Q(("state__in", ("queued", "running"))),
                fields=["tenant", "leased_until"],
                name="registry_dry_run_open",
            ),
        ),
        migrations.AddIndex(
            model_name="dryrun",
            index=models.Index(
                condition=models.Q(("state__in", ("done", "failed", "cancelled"))),
                fields=["tenant", "leased_until"],
                name="registry_dry_run_over",
            ),
        ),
        migrations.AddConstraint(
            model_name="dryrun",
            constraint=models.UniqueConstraint(
                fields=("tenant", "public_id"), name="registry_dry_run_public_id_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="dryrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["queued", "running", "done", "failed", "cancelled"])),
                name="registry_dry_run_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="dryrunchange",
            constraint=models.UniqueConstraint(
                fields=("run", "position"), name="registry_dry_run_position_once"
            ),
        ),
        EnableRowSecurity("DryRun"),
        EnableRowSecurity("DryRunChange"),
        TenantForeignKey("DryRun", "namespace"),
        TenantForeignKey("DryRunChange", "run"),
        SecurityDefinerFunction(
            "registry_tenants_with_open_dry_runs",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_dryrun"
                " WHERE state IN ('queued', 'running') AND leased_until <= moment"
            ),
        ),
        SecurityDefinerFunction(
            "registry_tenants_with_old_dry_runs",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_dryrun"
                " WHERE state IN ('done', 'failed', 'cancelled') AND leased_until < before"
            ),
        ),
    ]
