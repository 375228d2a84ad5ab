"""Keep waivers: recorded permissions to register one schema once."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("registry", "0008_dry_runs")]

    operations = [
        migrations.CreateModel(
            name="Waiver",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4)),
                ("context", models.CharField(db_collation="C", default=".", max_length=1024)),
                ("name", models.CharField(db_collation="C", max_length=1024)),
                (
                    "format",
                    models.CharField(
                        choices=[("AVRO", "AVRO"), ("JSON", "JSON"), ("PROTOBUF", "PROTOBUF")], max_length=8
                    ),
                ),
                ("identity", models.BinaryField(max_length=32)),
                ("rules", models.JSONField(default=list)),
                ("findings", models.JSONField(default=list)),
                ("reason", models.CharField(max_length=500)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("used_by", models.CharField(blank=True, max_length=255)),
                ("used_version", models.PositiveIntegerField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                ("revoked_by", models.CharField(blank=True, max_length=255)),
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
        migrations.AddIndex(
            model_name="waiver",
            index=models.Index(
                condition=models.Q(("revoked_at", None), ("used_at", None)),
                fields=["namespace", "context", "name", "identity"],
                name="registry_waiver_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.UniqueConstraint(
                fields=("tenant", "public_id"), name="registry_waiver_public_id_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.CheckConstraint(
                condition=models.Q(("used_at", None), ("revoked_at", None), _connector="OR"),
                name="registry_waiver_used_or_revoked",
            ),
        ),
        EnableRowSecurity("Waiver"),
        TenantForeignKey("Waiver", "namespace"),
    ]
