"""Keep the life of versions: their states, comments, what is said of them, and what may be deleted."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("registry", "0019_descriptors")]

    operations = [
        migrations.CreateModel(
            name="DeletionRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("forbids_soft", models.BooleanField(default=False)),
                ("forbids_permanent", models.BooleanField(default=False)),
                ("revision", models.PositiveIntegerField(default=2)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed_by", models.CharField(max_length=255)),
            ],
        ),
        migrations.CreateModel(
            name="Detail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("description", models.TextField(blank=True)),
                ("labels", models.JSONField(default=list)),
                ("properties", models.JSONField(default=dict)),
                ("revision", models.PositiveIntegerField(default=2)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed_by", models.CharField(max_length=255)),
            ],
        ),
        migrations.CreateModel(
            name="VersionComment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4)),
                ("text", models.TextField()),
                ("author", models.CharField(max_length=255)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("edited_at", models.DateTimeField(null=True)),
                ("revision", models.PositiveIntegerField(default=1)),
            ],
        ),
        migrations.CreateModel(
            name="VersionStateChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "before",
                    models.CharField(
                        choices=[
                            ("enabled", "enabled"),
                            ("deprecated", "deprecated"),
                            ("disabled", "disabled"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        choices=[
                            ("enabled", "enabled"),
                            ("deprecated", "deprecated"),
                            ("disabled", "disabled"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed_by", models.CharField(max_length=255)),
            ],
        ),
        migrations.AddField(
            model_name="version",
            name="state",
            field=models.CharField(
                choices=[("enabled", "enabled"), ("deprecated", "deprecated"), ("disabled", "disabled")],
                db_default="enabled",
                default="enabled",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="version",
            name="state_changed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddConstraint(
            model_name="version",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["enabled", "deprecated", "disabled"])),
                name="registry_version_state_known",
            ),
        ),
        migrations.AddField(
            model_name="deletionrule",
            name="namespace",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tenants.namespace",
            ),
        ),
        migrations.AddField(
            model_name="deletionrule",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddField(
            model_name="detail",
            name="subject",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="details",
                to="registry.subject",
            ),
        ),
        migrations.AddField(
            model_name="detail",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddField(
            model_name="detail",
            name="version",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="details",
                to="registry.version",
            ),
        ),
        migrations.AddField(
            model_name="versioncomment",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddField(
            model_name="versioncomment",
            name="version",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="comments",
                to="registry.version",
            ),
        ),
        migrations.AddField(
            model_name="versionstatechange",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddField(
            model_name="versionstatechange",
            name="version",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="state_changes",
                to="registry.version",
            ),
        ),
        migrations.AddConstraint(
            model_name="deletionrule",
            constraint=models.UniqueConstraint(
                fields=("namespace",), name="registry_deletion_once_per_namespace"
            ),
        ),
        migrations.AddConstraint(
            model_name="deletionrule",
            constraint=models.UniqueConstraint(
                condition=models.Q(("namespace__isnull", True)),
                fields=("tenant",),
                name="registry_deletion_once_per_tenant",
            ),
        ),
        migrations.AddConstraint(
            model_name="detail",
            constraint=models.UniqueConstraint(fields=("subject",), name="registry_detail_once_per_subject"),
        ),
        migrations.AddConstraint(
            model_name="detail",
            constraint=models.UniqueConstraint(fields=("version",), name="registry_detail_once_per_version"),
        ),
        migrations.AddConstraint(
            model_name="detail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("subject__isnull", True), ("version__isnull", False)),
                    models.Q(("subject__isnull", False), ("version__isnull", True)),
                    _connector="OR",
                ),
                name="registry_detail_of_one_thing",
            ),
        ),
        migrations.AddIndex(
            model_name="versioncomment",
            index=models.Index(fields=["version", "id"], name="registry_comment_newest"),
        ),
        migrations.AddConstraint(
            model_name="versioncomment",
            constraint=models.UniqueConstraint(
                fields=("tenant", "public_id"), name="registry_comment_public_id_once"
            ),
        ),
        migrations.AddIndex(
            model_name="versionstatechange",
            index=models.Index(fields=["version", "id"], name="registry_state_change_newest"),
        ),
        EnableRowSecurity("VersionStateChange", is_insert_only=True),
        EnableRowSecurity("VersionComment"),
        EnableRowSecurity("Detail"),
        EnableRowSecurity("DeletionRule"),
        TenantForeignKey("VersionStateChange", "version", cascades=True),
        TenantForeignKey("VersionComment", "version", cascades=True),
        TenantForeignKey("Detail", "subject", cascades=True),
        TenantForeignKey("Detail", "version", cascades=True),
        TenantForeignKey("DeletionRule", "namespace", cascades=True),
    ]
