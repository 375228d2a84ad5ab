"""Tenants and namespaces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from accord_server.kit.scope import NamespaceRef, PrincipalKind, TenantRef
from tenants.access import require_everywhere
from tenants.announcements import announce_tenant
from tenants.details import checked_name
from tenants.errors import InvalidLifetime, RightMissing
from tenants.models import Namespace, Tenant, TenantState
from tenants.principals import operator_scope
from tenants.queries import namespace_record, tenant_record
from tenants.records import AuditEntry, NamespaceDetails, NamespaceRecord, TenantRecord, TokenRules
from tenants.rights import known
from tenants.services.audit import record_audit
from tenants.services.births import births
from tenants.services.changes import change, require_revision, require_slug, taken
from tenants.services.namespaces import shown, values_of
from tenants.services.quotas import require_room
from tenants.slugs import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from accord_server.kit.scope import Principal, Scope

LONGEST_LIFETIME_DAYS: Final = 366
TENANT_SLUG_ONCE = "tenants_tenant_slug_key"
NAMESPACE_SLUG_ONCE = "tenants_namespace_slug_once"


def create_tenant(
    *, slug: str, name: str = "", template: str | None, operator: Principal | None = None
) -> TenantRecord:
    """Create a tenant with its namespace `default`; only an operator reaches this, None on the command line.

    ``template`` is as for `create_namespace`.

    Raises:
        InvalidSlug: The slug has the wrong form or is reserved.
        SlugTaken: Another tenant has it.
    """
    require_slug(slug)
    scope = operator_scope(TenantRef(uuid4(), slug))
    if operator is not None:
        scope = replace(scope, principal=operator)
    with taken(slug, TENANT_SLUG_ONCE), change(scope):
        row = Tenant.objects.create(id=scope.tenant.id, slug=slug, name=name or slug)
        home = Namespace.objects.insert(scope, slug=DEFAULT_NAMESPACE, name=DEFAULT_NAMESPACE)
        record_audit(scope, entry=AuditEntry("tenant.create", "tenant", slug, after={"name": row.name}))
        _begin(scope, home, template)
    return tenant_record(row)


def create_namespace(
    scope: Scope,
    *,
    slug: str,
    name: str = "",
    description: str = "",
    template: str | None,
    details: NamespaceDetails | None = None,
) -> NamespaceRecord:
    """Create a namespace of the caller's tenant; ``template`` names the policy that it begins with.

    ``details`` come before ``name`` and ``description``. None as template means none, so that what is set
    for the tenant or the installation counts; there is no default, since whoever creates a namespace is to
    choose. Which templates there are is for another room to say, which refuses unknown ones.

    Raises:
        RightMissing: Without ``namespace.manage`` over the whole tenant.
        InvalidSlug: The slug has the wrong form or is reserved.
        SlugTaken: The tenant has such a namespace, perhaps among the deleted ones.
        InvalidDetail: A part of the details cannot be stored.
        QuotaReached: The tenant has as many namespaces as it may.
    """
    require_everywhere(scope, "namespace.manage")
    require_slug(slug)
    said = NamespaceDetails(name or slug, description) if details is None else details
    values = values_of(said)
    with taken(slug, NAMESPACE_SLUG_ONCE), change(scope):
        row = Namespace.objects.insert(scope, **{"slug": slug, "name": slug, **values})
        record_audit(scope, entry=AuditEntry("namespace.create", "namespace", slug, after=shown(row)))
        _begin(scope, row, template)
        require_room(scope)
    return namespace_record(row)


def _begin(scope: Scope, namespace: Namespace, template: str | None) -> None:
    if template is None:
        return
    for act in births():
        act(replace(scope, namespace=NamespaceRef(namespace.id, namespace.slug)), template)


def update_tenant(
    scope: Scope,
    *,
    name: str | None,
    rules: TokenRules,
    expected: int | None,
    needs_second_factor: bool | None = None,
) -> TenantRecord:
    """Change the name of the tenant, what no token of it may exceed, or whether people need a second factor.

    None leaves what is there.

    Raises:
        RightMissing: Without ``tenant.manage``.
        InvalidDetail, InvalidLifetime, UnknownRight: A part of it cannot be stored.
        Changed: It is at another revision than ``expected``.
    """
    require_everywhere(scope, "tenant.manage")
    values = _values(name, rules)
    if needs_second_factor is not None:
        values["needs_second_factor"] = needs_second_factor
    with change(scope):
        row = Tenant.objects.select_for_update().get(id=scope.tenant.id)
        require_revision(f"Tenant '{row.slug}'", row, expected)
        before = _shown(row)
        for field, value in values.items():
            setattr(row, field, value)
        if _shown(row) != before:
            row.revision += 1
            row.save()
            announce_tenant(scope.tenant.id)
            entry = AuditEntry("tenant.update", "tenant", row.slug, before=before, after=_shown(row))
            record_audit(scope, entry=entry)
    return tenant_record(row)


def _values(name: str | None, rules: TokenRules) -> dict[str, Any]:
    forbidden = None if rules.forbidden is None else sorted(known(rules.forbidden))
    if rules.lifetime_days is not None and not 0 < rules.lifetime_days <= LONGEST_LIFETIME_DAYS:
        raise InvalidLifetime(f"tokens live from 1 to {LONGEST_LIFETIME_DAYS} days")
    values = {
        "name": None if name is None else checked_name(name),
        "token_lifetime_days": rules.lifetime_days,
        "token_approval": rules.approval,
        "token_forbidden": forbidden,
    }
    return {field: value for field, value in values.items() if value is not None}


def _shown(row: Tenant) -> dict[str, Any]:
    return {
        "name": row.name,
        "token_lifetime_days": row.token_lifetime_days,
        "token_approval": row.token_approval,
        "token_forbidden": row.token_forbidden,
        "needs_second_factor": row.needs_second_factor,
    }


def suspend_tenant(scope: Scope) -> None:
    """Let nobody in until the tenant is resumed.

    Raises:
        RightMissing: The caller is not the operator.
    """
    _set_state(scope, TenantState.SUSPENDED)


def resume_tenant(scope: Scope) -> None:
    """Let people and tokens in again.

    Raises:
        RightMissing: The caller is not the operator.
    """
    _set_state(scope, TenantState.ACTIVE)


def _set_state(scope: Scope, state: TenantState) -> None:
    if scope.principal.kind is not PrincipalKind.OPERATOR:
        raise RightMissing("tenant.suspend")
    with change(scope):
        row = Tenant.objects.select_for_update().get(id=scope.tenant.id)
        before, row.state = row.state, state
        row.revision += before != state
        row.save(update_fields=["state", "revision"])
        announce_tenant(scope.tenant.id)
        entry = AuditEntry(
            "tenant.set_state", "tenant", scope.tenant.slug, before={"state": before}, after={"state": state}
        )
        record_audit(scope, entry=entry)
