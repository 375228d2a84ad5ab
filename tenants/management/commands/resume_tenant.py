"""Resume a tenant: ``manage.py resume_tenant north``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.management.tenant_command import TenantCommand
from tenants.services import resume_tenant

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """It may be resumed already."""

    help = "Let people and programs into a suspended tenant again."

    def act(self, scope: Scope, options: dict[str, Any]) -> None:  # noqa: ARG002  # the signature is the base's
        """Do it."""
        resume_tenant(scope)
        self.stdout.write(f"tenant {scope.tenant.slug} is active")
