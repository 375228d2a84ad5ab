"""The page of jobs: all that workers do for a tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from frontend.pages.jobs import PAGE_SIZE, jobs_page, read_wanted_jobs
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.views.page import tenant_page
from frontend.views.places import read_place, sealed
from registry.queries.jobs import list_jobs

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope


@tenant_page
def jobs(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the jobs that the visitor may see, newest first."""
    wanted, after = read_wanted_jobs(request.GET.dict()), read_place(request)
    found = sealed(request, list_jobs(scope, wanted=wanted, after=after, limit=PAGE_SIZE))
    page = jobs_page(scope, found, wanted=wanted, after=after)
    frame = Frame(_("Jobs"), crumbs_to(scope.tenant.slug, "", Crumb(_("Jobs"))))
    return render_page(request, "jobs.html", page=page, frame=frame)
