"""Writes of this room, each one transaction with its audit record."""

from tenants.services.anonymous import allow_anonymous, end_anonymous
from tenants.services.audit import record_audit, record_audits, record_denial
from tenants.services.ending import delete_tenant, restore_tenant
from tenants.services.namespaces import (
    delete_namespace,
    purge_namespace,
    restore_namespace,
    update_namespace,
)
from tenants.services.people import (
    add_member,
    create_service_account,
    create_user,
    remove_principal,
    resume_principal,
    suspend_principal,
    update_service_account,
)
from tenants.services.roles import (
    bind_role,
    create_role,
    delete_role,
    end_binding,
    give_role,
    unbind_role,
    update_role,
)
from tenants.services.tenancy import (
    create_namespace,
    create_tenant,
    resume_tenant,
    suspend_tenant,
    update_tenant,
)
from tenants.services.tokens import issue_token, resume_token, revoke_token, suspend_token
from tenants.services.uses import flush_uses

__all__ = [
    "add_member",
    "allow_anonymous",
    "bind_role",
    "create_namespace",
    "create_role",
    "create_service_account",
    "create_tenant",
    "create_user",
    "delete_namespace",
    "delete_role",
    "delete_tenant",
    "end_anonymous",
    "end_binding",
    "flush_uses",
    "give_role",
    "issue_token",
    "purge_namespace",
    "record_audit",
    "record_audits",
    "record_denial",
    "remove_principal",
    "restore_namespace",
    "restore_tenant",
    "resume_principal",
    "resume_tenant",
    "resume_token",
    "revoke_token",
    "suspend_principal",
    "suspend_tenant",
    "suspend_token",
    "unbind_role",
    "update_namespace",
    "update_role",
    "update_service_account",
    "update_tenant",
]
