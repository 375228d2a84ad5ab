"""End a token: ``manage.py revoke_token demo KEY_ID``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.management.tenant_command import TenantCommand
from tenants.services import revoke_token

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """Those that descend from it end too."""

    help = "End a token for good, within two seconds everywhere."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the token."""
        super().add_arguments(parser)
        parser.add_argument("key_id", help="the twelve characters after the underscore of its value")

    def act(self, scope: Scope, options: dict[str, Any]) -> None:
        """End it."""
        record = revoke_token(scope, key_id=options["key_id"])
        self.stdout.write(f"{record.key_id} of {record.owner} is revoked")
