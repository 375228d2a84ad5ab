"""People are invited and removed, and tenants make roles of their own."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.contrib.postgres.functions import RandomUUID
from django.db import migrations, models

from accord_server.kit.migration_operations import EnableRowSecurity


class Migration(migrations.Migration):
    dependencies = [("tenants", "0005_namespace_details")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="removed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="member",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="serviceaccount",
            name="removed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="serviceaccount",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.CreateModel(
            name="CustomRole",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveIntegerField(db_default=1, default=1)),
                ("name", models.CharField(max_length=40)),
                ("summary", models.CharField(blank=True, max_length=200)),
                ("rights", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=200)),
            ],
        ),
        migrations.AddField(
            model_name="customrole",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddConstraint(
            model_name="customrole",
            constraint=models.UniqueConstraint(
                fields=("tenant", "name"), name="tenants_customrole_name_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="customrole",
            constraint=models.CheckConstraint(
                condition=models.Q(("name__regex", "^[a-z][a-z0-9]*(-[a-z0-9]+)*$")),
                name="tenants_customrole_name_formed",
            ),
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("username", models.CharField(blank=True, max_length=150)),
                ("bindings", models.JSONField()),
                ("digest", models.BinaryField(max_length=32)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=200)),
                ("expires_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="invitation",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                fields=("tenant", "digest"), name="tenants_invitation_digest_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("email", ""), models.Q(("username", ""), _negated=True)),
                    models.Q(models.Q(("email", ""), _negated=True), ("username", "")),
                    _connector="OR",
                ),
                name="tenants_invitation_one_address",
            ),
        ),
        migrations.AddField(
            model_name="rolebinding",
            name="public_id",
            field=models.UUIDField(db_default=RandomUUID(), default=uuid.uuid4, editable=False),
        ),
        migrations.AddConstraint(
            model_name="rolebinding",
            constraint=models.UniqueConstraint(
                fields=("tenant", "public_id"), name="tenants_rolebinding_id_once"
            ),
        ),
        EnableRowSecurity("CustomRole"),
        EnableRowSecurity("Invitation"),
    ]
