"""Count anew what a tenant uses of its quotas: ``manage.py recount_usage demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.management.tenant_command import TenantCommand
from tenants.services.quotas import recount_usage

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """What was counted wrong is mended, while others go on."""

    help = "Count anew what a tenant uses of its quotas, and mend what was counted wrong."

    def act(self, scope: Scope, options: dict[str, Any]) -> None:  # noqa: ARG002  # the signature is the base's
        """Recount and tell."""
        drifts = recount_usage(scope)
        for one in drifts:
            self.stdout.write(f"{one.resource}: {one.counted} were counted, {one.found} are there; mended")
        if not drifts:
            self.stdout.write("good: what was counted is what is there")
