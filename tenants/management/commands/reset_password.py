"""Make a link for a new password: ``manage.py reset_password alice``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import AccordError
from tenants.services.passwords import link_for

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Nobody but the person learns the password: the operator hands on a link."""

    help = "Print a link, good for a day and once, with which a person chooses a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the person."""
        parser.add_argument("username", help="the user name of the account")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the link."""
        try:
            self.stdout.write(link_for(options["username"]))
        except AccordError as refusal:
            raise CommandError(refusal.message) from refusal
