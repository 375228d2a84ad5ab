"""A token remembers which batch of its uses was counted last."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tenants", "0002_before_the_tenant")]

    operations = [
        migrations.AddField(
            model_name="token",
            name="last_batch",
            field=models.BigIntegerField(default=0, db_default=0),
        ),
    ]
