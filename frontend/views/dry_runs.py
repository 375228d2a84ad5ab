"""The page of a dry run: its progress, its result, and ending it early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.pages.dry_run import PAGE_SIZE, dry_run_page
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.subjects import place_of
from frontend.views.page import is_fragment, tenant_form
from frontend.views.places import read_number, sealed
from registry.queries.dry_runs import dry_run, dry_run_changes
from registry.services.dry_runs import cancel_dry_run

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from accord_server.kit.scope import Scope


@tenant_form
def show(request: HttpRequest, scope: Scope, run: UUID) -> HttpResponse:
    """Show how far a dry run is and what it has found; a form on the page ends it."""
    if request.method == "POST":
        cancel_dry_run(scope, run)
        return HttpResponseRedirect(reverse("frontend:dry-run", args=[*place_of(scope), run]))
    after, is_part = read_number(request), is_fragment(request)
    record = dry_run(scope, run)
    found = sealed(request, dry_run_changes(scope, run, after=after, limit=PAGE_SIZE))
    page = dry_run_page(scope, record, found, after=after, is_fragment=is_part)
    title = _("Dry run of %(policy)s") % {"policy": page.title}
    frame = Frame(title, crumbs_to(*place_of(scope), Crumb(_("Dry run"))))
    template = "_dry_run.html" if is_part else "dry_run.html"
    return render_page(request, template, page=page, frame=frame)
