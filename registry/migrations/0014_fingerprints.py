"""Keep the fingerprints of Avro schemas; a job fills in those of schemas that are there already."""

from django.db import migrations, models

from accord_server.kit.migration_operations import SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = [("registry", "0013_dropped_contexts")]

    operations = [
        *(
            migrations.AddField("schema", name, models.BinaryField(max_length=length, null=True))
            for name, length in (("rabin", 8), ("md5", 16), ("sha256", 32))
        ),
        *(
            migrations.AddIndex(
                "schema", models.Index(fields=["namespace", name], name=f"registry_schema_{name}")
            )
            for name in ("rabin", "md5", "sha256")
        ),
        migrations.AddIndex(
            "schema",
            models.Index(
                condition=models.Q(sha256__isnull=True), fields=["tenant"], name="registry_schema_unprinted"
            ),
        ),
        SecurityDefinerFunction(
            "registry_tenants_with_unprinted_schemas",
            arguments="",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM registry_schema WHERE sha256 IS NULL",
        ),
    ]
