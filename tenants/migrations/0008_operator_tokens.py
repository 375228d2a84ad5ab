"""Whoever runs the installation has tokens of their own."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import GrantTable


class Migration(migrations.Migration):
    dependencies = [("tenants", "0007_token_life")]

    operations = [
        migrations.CreateModel(
            name="OperatorToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_id", models.CharField(max_length=12, unique=True)),
                ("name", models.CharField(max_length=200, unique=True)),
                ("digest", models.BinaryField(max_length=32)),
                ("pepper_version", models.PositiveSmallIntegerField()),
                ("last", models.CharField(max_length=4)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
        ),
        GrantTable("tenants_operatortoken", verbs="SELECT, INSERT, UPDATE"),
    ]
