"""Tokens remember which rights were used, and when somebody last wanted them."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tenants", "0006_people_and_roles")]

    operations = [
        migrations.AddField(
            model_name="token",
            name="reminded_days",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="token",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="token",
            name="used_rights",
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddField(
            model_name="token",
            name="wanted_at",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now
            ),
        ),
        migrations.AddField(
            model_name="tokensecret",
            name="last_used_at",
            field=models.DateTimeField(null=True),
        ),
    ]
