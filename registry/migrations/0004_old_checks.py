"""Let the worker learn which tenants have finished checks that are old enough to go."""

from django.db import migrations, models

from accord_server.kit.migration_operations import SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = [("registry", "0003_waiting_checks")]

    operations = [
        migrations.AddIndex(
            model_name="checkrun",
            index=models.Index(
                condition=models.Q(("state__in", ("done", "failed"))),
                fields=["tenant", "leased_until"],
                name="registry_check_over",
            ),
        ),
        SecurityDefinerFunction(
            "registry_tenants_with_old_checks",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body=(
                "SELECT DISTINCT tenant_id FROM registry_checkrun"
                " WHERE state IN ('done', 'failed') AND leased_until < before"
            ),
        ),
    ]
