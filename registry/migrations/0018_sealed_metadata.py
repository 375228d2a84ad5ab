"""Let the operator learn which tenants have sensitive values stored, to encrypt them by another key."""

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = [("registry", "0017_imports")]

    operations = [
        SecurityDefinerFunction(
            "registry_tenants_with_sealed_metadata",
            arguments="",
            returns="SETOF uuid",
            body=(
                "SELECT tenant_id FROM registry_contract WHERE metadata ? 'sealed'"
                " UNION SELECT tenant_id FROM registry_config"
                " WHERE record -> 'defaultMetadata' ? 'sealed' OR record -> 'overrideMetadata' ? 'sealed'"
            ),
        ),
    ]
