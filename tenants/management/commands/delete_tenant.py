"""Delete a tenant: ``manage.py delete_tenant north --confirm north``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.grace import kept_until
from tenants.management.tenant_command import TenantCommand
from tenants.services import delete_tenant

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """It looks missing to everybody at once, and is removed for good when its time of grace is over."""

    help = "Make a tenant look missing to everybody; restore_tenant brings it back while it is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the options."""
        super().add_arguments(parser)
        parser.add_argument("--confirm", required=True, help="the tenant's name once more")

    def act(self, scope: Scope, options: dict[str, Any]) -> None:
        """Do it."""
        record = delete_tenant(scope, confirmed=options["confirm"])
        until = "" if record.deleted_at is None else f"{kept_until(record.deleted_at):%Y-%m-%d %H:%M}"
        self.stdout.write(f"tenant {record.slug} is deleted and kept until {until} UTC")
