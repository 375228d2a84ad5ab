"""Django's `flush`, done by the role that owns the tables."""

from __future__ import annotations

from typing import Any

import psycopg
from django.contrib.contenttypes.models import ContentType
from django.core.management.base import BaseCommand
from django.core.management.color import no_style
from django.db import connections

# Which migrations have run stays known.
KEPT = {"django_migrations"}


class Command(BaseCommand):
    """Empties every table of the test's database."""

    # Django's test cases pass the options of the real command.
    stealth_options = ("reset_sequences", "allow_cascade", "inhibit_post_migrate", "interactive", "database")

    def handle(self, **options: Any) -> None:
        """Truncate everything in one statement."""
        serving = connections["default"]
        # Django's own list is empty here: the router lets only the owner's alias migrate.
        tables = sorted(set(serving.introspection.table_names()) - KEPT)
        statements = serving.ops.sql_flush(no_style(), tables, allow_cascade=True)
        parameters = connections["owner"].get_connection_params()
        wanted = {key: parameters[key] for key in ("host", "port", "user", "password", "dbname")}
        with psycopg.connect(**wanted) as owner:
            for statement in statements:
                owner.execute(statement)
        # What Django remembers of their rows is gone with them.
        ContentType.objects.clear_cache()
