"""The names of fields of a tenant, and one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from frontend.pages.field_names import PART, name_page, names_page, read_names_query
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.tabs import tenant_tabs
from frontend.views.page import tenant_page
from frontend.views.places import read_place, sealed_place
from registry.errors import SearchTooLong
from registry.queries.field_dictionary import field_named, field_names

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope


@tenant_page
def fields(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the names of fields with their types."""
    query = read_names_query(request.GET.dict(), read_place(request))
    frame = Frame(_("Fields"), crumbs_to(scope.tenant.slug, "", Crumb(_("Fields"))))
    tabs = tenant_tabs(scope, "fields")
    try:
        found = field_names(
            scope, beginning=query.beginning, after=query.after, conflicts=query.conflicts, limit=PART
        )
    except SearchTooLong as refusal:
        page = names_page(scope, query, tabs=tabs, refusal=refusal.message)
        return render_page(request, "fields.html", page=page, frame=frame, status=503)
    page = names_page(scope, query, tabs=tabs, found=found, more=sealed_place(request, found.after))
    return render_page(request, "fields.html", page=page, frame=frame)


@tenant_page
def field(request: HttpRequest, scope: Scope, name: str) -> HttpResponse:
    """Show the types of a name, and the subjects that have each."""
    page = name_page(scope, field_named(scope, name), tabs=tenant_tabs(scope, "fields"))
    crumbs = crumbs_to(scope.tenant.slug, "", Crumb(_("Fields"), page.list_url), Crumb(page.found.name))
    return render_page(request, "field.html", page=page, frame=Frame(page.found.name, crumbs))
