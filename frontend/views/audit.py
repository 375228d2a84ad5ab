"""The audit log of a tenant: the list, one record, an export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from accord_server.kit.paging import Batch
from frontend.pages.audit import PAGE_SIZE, audit_page, audit_record_page, read_filters
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views.page import tenant_page
from frontend.views.places import read_place, sealed
from tenants.audit_export import CSV, export_answer, read_kind
from tenants.errors import InvalidDetail, NamespaceNotFound
from tenants.queries import namespaces_of
from tenants.queries.audit import export_audit, get_audit, list_audit, require_readable
from tenants.wanted_records import read_wanted

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope
    from tenants.records import AuditRow


@tenant_page
def audit(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the records that the visitor may read, newest first."""
    require_readable(scope)
    filters, after = read_filters(request.GET.dict()), read_place(request)
    found, error = _found(scope, filters, after)
    found = sealed(request, found)
    page = audit_page(scope, found, namespaces_of(scope), filters=filters, after=after, error=error)
    frame = Frame(_("Audit"), crumbs_to(scope.tenant.slug, "", Crumb(_("Audit"))))
    return render_page(request, "audit.html", page=page, frame=frame, status=422 if error else 200)


@tenant_page
def record(request: HttpRequest, scope: Scope, record: int) -> HttpResponse:
    """Show one record with what it changed."""
    page = audit_record_page(scope, get_audit(scope, record))
    way = crumbs_to(scope.tenant.slug, "", Crumb(_("Audit"), page.back_url), Crumb(page.row.action))
    return render_page(request, "audit_record.html", page=page, frame=Frame(page.row.action, way))


@tenant_page
def export(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Send the records that the visitor may read, newest first, as far as one answer goes."""
    wanted = read_wanted(read_filters(request.GET.dict()))
    kind = read_kind(request.GET.get("format", CSV))
    return export_answer(request, scope, export_audit(scope, wanted=wanted), kind)


def _found(scope: Scope, filters: dict[str, str], after: str) -> tuple[Batch[AuditRow], str]:
    """Return a part of the list; where a filter cannot be meant, none and what is wrong with it."""
    try:
        return list_audit(scope, wanted=read_wanted(filters), after=after, limit=PAGE_SIZE), ""
    except InvalidDetail as flaw:
        return Batch((), None), flaw.message
    except NamespaceNotFound:
        return Batch((), None), _("There is no namespace of this name that you can see.")
