"""Let the application use the tables of accounts: addresses, second factors, identities and sessions."""

from __future__ import annotations

from django.db import migrations

from accord_server.kit.migration_operations import GrantTables


class Migration(migrations.Migration):
    dependencies = (
        ("kit", "0006_outbox_backlog"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
        ("usersessions", "0001_initial"),
    )

    operations = (GrantTables("account", "mfa", "socialaccount", "usersessions"),)
