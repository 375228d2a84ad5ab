"""Records of people, access and tokens as documents: translation only."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tenants.grace import kept_until
from tenants.rights import RIGHTS
from tenants.selectors import render_selector

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Grant
    from tenants.api import shapes
    from tenants.records import (
        BindingRecord,
        InvitationRecord,
        NamespaceRecord,
        PrincipalRecord,
        RoleRecord,
        SecretRecord,
        TenantRecord,
        TokenRecord,
    )


@overload
def moment(at: datetime) -> str: ...
@overload
def moment(at: None) -> None: ...
@overload
def moment(at: datetime | None) -> str | None: ...
def moment(at: datetime | None) -> str | None:
    """Return a moment as RFC 3339 writes it."""
    return None if at is None else at.isoformat()


def tenant_row(record: TenantRecord) -> shapes.TenantRow:
    """Return a tenant as it is listed, and how long it can be restored where it is deleted."""
    found: shapes.TenantRow = {
        "slug": record.slug,
        "name": record.name,
        "state": record.state,
        "created_at": moment(record.created_at),
    }
    if record.deleted_at is None:
        return found
    return {
        **found,
        "deleted_at": moment(record.deleted_at),
        "kept_until": moment(kept_until(record.deleted_at)),
    }


def tenant_document(record: TenantRecord) -> shapes.TenantShape:
    """Return a tenant with its token rules."""
    return {
        **tenant_row(record),
        "second_factor": record.needs_second_factor,
        "token_rules": {
            "lifetime_days": record.rules.lifetime_days,
            "approval": record.rules.approval,
            "forbidden": sorted(record.rules.forbidden or ()),
        },
    }


def namespace_document(record: NamespaceRecord) -> shapes.NamespaceShape:
    """Return a namespace, and how long it can be restored where it is deleted."""
    gone = record.deleted_at
    return {
        "id": str(record.id),
        "slug": record.slug,
        "name": record.name,
        "description": record.description,
        "labels": list(record.labels),
        "properties": dict(record.properties),
        "format": record.format or None,
        "created_at": moment(record.created_at),
        "deleted_at": moment(gone),
        "kept_until": None if gone is None else moment(kept_until(gone)),
        "purge_begun_at": moment(record.purge_begun_at),
    }


def member_document(record: PrincipalRecord) -> shapes.MemberShape:
    """Return a member."""
    return {
        "principal": record.key,
        "username": record.name,
        "email": record.email,
        "is_active": record.is_active,
        "created_at": moment(record.created_at),
    }


def account_document(record: PrincipalRecord) -> shapes.AccountShape:
    """Return a service account."""
    return {
        "principal": record.key,
        "slug": record.name,
        "description": record.description,
        "is_active": record.is_active,
        "created_at": moment(record.created_at),
    }


def invitation_document(record: InvitationRecord) -> shapes.InvitationShape:
    """Return an invitation without its secret."""
    return {
        "id": str(record.id),
        "email": record.email or None,
        "username": record.username or None,
        "bindings": [dict(one) for one in record.bindings],
        "state": record.state,
        "created_at": moment(record.created_at),
        "created_by": record.created_by,
        "expires_at": moment(record.expires_at),
    }


def role_document(record: RoleRecord) -> shapes.RoleShape:
    """Return a role with its rights in the order of their table."""
    return {
        "name": record.name,
        "summary": record.summary,
        "rights": [name for name in RIGHTS if name in record.rights],
        "is_built_in": record.is_built_in,
    }


def token_document(record: TokenRecord, slugs: Mapping[UUID, str]) -> shapes.TokenShape:
    """Return a token without its secrets; ``slugs`` are the names of namespaces by id."""
    return {
        "key_id": record.key_id,
        "kind": record.kind.name.lower(),
        "name": record.name,
        "description": record.description,
        "owner": record.owner,
        "state": record.state,
        "grants": [grant_document(grant, slugs) for grant in record.grants],
        "networks": dict(record.conditions.get("networks", {})) or None,
        "clients": record.conditions.get("clients"),
        "requests_per_second": record.conditions.get("pace", {}).get("per_second"),
        "not_before": moment(record.not_before),
        "expires_at": moment(record.expires_at),
        "max_uses": record.max_uses,
        "parent": record.parent,
        "created_at": moment(record.created_at),
        "created_by": record.created_by,
        "approved_at": moment(record.approved_at),
        "approved_by": record.approved_by or None,
        "secrets": [_secret_document(one) for one in record.secrets],
        "last_used": {
            "at": moment(record.use.last_at),
            "address": record.use.last_address,
            "client": record.use.last_client or None,
            "count": record.use.count,
        },
    }


def rights_report(record: TokenRecord) -> shapes.RightsReport:
    """Return which rights of a token were used, and when last, and which never were."""
    granted = {right for grant in record.grants for right in grant.rights}
    return {
        "key_id": record.key_id,
        "since": moment(record.created_at),
        "used": {right: record.use.rights[right] for right in RIGHTS if right in record.use.rights},
        "unused": [right for right in RIGHTS if right in granted - record.use.rights.keys()],
    }


def grant_document(grant: Grant, slugs: Mapping[UUID, str]) -> shapes.GrantShape:
    """Return a grant with its namespaces by name."""
    named = ("*",) if grant.namespaces is None else (slugs.get(one, str(one)) for one in grant.namespaces)
    subjects = [render_selector(selector) for selector in grant.subjects]
    return {"namespaces": sorted(named), "subjects": subjects, "actions": sorted(grant.rights)}


def _secret_document(record: SecretRecord) -> shapes.SecretShape:
    return {
        "slot": record.slot,
        "last": record.last,
        "created_at": moment(record.created_at),
        "expires_at": moment(record.expires_at),
        "last_used_at": moment(record.last_used_at),
    }


def binding_document(record: BindingRecord) -> shapes.BindingShape:
    """Return a role binding."""
    return {
        "id": str(record.id),
        "principal": record.principal,
        "role": record.role,
        "namespace": record.namespace,
        "subjects": record.subjects,
        "created_at": moment(record.created_at),
        "created_by": record.created_by,
    }
