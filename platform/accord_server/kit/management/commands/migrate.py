"""Django's `migrate`, as the owner of the tables and never twice at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoCommand
from django.db import connections

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

OWNER = "owner"
# Any number will do, as long as it is always the same: two replicas that start at once must not
# both migrate.
LOCK = 4_727_281_108


class Command(DjangoCommand):
    """Migrates through the owner's connection while holding a lock of the database."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take Django's arguments, with our database as the default."""
        super().add_arguments(parser)
        parser.set_defaults(database=OWNER)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, one process at a time."""
        if OWNER not in connections:
            raise CommandError("ACCORD_OWNER_DATABASE_URL is not set: only the owner of the tables migrates.")
        with connections[OWNER].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            try:
                super().handle(*args, **options)
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
