"""The tenant a fresh installation starts with: people, namespaces and a token to try it out."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.apps import apps
from django.contrib.auth.models import User

from accord_server.kit import tenancy
from accord_server.kit.scope import Grant, PrincipalKind
from tenants.errors import SlugTaken
from tenants.models import Token, TokenState
from tenants.principals import operator_scope, principal_of
from tenants.queries import resolve_place
from tenants.records import IssuedToken, IssueToken
from tenants.rights import RIGHTS
from tenants.services.people import add_member, create_service_account, create_user
from tenants.services.roles import bind_role
from tenants.services.tenancy import create_namespace, create_tenant
from tenants.services.tokens import issue_token, revoke_token
from tenants.slugs import DEFAULT_NAMESPACE
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope, TenantRef

TENANT: Final = "demo"
SECOND_NAMESPACE: Final = "sandbox"
# What the two begin with: as Confluent's registry would, and as we recommend.
TEMPLATE: Final = "drop-in"
SECOND_TEMPLATE: Final = "queue-safe"
ADMIN: Final = "admin"
ACCOUNT: Final = "demo-client"
FIRST_RUN: Final = "First-run token"
PASSWORD_BYTES: Final = 18


@dataclass(frozen=True, slots=True)
class Seeded:
    """What is there now. Secrets are None unless made by this very call."""

    tenant: str
    namespace: str
    username: str
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


def seed(*, password: str | None = None, is_new_token: bool = False) -> Seeded:
    """Make the demo tenant or complete it; what is there already stays as it is.

    ``password`` is set for the admin, new or not; without it a new admin gets a made-up one.
    ``is_new_token`` ends the token of an earlier run and issues another.
    """
    tenant = _ensure_tenant()
    scope = operator_scope(tenant)
    chosen = _ensure_admin(scope, password)
    _ensure_namespace(scope)
    issued = _ensure_token(scope, is_new=is_new_token)
    _fill(tenant)
    return Seeded(TENANT, DEFAULT_NAMESPACE, ADMIN, chosen, issued.value if issued else None)


def _ensure_tenant() -> TenantRef:
    place = resolve_place(TENANT, None)
    return place.tenant if place else create_tenant(slug=TENANT, name="Demo", template=TEMPLATE).ref


def _ensure_admin(scope: Scope, password: str | None) -> str | None:
    user = User.objects.filter(username=ADMIN).first()
    chosen = password
    if user is None:
        chosen = password or secrets.token_urlsafe(PASSWORD_BYTES)
        create_user(username=ADMIN, password=chosen)
    elif password is not None and not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    add_member(scope, username=ADMIN)
    bind_role(scope, principal=principal_of(PrincipalKind.PERSON, ADMIN).key, role="admin")
    return chosen


def _ensure_namespace(scope: Scope) -> None:
    with suppress(SlugTaken):
        create_namespace(
            scope,
            slug=SECOND_NAMESPACE,
            name="Sandbox",
            description="A place to break things",
            template=SECOND_TEMPLATE,
        )


def _ensure_token(scope: Scope, *, is_new: bool) -> IssuedToken | None:
    owner = principal_of(PrincipalKind.SERVICE, ACCOUNT).key
    with suppress(SlugTaken):
        create_service_account(scope, slug=ACCOUNT, description="Owns the token of the first run")
    bind_role(scope, principal=owner, role="admin")
    living = _living_tokens(scope)
    if living and not is_new:
        return None
    for key_id in living:
        revoke_token(scope, key_id=key_id)
    grants = (Grant(frozenset(RIGHTS)),)
    return issue_token(scope, command=IssueToken(owner, TokenKind.SERVICE, FIRST_RUN, grants))


def _living_tokens(scope: Scope) -> list[str]:
    with tenancy.tenant_context(scope.tenant.id):
        rows = Token.objects.scoped(scope).filter(name=FIRST_RUN, state=TokenState.ACTIVE)
        return list(rows.values_list("key_id", flat=True))


def _fill(tenant: TenantRef) -> None:
    """Let every app that offers demo data add its own: this room knows none of them."""
    place = resolve_place(TENANT, DEFAULT_NAMESPACE)
    scope = operator_scope(tenant, place.namespace if place else None)
    for app in apps.get_app_configs():
        offer = getattr(app, "seed_demo", None)
        if offer is not None:
            with tenancy.tenant_context(tenant.id):
                offer(scope)
