"""Whoever runs the installation, at its control plane: tokens of no tenant, good for every one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord_server.kit import tenancy
from accord_server.kit.scope import PrincipalKind
from tenants.credentials import read_authorization
from tenants.errors import NamespaceNotFound, OperatorNeeded
from tenants.principals import operator_scope, principal_of
from tenants.queries import resolve_place
from tenants.queries.operators import live_operator
from tenants.secrets_of_tokens import fitting_slot
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from accord_server.kit.scope import Principal, Scope


def is_operators(authorization: str | None) -> bool:
    """Tell whether a header holds what looks like a token of an operator."""
    token = read_authorization(authorization)
    return token is not None and token.kind is TokenKind.OPERATOR


def authenticate_operator(authorization: str | None) -> Principal:
    """Return who runs the installation.

    Raises:
        OperatorNeeded: The token is none of an operator's, or does not count (any more).
    """
    token = read_authorization(authorization)
    known = live_operator(token.key_id) if token is not None and token.kind is TokenKind.OPERATOR else None
    if token is None or known is None or fitting_slot(token, [known.secret]) is None:
        raise OperatorNeeded
    return principal_of(PrincipalKind.OPERATOR, known.name)


def enter_as_operator(authorization: str | None, *, tenant_slug: str, namespace_slug: str | None) -> Scope:
    """Return the scope of an operator in a tenant, and let the connection see it.

    Raises:
        OperatorNeeded: As `authenticate_operator`.
        NamespaceNotFound: There is no such tenant or namespace.
    """
    operator = authenticate_operator(authorization)
    place = resolve_place(tenant_slug, namespace_slug)
    if place is None:
        raise NamespaceNotFound
    tenancy.activate(place.tenant.id)
    return replace(operator_scope(place.tenant, place.namespace), principal=operator)
