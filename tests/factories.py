"""Rows for tests, made by the services that make them in earnest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from accord_server.kit.scope import Grant
from tenants import services
from tenants.principals import operator_scope
from tenants.records import IssuedToken, IssueToken
from tenants.rights import RIGHTS
from tenants.selectors import parse_selector
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope, SubjectSelector
    from tenants.records import NamespaceRecord, PrincipalRecord, TenantRecord

PASSWORD = "correct-horse-battery-staple"
EVERYTHING = Grant(frozenset(RIGHTS))


def unique(stem: str) -> str:
    """Return a slug nobody has."""
    return f"{stem}-{uuid4().hex[:10]}"


def make_selector(text: str) -> SubjectSelector:
    """Read a selector that is well formed."""
    selector = parse_selector(text)
    assert selector is not None
    return selector


def make_tenant(slug: str) -> TenantRecord:
    """Make a tenant with its default namespace, under no policy."""
    return services.create_tenant(slug=slug, template=None)


def make_namespace(tenant: TenantRecord, slug: str) -> NamespaceRecord:
    """Make one more namespace, under no policy."""
    return services.create_namespace(operator_scope(tenant.ref), slug=slug, template=None)


def make_person(
    tenant: TenantRecord,
    username: str = "",
    *,
    role: str | None = None,
    namespace: str | None = None,
    subjects: str = "*",
) -> PrincipalRecord:
    """Make a person who is a member, with a role where one is named."""
    user = services.create_user(username=username or unique("person"), password=PASSWORD)
    member = services.add_member(operator_scope(tenant.ref), username=user.username)
    return _with_role(tenant, member, role=role, namespace=namespace, subjects=subjects)


def make_account(
    tenant: TenantRecord, slug: str, *, role: str | None = None, namespace: str | None = None
) -> PrincipalRecord:
    """Make a service account, with a role where one is named."""
    account = services.create_service_account(operator_scope(tenant.ref), slug=slug)
    return _with_role(tenant, account, role=role, namespace=namespace)


def make_token(scope: Scope, owner: str, **command: Any) -> IssuedToken:
    """Issue a token; unless told otherwise it asks for every right everywhere."""
    kind = TokenKind.PERSON if owner.startswith("person:") else TokenKind.SERVICE
    asked = {"owner": owner, "kind": kind, "name": "for a test", "grants": (EVERYTHING,), **command}
    return services.issue_token(scope, command=IssueToken(**asked))


def _with_role(
    tenant: TenantRecord,
    principal: PrincipalRecord,
    *,
    role: str | None,
    namespace: str | None = None,
    subjects: str = "*",
) -> PrincipalRecord:
    if role is not None:
        services.bind_role(
            operator_scope(tenant.ref),
            principal=principal.key,
            role=role,
            namespace_slug=namespace,
            subjects=subjects,
        )
    return principal
