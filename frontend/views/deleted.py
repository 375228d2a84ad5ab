"""Soft-deleted versions: listed, and brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accord.errors import Conflict, Invalid, NotFound
from accord.naming import parse_subject
from frontend.pages.comparison import read_number
from frontend.pages.deleted import deleted_page
from frontend.pages.paging import PAGE_SIZE
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.subjects import place_of, read_query
from frontend.pages.tabs import namespace_tabs
from frontend.views.page import tenant_form
from registry.queries.deleted import deleted_versions
from registry.services.restoring import restore_subject, restore_version

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope


@tenant_form
def deleted(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List what is soft-deleted, last deleted first; bring back what the form names."""
    if request.method != "POST":
        return _shown(request, scope)
    try:
        subject = parse_subject(request.POST.get("subject", ""))
        _restore(scope, subject, read_number(request.POST.get("version", "")))
    except (Conflict, Invalid, NotFound) as refusal:
        return _shown(request, scope, refusal=refusal.message, status=409)
    return HttpResponseRedirect(reverse("frontend:versions", args=[*place_of(scope), subject]))


def _restore(scope: Scope, subject: SubjectName, number: int) -> None:
    """Bring back one version, or without a number the whole subject."""
    if number:
        restore_version(scope, subject, number)
    else:
        restore_subject(scope, subject)


def _shown(request: HttpRequest, scope: Scope, *, refusal: str = "", status: int = 200) -> HttpResponse:
    query = read_query(request.GET)
    found = deleted_versions(scope, text=query.text, number=query.number, size=PAGE_SIZE)
    page = deleted_page(scope, query, found, tabs=namespace_tabs(scope, "deleted"), refusal=refusal)
    way = crumbs_to(*place_of(scope), Crumb(_("Deleted")))
    return render_page(request, "deleted.html", page=page, frame=Frame(_("Deleted"), way), status=status)
