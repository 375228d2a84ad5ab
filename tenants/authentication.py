"""From the Authorization header and the address to a `Scope`, or a refusal.

No token where one is needed, or one that does not count: `Unauthorized`. A tenant or namespace that is
unknown or none of the token's business: `NamespaceNotFound`. Nobody learns from the answer which it was.
Who would be let in if the tenant were not suspended is told so: `TenantSuspended`.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import replace
from datetime import timedelta
from functools import reduce
from typing import TYPE_CHECKING

from accord_server.kit import tenancy
from accord_server.kit.scope import Scope
from tenants import access, pacing, watch
from tenants.conditions import parse_conditions
from tenants.credentials import read_authorization
from tenants.decisions import decisions
from tenants.errors import InvalidDetail, InvalidGrant, NamespaceNotFound, TenantSuspended, Unauthorized
from tenants.grants import intersect, parse_grants
from tenants.queries import resolve_anonymous, resolve_place, resolve_token
from tenants.secrets_of_tokens import fitting_slot
from tenants.services.tokens import spend_use
from tenants.usage import Use, usage

if TYPE_CHECKING:
    from accord_server.kit.scope import Grant, NamespaceRef
    from tenants.conditions import Conditions
    from tenants.decisions import Key
    from tenants.queries import ResolvedToken
    from tenants.tokens import TokenText

log = logging.getLogger("accord.tokens")


def authenticate(
    authorization: str | None,
    *,
    tenant_slug: str,
    namespace_slug: str | None,
    request_id: str = "",
    address: str | None = None,
    client: str = "",
) -> Scope:
    """Return the scope of a call, and let the connection see its tenant.

    ``namespace_slug`` None means the tenant as a whole. ``client`` is the User-Agent.

    Raises:
        Unauthorized: The token is missing, malformed, unknown, or does not count (any more).
        NamespaceNotFound: The address leads nowhere the token may go.
        TooManyRequests: More came in this second than may, of the token or of its tenant.
        TenantSuspended: The token would count otherwise.
    """
    token = read_authorization(authorization)
    if token is None:
        raise Unauthorized
    known = identify(
        token, tenant_slug=tenant_slug, namespace_slug=namespace_slug, address=address, client=client
    )
    usage.note(Use(known.tenant.id, token.key_id, address, client, known.token_slot))
    tenancy.activate(known.tenant.id)
    pacing.admit(known)
    return replace(known, request_id=request_id, address=address)


def authenticate_or_welcome(
    authorization: str | None,
    *,
    tenant_slug: str,
    namespace_slug: str,
    request_id: str = "",
    address: str | None = None,
    client: str = "",
) -> Scope:
    """Return the scope of a call, as `authenticate` does, where callers without credentials may be welcome.

    Credentials that do not count are refused all the same: their owner would wonder about what is missing.

    Raises:
        Unauthorized: As `authenticate`, or the namespace is open to nobody without a token.
        NamespaceNotFound, TenantSuspended, TooManyRequests: As `authenticate`.
    """
    if authorization is not None:
        return authenticate(
            authorization,
            tenant_slug=tenant_slug,
            namespace_slug=namespace_slug,
            request_id=request_id,
            address=address,
            client=client,
        )
    known = _welcome(tenant_slug, namespace_slug)
    tenancy.activate(known.tenant.id)
    pacing.admit(known)
    return replace(known, request_id=request_id, address=address)


def anonymous_key(tenant_slug: str, namespace_slug: str) -> Key:
    """Return what the decision about callers without credentials is remembered under: no token has it."""
    return (b"", tenant_slug, namespace_slug)


def _welcome(tenant_slug: str, namespace_slug: str) -> Scope:
    watch.ensure_running()
    key = anonymous_key(tenant_slug, namespace_slug)
    known = decisions.get(key)
    if known is not None:
        return known
    drops = decisions.drops
    scope = resolve_anonymous(tenant_slug, namespace_slug)
    if scope is None:
        raise Unauthorized
    decisions.keep(key, scope, lives_for=timedelta.max, drops=drops)
    return scope


def identify(
    token: TokenText, *, tenant_slug: str, namespace_slug: str | None, address: str | None, client: str = ""
) -> Scope:
    """Decide about a well-formed token; touches the database only for what is not known lately.

    Raises:
        Unauthorized: As `authenticate`.
        NamespaceNotFound, TenantSuspended, TooManyRequests: As `authenticate`.
    """
    watch.ensure_running()
    key = decision_key(token, tenant_slug, namespace_slug)
    known = decisions.get(key)
    if known is not None:
        return admitted(known, address, client)
    drops = decisions.drops
    resolved = resolve_token(token.key_id)
    caller = _caller(token, resolved)
    if resolved is None or caller is None:
        raise Unauthorized
    scope = _admit(caller, resolved, tenant_slug=tenant_slug, namespace_slug=namespace_slug)
    admitted(scope, address, client)
    if resolved.is_counted:
        tenancy.activate(scope.tenant.id)
        pacing.require_open(scope)  # what is refused for coming too early uses nothing up
        _spend(scope, resolved)
    else:
        decisions.keep(key, scope, lives_for=resolved.lives_for, drops=drops)
    return scope


def admitted(scope: Scope, address: str | None, client: str) -> Scope:
    """Return the scope of a token that counts, if it counts where the call comes from.

    Raises:
        Unauthorized: It does not.
    """
    if not scope.admits(address, client):
        raise Unauthorized(caller=scope)
    return scope


def decision_key(token: TokenText, tenant_slug: str, namespace_slug: str | None) -> Key:
    """Return what a decision is remembered under; the secret itself is not kept."""
    return (hashlib.sha256(token.value.encode()).digest(), tenant_slug, namespace_slug)


def _caller(token: TokenText, resolved: ResolvedToken | None) -> Scope | None:
    """Return who holds the token, if the secret is right; dead tokens have holders too."""
    if resolved is None:
        return None
    slot = fitting_slot(token, resolved.secrets)
    if slot is None:
        return None
    return Scope(
        tenant=resolved.tenant,
        namespace=None,
        principal=resolved.owner,
        token_key=token.key_id,
        token_slot=slot,
    )


def _admit(caller: Scope, resolved: ResolvedToken, *, tenant_slug: str, namespace_slug: str | None) -> Scope:
    if resolved.is_suspended:
        raise TenantSuspended(caller.tenant.slug, caller=caller)
    if not resolved.is_alive:
        raise Unauthorized(caller=caller)
    conditions = _stored_conditions(caller, resolved)
    owned = access.grants_of_bindings(resolved.bindings)
    grants = access.effective(_stored_grants(resolved), owned, resolved.forbidden)
    namespace = _enter(caller, grants, tenant_slug=tenant_slug, namespace_slug=namespace_slug)
    return replace(
        caller,
        namespace=namespace,
        grants=grants,
        networks=tuple(one.networks for one in conditions if one.networks is not None),
        clients=tuple(one.clients for one in conditions if one.clients),
        paces=tuple(one.pace for one in conditions if one.pace is not None),
    )


def _enter(
    caller: Scope, grants: tuple[Grant, ...], *, tenant_slug: str, namespace_slug: str | None
) -> NamespaceRef | None:
    place = resolve_place(tenant_slug, namespace_slug)
    if place is None or place.tenant.id != caller.tenant.id:
        raise NamespaceNotFound(caller=caller)
    if place.namespace is not None and not access.is_visible(grants, place.namespace.id):
        raise NamespaceNotFound(caller=caller)
    return place.namespace


def _stored_grants(resolved: ResolvedToken) -> tuple[Grant, ...]:
    """Return what a token and all that it descends from open alike."""
    try:
        return reduce(intersect, map(parse_grants, resolved.grants))
    except InvalidGrant:
        # A newer release may know rights that this one does not: no reason to answer 500.
        log.exception("the grants of token %d cannot be read and open nothing", resolved.token_id)
        return ()


def _stored_conditions(caller: Scope, resolved: ResolvedToken) -> list[Conditions]:
    """Return when a token and all that it descends from count."""
    try:
        return [parse_conditions(stored) for stored in resolved.conditions]
    except InvalidDetail:
        # A condition this release cannot judge must not open anything.
        log.exception("the conditions of token %d cannot be read: it does not count", resolved.token_id)
        raise Unauthorized(caller=caller) from None


def _spend(scope: Scope, resolved: ResolvedToken) -> None:
    if not spend_use(scope, token_id=resolved.token_id):
        raise Unauthorized(caller=scope)
