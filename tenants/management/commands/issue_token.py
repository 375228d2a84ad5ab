"""Issue a token: ``manage.py issue_token demo --owner service:orders --preset producer``."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Any

from tenants.lifetimes import FORM, read_lifetime
from tenants.management.tenant_command import TenantCommand
from tenants.rights import PRESETS, RIGHTS
from tenants.services.handing_out import Wish, hand_out
from tenants.slugs import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from datetime import timedelta

    from django.core.management.base import CommandParser

    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """Its value is the only line on the output and is shown this once."""

    help = "Issue a token and print its value; what is worth knowing about it goes to the error output."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the options."""
        super().add_arguments(parser)
        parser.add_argument("--namespace", default=DEFAULT_NAMESPACE, help="where it counts (%(default)s)")
        parser.add_argument("--owner", required=True, help="person:NAME or service:NAME")
        parser.add_argument("--role", help="give the owner this role there; a new service is added")
        rights = parser.add_mutually_exclusive_group(required=True)
        rights.add_argument("--preset", choices=sorted(PRESETS), help="what it opens, by name")
        rights.add_argument("--right", choices=sorted(RIGHTS), action="append", help="what it opens; repeat")
        parser.add_argument("--subjects", action="append", help="a name, NAME* or topic:NAME; repeat (all)")
        parser.add_argument("--lifetime", type=lifetime, help="30m, 12h or 90d (90d, in CI 1h)")
        parser.add_argument("--max-uses", type=int, help="how often it counts (always)")
        parser.add_argument("--ci", action="store_true", help="it is for continuous integration")
        parser.add_argument("--name", default="Issued on the command line", help="what it is for")

    def act(self, scope: Scope, options: dict[str, Any]) -> None:
        """Issue it."""
        preset = options["preset"]
        wish = Wish(
            namespace=options["namespace"],
            owner=options["owner"],
            rights=PRESETS[preset].rights if preset else frozenset(options["right"]),
            subjects=tuple(options["subjects"] or ("*",)),
            role=options["role"],
            name=options["name"],
            lifetime=options["lifetime"],
            max_uses=options["max_uses"],
            is_ci=options["ci"],
        )
        issued = hand_out(scope, wish)
        record = issued.record
        self.stderr.write(f"{record.key_id} of {record.owner}, until {record.expires_at:%Y-%m-%d %H:%M} UTC")
        self.stdout.write(issued.value)


def lifetime(text: str) -> timedelta:
    """Read a number with its unit."""
    found = read_lifetime(text)
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no lifetime: write {FORM}")
    return found
