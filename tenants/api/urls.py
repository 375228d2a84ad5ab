"""Routes of people, access and tokens, below ``/api/v1/``; the registry adds its own."""

from __future__ import annotations

from typing import Final

from django.urls import path

from tenants.api import namespace_views as namespaces
from tenants.api import people_views as people
from tenants.api import role_views as roles
from tenants.api.anonymous_views import AnonymousAccessOf

TENANT: Final = "tenants/<str:tenant>"
NAMESPACE: Final = f"{TENANT}/namespaces/<str:namespace>"
MEMBER: Final = f"{TENANT}/members/<str:name>"
ACCOUNT: Final = f"{TENANT}/service-accounts/<str:name>"

urlpatterns = [
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
    path(f"{TENANT}/roles", roles.Roles.as_view(), name="native-roles"),
    path(f"{TENANT}/roles/<str:role>", roles.Role.as_view(), name="native-role"),
    path(f"{TENANT}/role-bindings", roles.RoleBindings.as_view(), name="native-role-bindings"),
    path(f"{TENANT}/role-bindings/<uuid:binding>", roles.RoleBinding.as_view(), name="native-role-binding"),
]
