"""Let id 0 be imported: old registries of Confluent began there. That no id is negative, its column says."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("registry", "0015_drop_old_columns")]

    operations = [
        migrations.RemoveConstraint("schema", "registry_schema_number_positive"),
    ]
