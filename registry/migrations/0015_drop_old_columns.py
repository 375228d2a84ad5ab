"""Drop what `0012_contracts` left behind: columns that nothing ever wrote and no released server names."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("registry", "0014_fingerprints")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE registry_schema DROP COLUMN metadata, DROP COLUMN rule_set",
            "ALTER TABLE registry_schema ADD COLUMN metadata jsonb, ADD COLUMN rule_set jsonb",
        ),
    ]
