"""Take second factors off an account: ``manage.py remove_factors alice``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import AccordError
from tenants.services.factors import remove_factors

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """For who has lost the app, the passkeys and the recovery codes."""

    help = "Take the app, the passkeys and the recovery codes off an account, so that its password is enough."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the person."""
        parser.add_argument("username", help="the user name of the account")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Take them off."""
        try:
            count = remove_factors(options["username"])
        except AccordError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{count} factors of {options['username']} are removed")
