"""Namespaces carry labels, properties and a format; tenants carry the rules of tokens."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tenants", "0004_anonymous_grants")]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="deleted_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="namespace",
            name="format",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddField(
            model_name="namespace",
            name="labels",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AddField(
            model_name="namespace",
            name="properties",
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddField(
            model_name="namespace",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddConstraint(
            model_name="namespace",
            constraint=models.CheckConstraint(
                condition=models.Q(("format__in", ["", "AVRO", "JSON", "PROTOBUF"])),
                name="tenants_namespace_format_known",
            ),
        ),
        migrations.AddField(
            model_name="tenant",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="tenant",
            name="token_approval",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="tenant",
            name="token_forbidden",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
