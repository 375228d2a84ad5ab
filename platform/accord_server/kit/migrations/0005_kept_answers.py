"""Keep the answers to POSTs that came with a key, so that a repetition is done once."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity, SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = [("kit", "0003_grants"), ("tenants", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("principal", models.CharField(max_length=200)),
                ("key", models.CharField(max_length=200)),
                ("digest", models.BinaryField(max_length=32)),
                ("status", models.PositiveSmallIntegerField()),
                ("headers", models.JSONField()),
                ("body", models.TextField()),
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "principal", "key"), name="kit_keptanswer_once")
                ],
                "indexes": [models.Index(fields=["tenant", "created_at"], name="kit_keptanswer_by_age")],
            },
        ),
        EnableRowSecurity("KeptAnswer"),
        SecurityDefinerFunction(
            "accord_tenants_with_kept_answers",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM kit_keptanswer WHERE created_at < before",
        ),
    ]
