"""Writes of this room, each one transaction with its audit record."""

from tenants.services.anonymous import allow_anonymous, end_anonymous
from tenants.services.audit import record_audit, record_audits, record_denial
from tenants.services.people import (
    add_member,
    bind_role,
    create_service_account,
    create_user,
    resume_principal,
    suspend_principal,
    unbind_role,
)
from tenants.services.tenancy import create_namespace, create_tenant, resume_tenant, suspend_tenant
from tenants.services.tokens import issue_token, resume_token, revoke_token, suspend_token
from tenants.services.uses import flush_uses

__all__ = [
    "add_member",
    "allow_anonymous",
    "bind_role",
    "create_namespace",
    "create_service_account",
    "create_tenant",
    "create_user",
    "end_anonymous",
    "flush_uses",
    "issue_token",
    "record_audit",
    "record_audits",
    "record_denial",
    "resume_principal",
    "resume_tenant",
    "resume_token",
    "revoke_token",
    "suspend_principal",
    "suspend_tenant",
    "suspend_token",
    "unbind_role",
]
