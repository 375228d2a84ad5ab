"""Suspend a tenant: ``manage.py suspend_tenant north``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.management.tenant_command import TenantCommand
from tenants.services import suspend_tenant

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """It may be suspended already."""

    help = "Let nobody into a tenant until it is resumed; every process obeys within two seconds."

    def act(self, scope: Scope, options: dict[str, Any]) -> None:  # noqa: ARG002  # the signature is the base's
        """Do it."""
        suspend_tenant(scope)
        self.stdout.write(f"tenant {scope.tenant.slug} is suspended")
