"""Events about tokens, for whoever wants to be told: in the outbox, with the change they are about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from accord_server.kit import outbox

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.models import Token

ISSUED: Final = "token.issued"
PENDING: Final = "token.pending"
APPROVED: Final = "token.approved"
REFUSED: Final = "token.refused"
CHANGED: Final = "token.changed"
ROLLED: Final = "token.rolled"
SLOT_CLEARED: Final = "token.secret_dropped"
SUSPENDED: Final = "token.suspended"
RESUMED: Final = "token.resumed"
REVOKED: Final = "token.revoked"
EXPIRING: Final = "token.expiring"
EXPIRED: Final = "token.expired"
UNUSED: Final = "token.suspended_unused"
COMPROMISED: Final = "token.compromised"
TOPICS: Final = (
    ISSUED,
    PENDING,
    APPROVED,
    REFUSED,
    CHANGED,
    ROLLED,
    SLOT_CLEARED,
    SUSPENDED,
    RESUMED,
    REVOKED,
    EXPIRING,
    EXPIRED,
    UNUSED,
    COMPROMISED,
)


def tell(scope: Scope, event: str, row: Token) -> None:
    """Write down what has happened to a token: which, never what opens it.

    Tokens belong to the tenant, so the event does as well, whatever namespace the call came in by.
    """
    what = {"token": row.key_id, "name": row.name, "kind": row.kind, "state": row.state}
    told = {**what, "by": scope.principal.key, "ends_at": row.expires_at.isoformat()}
    outbox.emit(replace(scope, namespace=None), event, told)
