"""Make the demo tenant: ``manage.py seed``; or many tenants: ``manage.py seed --tenants 500``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from tenants.services.bulk import BulkRefused, Size, seed_many
from tenants.services.demo import Seeded, seed

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Run it as often as you like: what is there already stays as it is."""

    help = "Make the demo tenant with an admin, a token and data worth looking at."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the options."""
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--admin-password", help="set this password instead of a made-up one")
        parser.add_argument(
            "--new-token", action="store_true", help="end the demo token of an earlier run and issue another"
        )

        many = parser.add_argument_group("many tenants, to try an installation out at size")
        many.add_argument("--tenants", type=int, default=0, help="make so many, in place of the demo tenant")
        many.add_argument("--namespaces", type=int, default=4, help="of each (%(default)s)")
        many.add_argument("--subjects", type=int, default=50, help="of each namespace (%(default)s)")
        many.add_argument(
            "--number", type=int, default=1, help="which ones: the same number, the same tenants"
        )
        many.add_argument("--add", action="store_true", help="though there are tenants already")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Seed and say what there is; secrets are printed only by the run that made them."""
        if options["tenants"]:
            self._many(options)
            return
        seeded = seed(password=options["admin_password"], is_new_token=options["new_token"])
        self.stdout.write(json.dumps(_document(seeded)) if options["json"] else _text(seeded))

    def _many(self, options: dict[str, Any]) -> None:
        size = Size(options["tenants"], options["namespaces"], options["subjects"], options["number"])
        try:
            for count, slug in enumerate(seed_many(size, is_added=options["add"]), start=1):
                self.stderr.write(f"{count} of {size.tenants}: {slug}")
        except BulkRefused:
            raise CommandError("there are tenants already; add --add to have these beside them") from None


def _document(seeded: Seeded) -> dict[str, Any]:
    return {
        "tenant": seeded.tenant,
        "namespace": seeded.namespace,
        "token": seeded.token,
        "admin": {"username": seeded.username, "password": seeded.password},
    }


def _text(seeded: Seeded) -> str:
    lines = [
        f"tenant     {seeded.tenant}",
        f"namespace  {seeded.namespace}",
        f"sign-in    {seeded.username} / {seeded.password or '(unchanged)'}",
        f"token      {seeded.token or '(issued earlier; --new-token replaces it)'}",
    ]
    return "\n".join(lines)
