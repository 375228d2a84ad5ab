"""Records of people, access and tokens as documents: translation only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.rights import RIGHTS

if TYPE_CHECKING:
    from datetime import datetime

    from tenants.records import (
        BindingRecord,
        InvitationRecord,
        NamespaceRecord,
        PrincipalRecord,
        RoleRecord,
        TenantRecord,
    )

Json = dict[str, Any]


def moment(at: datetime | None) -> str | None:
    """Return a moment as RFC 3339 writes it."""
    return None if at is None else at.isoformat()


def tenant_document(record: TenantRecord) -> Json:
    """Return a tenant with its token rules."""
    return {
        "slug": record.slug,
        "name": record.name,
        "state": record.state,
        "created_at": moment(record.created_at),
        "token_rules": {
            "lifetime_days": record.rules.lifetime_days,
            "approval": record.rules.approval,
            "forbidden": sorted(record.rules.forbidden or ()),
        },
    }


def namespace_document(record: NamespaceRecord) -> Json:
    """Return a namespace."""
    return {
        "id": str(record.id),
        "slug": record.slug,
        "name": record.name,
        "description": record.description,
        "labels": list(record.labels),
        "properties": dict(record.properties),
        "format": record.format or None,
        "created_at": moment(record.created_at),
        "deleted_at": moment(record.deleted_at),
    }


def member_document(record: PrincipalRecord) -> Json:
    """Return a member."""
    return {
        "principal": record.key,
        "username": record.name,
        "email": record.email,
        "is_active": record.is_active,
        "created_at": moment(record.created_at),
    }


def account_document(record: PrincipalRecord) -> Json:
    """Return a service account."""
    return {
        "principal": record.key,
        "slug": record.name,
        "description": record.description,
        "is_active": record.is_active,
        "created_at": moment(record.created_at),
    }


def invitation_document(record: InvitationRecord) -> Json:
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


def role_document(record: RoleRecord) -> Json:
    """Return a role with its rights in the order of their table."""
    return {
        "name": record.name,
        "summary": record.summary,
        "rights": [name for name in RIGHTS if name in record.rights],
        "is_built_in": record.is_built_in,
    }


def binding_document(record: BindingRecord) -> Json:
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
