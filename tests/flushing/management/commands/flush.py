"""Django's `flush`, done by the role that owns the tables."""

from __future__ import annotations

from typing import Any

import psycopg
from django.core.management.base import BaseCommand
from django.core.management.color import no_style
from django.core.management.sql import sql_flush
from django.db import connections


class Command(BaseCommand):
    """Empties every table of the test's database."""

    # Django's test cases pass the options of the real command.
    stealth_options = ("reset_sequences", "allow_cascade", "inhibit_post_migrate", "interactive", "database")

    def handle(self, **options: Any) -> None:
        """Truncate, in one statement, what the models own."""
        statements = sql_flush(no_style(), connections["default"], allow_cascade=True)
        parameters = connections["owner"].get_connection_params()
        wanted = {key: parameters[key] for key in ("host", "port", "user", "password", "dbname")}
        with psycopg.connect(**wanted) as owner:
            for statement in statements:
                owner.execute(statement)
