"""List the fields of schemas anew for the search: ``manage.py reindex_fields``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from registry.queries.field_sources import tenants_with_subjects, tenants_with_unlisted
from registry.services.indexing import EDITION, forget_editions, reindex

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """The platform may run meanwhile; what is registered while this runs is listed as ever."""

    help = (
        "List the fields of all schemas, of all tenants, that the search does not know yet. A job does the"
        " same by and by; this does it at once. Interrupted, the same command goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the arguments."""
        parser.add_argument("--all", action="store_true", help="those that it knows as well, all anew")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Go through the tenants."""
        if options["all"]:
            for tenant in tenants_with_subjects():
                forget_editions(tenant)
        done = 0
        for tenant in tenants_with_unlisted(EDITION):
            done += reindex(tenant)
            self.stderr.write(f"{done} subjects listed")
        self.stdout.write(f"{done} subjects listed anew; the rest were so already")
