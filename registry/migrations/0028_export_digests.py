"""An archive tells its digest, so that whoever fetched it knows that all of it has arrived."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("registry", "0027_unused_contents")]

    operations = [
        migrations.AddField("tenantexport", "sha256", models.BinaryField(max_length=32, null=True)),
    ]
