"""Choosing a tenant, and a namespace in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accord_server.kit.paging import LARGEST_BATCH
from frontend.pages.shell import Crumb, Frame, render_page
from frontend.pages.tabs import tenant_tabs
from frontend.views.page import member_page, tenant_form
from frontend.views.refusals import REFUSALS, status_of
from tenants import services
from tenants.grace import kept_until
from tenants.queries import namespaces_of, tenant_of, tenants_of
from tenants.queries.namespaces import deleted_namespaces

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope
    from frontend.pages.subject import TabLink
    from tenants.records import NamespaceRecord, TenantRecord

RESTORE: Final = "namespace.manage"


@dataclass(frozen=True, slots=True)
class TenantsPage:
    """The tenants one belongs to."""

    tenants: tuple[TenantRecord, ...]


@dataclass(frozen=True, slots=True)
class DeletedNamespace:
    """A deleted namespace; ``kept_until`` is None from when on it is being removed."""

    slug: str
    deleted_at: datetime | None
    kept_until: datetime | None


@dataclass(frozen=True, slots=True)
class TenantPage:
    """A tenant, the namespaces in which something is open to the visitor, and those that may be restored."""

    tenant: TenantRecord
    namespaces: tuple[NamespaceRecord, ...]
    deleted: tuple[DeletedNamespace, ...]
    tabs: tuple[TabLink, ...]
    refusal: str = ""


@member_page
def home(request: HttpRequest) -> HttpResponse:
    """Let the visitor choose a tenant; who has one only goes straight there."""
    tenants = tenants_of(request.user)
    if len(tenants) == 1:
        return HttpResponseRedirect(reverse("frontend:tenant", args=[tenants[0].slug]))
    return render_page(request, "tenants.html", page=TenantsPage(tenants), frame=Frame(_("Tenants")))


@tenant_form
def tenant(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Let the visitor choose a namespace, or bring a deleted one back."""
    refusal, status = "", 200
    if request.method == "POST":
        try:
            services.restore_namespace(scope, slug=request.POST.get("restore", ""))
        except REFUSALS as error:
            refusal, status = error.message, status_of(error)
        else:
            return HttpResponseRedirect(request.path)
    tabs = tenant_tabs(scope, "tenant")
    page = TenantPage(tenant_of(scope), namespaces_of(scope), _deleted(scope), tabs, refusal)
    frame = Frame(page.tenant.name, (Crumb(scope.tenant.slug),))
    return render_page(request, "tenant.html", page=page, frame=frame, status=status)


def _deleted(scope: Scope) -> tuple[DeletedNamespace, ...]:
    """Return the deleted namespaces, for whoever may restore them."""
    if not scope.may(RESTORE):
        return ()
    return tuple(map(_shown, deleted_namespaces(scope, limit=LARGEST_BATCH).rows))


def _shown(record: NamespaceRecord) -> DeletedNamespace:
    at = record.deleted_at
    until = None if at is None or record.purge_begun_at else kept_until(at)
    return DeletedNamespace(record.slug, at, until if until and until > timezone.now() else None)
