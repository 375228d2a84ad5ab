"""Keep with a version what was in force and what the verdict was; the policies are a part of it now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("registry", "0006_policies_row_security")]

    operations = [
        migrations.RemoveField(model_name="version", name="policies"),
        migrations.AddField(model_name="version", name="in_force", field=models.JSONField(null=True)),
        migrations.AddField(model_name="version", name="judged", field=models.JSONField(null=True)),
    ]
