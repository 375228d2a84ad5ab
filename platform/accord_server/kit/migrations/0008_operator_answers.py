"""Keep the answers to POSTs of operators that came with a key, as those of tenants are kept."""

import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import GrantTable


class Migration(migrations.Migration):
    dependencies = [("kit", "0007_account_grants")]

    operations = [
        migrations.CreateModel(
            name="OperatorAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("principal", models.CharField(max_length=220)),
                ("key", models.CharField(max_length=200)),
                ("digest", models.BinaryField(max_length=32)),
                ("status", models.PositiveSmallIntegerField()),
                ("headers", models.JSONField()),
                ("body", models.TextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("principal", "key"), name="kit_operatoranswer_once")
                ],
                "indexes": [models.Index(fields=["created_at"], name="kit_operatoranswer_by_age")],
            },
        ),
        GrantTable("kit_operatoranswer", verbs="SELECT, INSERT, DELETE"),
        migrations.AlterField("keptanswer", "principal", models.CharField(max_length=220)),
    ]
