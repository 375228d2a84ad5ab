"""Give versions of modules a state, and keep how they came to it; let them carry properties."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey

STATES = [("enabled", "enabled"), ("deprecated", "deprecated"), ("disabled", "disabled")]


class Migration(migrations.Migration):
    dependencies = [("registry", "0029_search_groups")]

    operations = [
        migrations.AddField(
            model_name="moduleversion",
            name="properties",
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddField(
            model_name="moduleversion",
            name="state",
            field=models.CharField(choices=STATES, db_default="enabled", default="enabled", max_length=10),
        ),
        migrations.AddField(
            model_name="moduleversion",
            name="state_changed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddConstraint(
            model_name="moduleversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["enabled", "deprecated", "disabled"])),
                name="registry_module_version_state_known",
            ),
        ),
        migrations.CreateModel(
            name="ModuleStateChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("before", models.CharField(choices=STATES, max_length=10)),
                ("after", models.CharField(choices=STATES, max_length=10)),
                ("reason", models.CharField(max_length=500)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed_by", models.CharField(max_length=255)),
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
                    "version",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="state_changes",
                        to="registry.moduleversion",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["version", "id"], name="registry_module_state_newest")],
            },
        ),
        EnableRowSecurity("ModuleStateChange", is_insert_only=True),
        TenantForeignKey("ModuleStateChange", "version", cascades=True),
    ]
