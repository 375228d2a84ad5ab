"""A token as whoever runs the installation hands it out: owner, role and token in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord_server.kit.scope import PrincipalKind
from tenants.errors import PrincipalNotFound
from tenants.grants import parse_grants
from tenants.principals import parse_key
from tenants.queries import find_namespace, find_principal
from tenants.records import IssueToken
from tenants.services.changes import change
from tenants.services.people import create_service_account
from tenants.services.roles import bind_role
from tenants.services.tokens import issue_token
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from datetime import timedelta

    from accord_server.kit.scope import Scope
    from tenants.records import IssuedToken

KINDS: Final = {PrincipalKind.PERSON: TokenKind.PERSON, PrincipalKind.SERVICE: TokenKind.SERVICE}


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: rights on subjects of one namespace, and for whom.

    ``role`` is given to the owner there as well; without it the owner keeps the roles it has.
    """

    namespace: str
    owner: str
    rights: frozenset[str]
    subjects: tuple[str, ...]
    name: str
    role: str | None = None
    lifetime: timedelta | None = None
    max_uses: int | None = None
    is_ci: bool = False


def hand_out(scope: Scope, wish: Wish) -> IssuedToken:
    """Issue what is wished for, or change nothing at all.

    Raises:
        RightMissing: Without the rights that each step needs.
        NamespaceNotFound, PrincipalNotFound: No such namespace or owner; a service is added with its role.
        InvalidGrant, InvalidLifetime, InvalidSlug: The wish cannot be granted.
    """
    owner = parse_key(wish.owner)
    if owner is None or owner.kind not in KINDS:
        raise PrincipalNotFound(wish.owner)
    with change(scope):
        namespace = find_namespace(scope, wish.namespace)
        asked = [{"namespaces": [str(namespace.id)], "subjects": [*wish.subjects], "actions": [*wish.rights]}]
        grants = parse_grants(asked)
        if wish.role is not None:
            _give_role(scope, wish)
        kind = TokenKind.CI if wish.is_ci else KINDS[owner.kind]
        command = IssueToken(
            wish.owner, kind, wish.name, grants, lifetime=wish.lifetime, max_uses=wish.max_uses
        )
        return issue_token(scope, command=command)


def _give_role(scope: Scope, wish: Wish) -> None:
    try:
        find_principal(scope, wish.owner)
    except PrincipalNotFound:
        kind, _, slug = wish.owner.partition(":")
        if kind != PrincipalKind.SERVICE:
            raise
        create_service_account(scope, slug=slug)
    for selector in wish.subjects:
        bind_role(
            scope,
            principal=wish.owner,
            role=wish.role or "",
            namespace_slug=wish.namespace,
            subjects=selector,
        )
