"""A tenant may ask its people for a second factor."""

from importlib import import_module

from django.db import migrations, models

from accord_server.kit.migration_operations import RemovedDefinerFunction, SecurityDefinerFunction

_BEFORE = import_module("tenants.migrations.0013_tenant_life")

BY_SLUGS = _BEFORE.BY_SLUGS.replace(
    "coalesce(namespace.format, '')::text", "coalesce(namespace.format, '')::text, tenant.needs_second_factor"
)
ROWS = _BEFORE.PLACE_ROWS.replace("format text", "format text, needs_second_factor boolean")


class Migration(migrations.Migration):
    dependencies = [("tenants", "0017_refused_sign_ins")]

    operations = [
        migrations.AddField(
            "tenant", "needs_second_factor", models.BooleanField(default=False, db_default=False)
        ),
        RemovedDefinerFunction(**_BEFORE.PLACE, returns=_BEFORE.PLACE_ROWS, body=_BEFORE.BY_SLUGS),
        SecurityDefinerFunction(**_BEFORE.PLACE, returns=ROWS, body=BY_SLUGS),
    ]
