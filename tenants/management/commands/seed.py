"""Make the demo tenant: ``manage.py seed``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

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

    def handle(self, *_args: Any, **options: Any) -> None:
        """Seed and say what there is; secrets are printed only by the run that made them."""
        seeded = seed(password=options["admin_password"], is_new_token=options["new_token"])
        self.stdout.write(json.dumps(_document(seeded)) if options["json"] else _text(seeded))


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
