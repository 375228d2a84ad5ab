"""Keep imports, and what was refused of them."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("registry", "0016_id_zero")]

    operations = [
        migrations.CreateModel(
            name="ImportRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4)),
                ("source", models.CharField(max_length=500)),
                (
                    "state",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done"), ("cancelled", "Cancelled")],
                        default="running",
                        max_length=9,
                    ),
                ),
                ("planned", models.JSONField(default=dict)),
                ("registered", models.PositiveIntegerField(default=0)),
                ("deleted", models.PositiveIntegerField(default=0)),
                ("present", models.PositiveIntegerField(default=0)),
                ("refused", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
                ("heard_at", models.DateTimeField(default=django.utils.timezone.now)),
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
            name="ImportIssue",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("context", models.CharField(db_collation="C", default=".", max_length=1024)),
                ("name", models.CharField(db_collation="C", max_length=1024)),
                ("number", models.PositiveIntegerField()),
                ("code", models.CharField(max_length=60)),
                ("message", models.TextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="issues",
                        to="registry.importrun",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="importrun",
            index=models.Index(fields=["namespace", "id"], name="registry_import_newest"),
        ),
        migrations.AddConstraint(
            model_name="importrun",
            constraint=models.UniqueConstraint(
                fields=("tenant", "public_id"), name="registry_import_public_id_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="importrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "running")),
                fields=("namespace",),
                name="registry_import_one_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="importrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["running", "done", "cancelled"])),
                name="registry_import_state_known",
            ),
        ),
        migrations.AddIndex(
            model_name="importissue",
            index=models.Index(fields=["run", "id"], name="registry_import_issue_of_run"),
        ),
        EnableRowSecurity("ImportRun"),
        EnableRowSecurity("ImportIssue"),
        TenantForeignKey("ImportRun", "namespace"),
        TenantForeignKey("ImportIssue", "run"),
    ]
