"""Routes of people, access and tokens, below ``/api/v1/``; the registry adds its own."""

from __future__ import annotations

from typing import Final

from django.urls import path

from tenants.api import audit_views as audit
from tenants.api import namespace_views as namespaces
from tenants.api import people_views as people
from tenants.api import quota_views as quotas
from tenants.api import role_views as roles
from tenants.api import tenant_views as tenants
from tenants.api import token_views as tokens
from tenants.api.access_views import Access
from tenants.api.anonymous_views import AnonymousAccessOf

TENANT: Final = "tenants/<str:tenant>"
NAMESPACE: Final = f"{TENANT}/namespaces/<str:namespace>"
MEMBER: Final = f"{TENANT}/members/<str:name>"
ACCOUNT: Final = f"{TENANT}/service-accounts/<str:name>"
TOKEN: Final = f"{TENANT}/tokens/<str:key_id>"
TOKEN_STEPS: Final = {
    "suspend": tokens.SuspendToken,
    "resume": tokens.ResumeToken,
    "revoke": tokens.RevokeToken,
    "approve": tokens.ApproveToken,
    "refuse": tokens.RefuseToken,
    "drop-old-secret": tokens.DropOldSecret,
    "drop-new-secret": tokens.DropNewSecret,
}

urlpatterns = [
    path("tenants", tenants.Tenants.as_view(), name="native-tenants"),
    path(TENANT, tenants.Tenant.as_view(), name="native-tenant"),
    path(f"{TENANT}/suspend", tenants.SuspendTenant.as_view(), name="native-suspend-tenant"),
    path(f"{TENANT}/resume", tenants.ResumeTenant.as_view(), name="native-resume-tenant"),
    path(f"{TENANT}/delete", tenants.DeleteTenant.as_view(), name="native-delete-tenant"),
    path(f"{TENANT}/restore", tenants.RestoreTenant.as_view(), name="native-restore-tenant"),
    path(f"{TENANT}/namespaces", namespaces.Namespaces.as_view(), name="native-namespaces"),
    path(NAMESPACE, namespaces.Namespace.as_view(), name="native-namespace"),
    path(f"{NAMESPACE}/anonymous-access", AnonymousAccessOf.as_view(), name="native-anonymous-access"),
    path(
        f"{TENANT}/deleted-namespaces",
        namespaces.DeletedNamespaces.as_view(),
        name="native-deleted",
    ),
    path(
        f"{TENANT}/deleted-namespaces/<str:slug>/restore",
        namespaces.RestoreNamespace.as_view(),
        name="native-restored",
    ),
    path(
        f"{TENANT}/deleted-namespaces/<str:slug>/purge",
        namespaces.PurgeNamespace.as_view(),
        name="native-purged",
    ),
    path(f"{TENANT}/members", people.Members.as_view(), name="native-members"),
    path(MEMBER, people.Member.as_view(), name="native-member"),
    path(f"{MEMBER}/suspend", people.SuspendMember.as_view(), name="native-suspend-member"),
    path(f"{MEMBER}/resume", people.ResumeMember.as_view(), name="native-resume-member"),
    path(f"{TENANT}/invitations", people.Invitations.as_view(), name="native-invitations"),
    path(f"{TENANT}/invitations/<uuid:invitation>", people.Invitation.as_view(), name="native-invitation"),
    path("invitations/accept", people.AcceptInvitation.as_view(), name="native-accept-invitation"),
    path(f"{TENANT}/service-accounts", people.Accounts.as_view(), name="native-accounts"),
    path(ACCOUNT, people.Account.as_view(), name="native-account"),
    path(f"{ACCOUNT}/suspend", people.SuspendAccount.as_view(), name="native-suspend-account"),
    path(f"{ACCOUNT}/resume", people.ResumeAccount.as_view(), name="native-resume-account"),
    path(f"{TENANT}/tokens", tokens.Tokens.as_view(), name="native-tokens"),
    path(TOKEN, tokens.Token.as_view(), name="native-token"),
    path(f"{TOKEN}/rights", tokens.TokenRights.as_view(), name="native-token-rights"),
    path(f"{TOKEN}/roll", tokens.RollToken.as_view(), name="native-roll-token"),
    *(
        path(f"{TOKEN}/{step}", view.as_view(), name=f"native-{step}-token")
        for step, view in TOKEN_STEPS.items()
    ),
    path("leaked-tokens", tokens.LeakedTokens.as_view(), name="native-leaked-tokens"),
    path(f"{TENANT}/audit", audit.Audit.as_view(), name="native-audit"),
    path(f"{TENANT}/audit/export", audit.AuditExport.as_view(), name="native-audit-export"),
    path(f"{TENANT}/audit/verification", audit.AuditVerification.as_view(), name="native-audit-verification"),
    path(f"{TENANT}/audit/<int:record>", audit.AuditRecord.as_view(), name="native-audit-record"),
    path(f"{TENANT}/quotas", quotas.Quotas.as_view(), name="native-quotas"),
    path(f"{TENANT}/usage", quotas.Usage.as_view(), name="native-usage"),
    path(f"{TENANT}/access", Access.as_view(), name="native-access"),
    path(f"{TENANT}/roles", roles.Roles.as_view(), name="native-roles"),
    path(f"{TENANT}/roles/<str:role>", roles.Role.as_view(), name="native-role"),
    path(f"{TENANT}/role-bindings", roles.RoleBindings.as_view(), name="native-role-bindings"),
    path(f"{TENANT}/role-bindings/<uuid:binding>", roles.RoleBinding.as_view(), name="native-role-binding"),
]
