"""Issue a token of an operator: ``manage.py issue_operator_token ada --lifetime 30d``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import AccordError
from tenants.management.commands.issue_token import lifetime
from tenants.services.operators import LIFETIME, issue_operator_token

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Its value is the only line on the output and is shown this once."""

    help = "Issue a token for the control plane of all tenants and print its value."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the arguments."""
        parser.add_argument("name", help="whose it is, for the audit log: every name once")
        parser.add_argument("--lifetime", type=lifetime, default=LIFETIME, help="30m, 12h or 90d (90d)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Issue it."""
        try:
            issued = issue_operator_token(name=options["name"], lifetime=options["lifetime"])
        except AccordError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stderr.write(
            f"{issued.key_id} of operator:{issued.name}, until {issued.expires_at:%Y-%m-%d %H:%M} UTC"
        )
        self.stdout.write(issued.value)
