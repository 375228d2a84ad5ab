"""Let the worker learn which tenants have side effects due: it serves one tenant at a time."""

from __future__ import annotations

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction


class Migration(migrations.Migration):
    dependencies = (("kit", "0001_outbox"),)

    operations = (
        SecurityDefinerFunction(
            "accord_tenants_with_side_effects",
            arguments="moment timestamptz",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM kit_outbox WHERE state = 'pending' AND due_at <= moment",
        ),
        SecurityDefinerFunction(
            "accord_tenants_with_done_effects",
            arguments="before timestamptz",
            returns="SETOF uuid",
            body="SELECT DISTINCT tenant_id FROM kit_outbox WHERE done_at < before",
        ),
    )
