"""Webhooks of a namespace, the messages to them and the attempts to send those."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    SecurityDefinerFunction,
    TenantForeignKey,
)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0020_version_life"),
        ("tenants", "0004_anonymous_grants"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4)),
                ("url", models.CharField(max_length=2000)),
                ("description", models.CharField(blank=True, max_length=500)),
                ("events", models.JSONField()),
                ("is_enabled", models.BooleanField(default=True)),
                ("disabled_because", models.CharField(blank=True, max_length=500)),
                ("secret_number", models.PositiveIntegerField(default=1)),
                ("roll_ends_at", models.DateTimeField(null=True)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_by", models.CharField(max_length=255)),
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
            name="WebhookMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("event", models.CharField(max_length=80)),
                ("event_id", models.BigIntegerField(null=True)),
                ("body", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("delivered", "Delivered"), ("failed", "Failed")],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("since", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
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
                    "webhook",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="registry.webhook",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebhookAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("milliseconds", models.PositiveIntegerField(default=0)),
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
                    "message",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="registry.webhookmessage",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="webhook",
            index=models.Index(fields=["namespace", "id"], name="registry_webhook_place"),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(
                fields=("tenant", "public_id"), name="registry_webhook_public_id_once"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookmessage",
            index=models.Index(fields=["webhook", "id"], name="registry_webhookmessage_place"),
        ),
        migrations.AddIndex(
            model_name="webhookmessage",
            index=models.Index(
                condition=models.Q(("state", "pending")),
                fields=["tenant", "due_at"],
                name="registry_webhookmessage_due",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookmessage",
            index=models.Index(fields=["tenant", "ended_at"], name="registry_webhookmessage_ended"),
        ),
        migrations.AddConstraint(
            model_name="webhookmessage",
            constraint=models.UniqueConstraint(
                fields=("webhook", "event_id"), name="registry_webhookmessage_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookmessage",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["pending", "delivered", "failed"])),
                name="registry_webhookmessage_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookattempt",
            constraint=models.UniqueConstraint(
                fields=("tenant", "message", "number"), name="registry_webhookattempt_once"
            ),
        ),
        EnableRowSecurity("Webhook"),
        EnableRowSecurity("WebhookMessage"),
        EnableRowSecurity("WebhookAttempt"),
        TenantForeignKey("Webhook", "namespace"),
        TenantForeignKey("WebhookMessage", "webhook", cascades=True),
        TenantForeignKey("WebhookAttempt", "message", cascades=True),
        SecurityDefinerFunction(
            "registry_tenants_with_due_messages",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_webhookmessage"
                " WHERE state = 'pending' AND due_at <= moment"
            ),
        ),
        SecurityDefinerFunction(
            "registry_tenants_with_old_messages",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM registry_webhookmessage WHERE ended_at < moment",
        ),
    ]
