"""Let the application use Django's own tables, and see which migrations have run."""

from __future__ import annotations

from django.db import migrations

from accord_server.kit.migration_operations import GrantTable, GrantTables


class Migration(migrations.Migration):
    dependencies = (
        ("kit", "0002_pending_tenants"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
    )

    operations = (
        GrantTables("auth", "contenttypes", "sessions"),
        GrantTable("django_migrations", verbs="SELECT"),
    )
