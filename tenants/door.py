"""Callers who were let in a moment ago, for the layer that answers without Django."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tenants import pacing, watch
from tenants.authentication import anonymous_key, decision_key
from tenants.credentials import read_authorization
from tenants.decisions import decisions
from tenants.usage import Use, usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.scope import Scope


# All that is answered without Django are schemas by id.
READ_BY_ID: Final = "schema.read"


class Door:
    """Knows whom `authenticate` let in lately; whom it did not, it must be asked about."""

    def recall(self, environ: Mapping[str, Any], tenant_slug: str, namespace_slug: str) -> Scope | None:
        """Return the scope decided upon while it may be relied upon; asks no database."""
        header = environ.get("HTTP_AUTHORIZATION")
        if header is None:
            key = anonymous_key(tenant_slug, namespace_slug)
        else:
            token = read_authorization(header)
            if token is None:
                return None
            key = decision_key(token, tenant_slug, namespace_slug)
        watch.ensure_running()
        known = decisions.get(key)
        if known is None or not known.admits(environ.get("REMOTE_ADDR"), environ.get("HTTP_USER_AGENT", "")):
            # Whoever comes from elsewhere is refused where refusals are made, and so is who comes too often.
            return None
        return known if pacing.is_open(known) else None

    def count(self, environ: Mapping[str, Any], scope: Scope) -> None:
        """Count one request of the caller, and one use of their token, if there is one."""
        pacing.count(scope)
        if scope.token_key is not None:
            address, client = environ.get("REMOTE_ADDR"), environ.get("HTTP_USER_AGENT", "")
            usage.note(Use(scope.tenant.id, scope.token_key, address, client, scope.token_slot))
            usage.note_right(scope, READ_BY_ID)
