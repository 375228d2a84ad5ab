"""Restore a deleted tenant: ``manage.py restore_tenant north``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import AccordError
from tenants.services import restore_tenant

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """It looks missing to all other commands."""

    help = "Bring a deleted tenant back with all that it had, in the state that it had."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the arguments."""
        parser.add_argument("tenant", help="the tenant's name in addresses")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it."""
        try:
            record = restore_tenant(slug=options["tenant"])
        except AccordError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"tenant {record.slug} is {record.state}")
