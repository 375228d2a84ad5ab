"""The tabs of a tenant and of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accord.model import SubjectName
from frontend.pages.subject import TabLink
from frontend.pages.subjects import place_of
from registry.job_records import RIGHT as JOBS
from registry.queries.modules import READ as MODULES
from registry.queries.policies import READ
from tenants.access import may_in_some_namespace, may_in_tenant
from tenants.queries.audit import RIGHT as AUDIT
from tenants.queries.people import RIGHT as MEMBERS
from tenants.queries.quotas import RIGHT as QUOTAS
from tenants.queries.roles import RIGHT as ROLES

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def tenant_tabs(scope: Scope, here: str) -> tuple[TabLink, ...]:
    """Return the tabs of a tenant that the visitor may open."""
    tabs = [("tenant", _("Namespaces")), ("search", _("Search")), ("fields", _("Fields"))]
    if may_in_tenant(scope, READ):
        tabs.append(("policies", _("Policies")))
    tabs.append(("tokens", _("Tokens")))
    if scope.may(MEMBERS):
        tabs.append(("members", _("Members")))
    if scope.may(ROLES):
        tabs.append(("roles", _("Roles")))
    if may_in_some_namespace(scope, JOBS):
        tabs.append(("jobs", _("Jobs")))
    if may_in_some_namespace(scope, AUDIT):
        tabs.append(("audit", _("Audit")))
    if scope.may(QUOTAS):
        tabs.append(("usage", _("Usage")))
    args = [scope.tenant.slug]
    return tuple(TabLink(label, reverse(f"frontend:{name}", args=args), name == here) for name, label in tabs)


def namespace_tabs(scope: Scope, here: str) -> tuple[TabLink, ...]:
    """Return the tabs of a namespace that the visitor may open."""
    tabs = [("subjects", _("Subjects"))]
    if scope.selectors(MODULES):
        tabs.append(("modules", _("Modules")))
    if scope.may(READ, SubjectName("")):
        tabs.append(("namespace-policy", _("Policy")))
    tabs.append(("deleted", _("Deleted")))
    if scope.may("import"):
        tabs.append(("imports", _("Imports")))
    args = place_of(scope)
    return tuple(TabLink(label, reverse(f"frontend:{name}", args=args), name == here) for name, label in tabs)
