"""List tokens: ``manage.py list_tokens demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.management.tenant_command import TenantCommand
from tenants.queries import tokens_of

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import TokenRecord


class Command(TenantCommand):
    """No secret is shown: only a digest of it is kept."""

    help = "List a tenant's tokens, newest first: key id, state, end, owner, name."

    def act(self, scope: Scope, options: dict[str, Any]) -> None:  # noqa: ARG002  # the tenant is all it takes
        """Print one line for each."""
        for record in tokens_of(scope):
            self.stdout.write(_line(record))


def _line(record: TokenRecord) -> str:
    ends = f"{record.expires_at:%Y-%m-%d %H:%M}"
    return f"{record.key_id}  {record.state:<11}  {ends}  {record.owner}  {record.name}"
