"""How principals are named: ``person:<user name>``, ``service:<slug>``, ``operator:<name>``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord_server.kit.scope import Grant, Principal, PrincipalKind, Scope
from tenants.rights import RIGHTS

if TYPE_CHECKING:
    from accord_server.kit.scope import NamespaceRef, TenantRef

COMMAND_LINE: Final = "command-line"


def principal_of(kind: PrincipalKind, name: str) -> Principal:
    """Name a principal; neither user names nor slugs ever change."""
    return Principal(kind, f"{kind}:{name}", name)


ANYBODY: Final = principal_of(PrincipalKind.ANONYMOUS, "anyone")


def parse_key(key: str) -> Principal | None:
    """Read a principal's key; None when it has no known kind."""
    kind, _, name = key.partition(":")
    return principal_of(PrincipalKind(kind), name) if kind in set(PrincipalKind) and name else None


def operator_scope(tenant: TenantRef, namespace: NamespaceRef | None = None) -> Scope:
    """Return the scope of whoever runs the installation: commands, never requests."""
    return Scope(
        tenant=tenant,
        namespace=namespace,
        principal=principal_of(PrincipalKind.OPERATOR, COMMAND_LINE),
        grants=(Grant(frozenset(RIGHTS)),),
    )
