"""Let contexts be dropped while their ids stay used up."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("registry", "0012_contracts")]

    operations = [
        migrations.AddField("counter", "is_dropped", models.BooleanField(default=False, db_default=False)),
    ]
