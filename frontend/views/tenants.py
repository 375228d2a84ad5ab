"""Choosing a tenant, and a namespace in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.pages.shell import Crumb, Frame, render_page
from frontend.pages.tabs import tenant_tabs
from frontend.views.page import member_page, tenant_page
from tenants.queries import namespaces_of, tenant_of, tenants_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope
    from frontend.pages.subject import TabLink
    from tenants.records import NamespaceRecord, TenantRecord


@dataclass(frozen=True, slots=True)
class TenantsPage:
    """The tenants one belongs to."""

    tenants: tuple[TenantRecord, ...]


@dataclass(frozen=True, slots=True)
class TenantPage:
    """A tenant and the namespaces in which something is open to the visitor."""

    tenant: TenantRecord
    namespaces: tuple[NamespaceRecord, ...]
    tabs: tuple[TabLink, ...]


@member_page
def home(request: HttpRequest) -> HttpResponse:
    """Let the visitor choose a tenant; who has one only goes straight there."""
    tenants = tenants_of(request.user)
    if len(tenants) == 1:
        return HttpResponseRedirect(reverse("frontend:tenant", args=[tenants[0].slug]))
    return render_page(request, "tenants.html", page=TenantsPage(tenants), frame=Frame(_("Tenants")))


@tenant_page
def tenant(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Let the visitor choose a namespace."""
    page = TenantPage(tenant_of(scope), namespaces_of(scope), tenant_tabs(scope, "tenant"))
    frame = Frame(page.tenant.name, (Crumb(scope.tenant.slug),))
    return render_page(request, "tenant.html", page=page, frame=frame)
