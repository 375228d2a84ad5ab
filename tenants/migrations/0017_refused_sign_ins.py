"""Refused sign-ins wait here: what is done at once is the same whether anybody has the name."""

from django.db import migrations, models

from accord_server.kit.migration_operations import GrantTable


class Migration(migrations.Migration):
    dependencies = [("tenants", "0016_purged_namespaces")]

    operations = [
        migrations.CreateModel(
            name="RefusedSignIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("username", models.CharField(max_length=150)),
                ("action", models.CharField(max_length=60)),
                ("address", models.GenericIPAddressField(null=True)),
                ("request_id", models.CharField(max_length=128)),
            ],
        ),
        GrantTable("tenants_refusedsignin", verbs="SELECT, INSERT, UPDATE, DELETE"),
    ]
