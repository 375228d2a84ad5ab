"""End a token of an operator: ``manage.py revoke_operator_token KEY_ID``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import AccordError
from tenants.services.operators import revoke_operator_token

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Each call is asked about anew, so it counts at once."""

    help = "End a token of an operator for good."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the token."""
        parser.add_argument("key_id", help="the twelve characters after the underscore of its value")

    def handle(self, *_args: Any, **options: Any) -> None:
        """End it."""
        try:
            name = revoke_operator_token(key_id=options["key_id"])
        except AccordError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{options['key_id']} of operator:{name} is revoked")
