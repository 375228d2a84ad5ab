"""The pages of imports: the list, and one with its progress and what was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.pages.imports import PAGE_SIZE, import_page, imports_page
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.subjects import place_of
from frontend.pages.tabs import namespace_tabs
from frontend.views.page import is_fragment, tenant_form, tenant_page
from frontend.views.places import read_number, sealed
from registry.queries.imports import import_issues, import_record, list_imports
from registry.services.imports import cancel_import

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from accord_server.kit.scope import Scope


@tenant_page
def imports(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the imports into a namespace, newest first."""
    before = read_number(request)
    found = sealed(request, list_imports(scope, before=before or None, limit=PAGE_SIZE))
    page = imports_page(scope, found, before=before, tabs=namespace_tabs(scope, "imports"))
    frame = Frame(_("Imports"), crumbs_to(*place_of(scope), Crumb(_("Imports"))))
    return render_page(request, "imports.html", page=page, frame=frame)


@tenant_form
def show(request: HttpRequest, scope: Scope, run: UUID) -> HttpResponse:
    """Show how far an import is and what was refused; a form on the page ends it."""
    if request.method == "POST":
        cancel_import(scope, run)
        return HttpResponseRedirect(reverse("frontend:import", args=[*place_of(scope), run]))
    after, is_part = read_number(request), is_fragment(request)
    record = import_record(scope, run)
    found = sealed(request, import_issues(scope, run, after=after, limit=PAGE_SIZE))
    page = import_page(scope, record, found, after=after, is_fragment=is_part)
    way = Crumb(_("Imports"), reverse("frontend:imports", args=place_of(scope)))
    frame = Frame(_("Import"), crumbs_to(*place_of(scope), way, Crumb(_("Import"))))
    return render_page(request, "_import.html" if is_part else "import.html", page=page, frame=frame)
