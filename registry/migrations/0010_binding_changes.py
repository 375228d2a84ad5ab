"""Keep what was bound to each place: who changed it, when and why."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("registry", "0009_waivers")]

    operations = [
        migrations.AddField("policybinding", "number", models.PositiveIntegerField(default=1)),
        migrations.CreateModel(
            name="PolicyBindingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("context", models.CharField(blank=True, db_collation="C", default="", max_length=1024)),
                ("name", models.CharField(blank=True, db_collation="C", default="", max_length=1024)),
                ("is_prefix", models.BooleanField(default=False)),
                ("number", models.PositiveIntegerField()),
                ("policy", models.CharField(blank=True, max_length=40)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
                ("reason", models.CharField(blank=True, max_length=500)),
                (
                    "namespace",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
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
        migrations.AddConstraint(
            model_name="policybindingchange",
            constraint=models.UniqueConstraint(
                fields=("tenant", "namespace", "context", "name", "is_prefix", "number"),
                name="registry_binding_change_number_once",
                nulls_distinct=False,
            ),
        ),
        EnableRowSecurity("PolicyBindingChange", is_insert_only=True),
        TenantForeignKey("PolicyBindingChange", "namespace"),
    ]
