"""Let the worker learn which tenants have checks that nobody works on."""

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = [("registry", "0002_row_security")]

    operations = [
        SecurityDefinerFunction(
            "registry_tenants_with_open_checks",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_checkrun"
                " WHERE state IN ('queued', 'running') AND leased_until <= moment"
            ),
        ),
    ]
