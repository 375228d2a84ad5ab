"""Searching the fields, types and subjects of a tenant."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from accord.discovery.query import InvalidSearch, read_search
from frontend.pages.search import PART, address_of, command_of, left_out_of, read_search_query, search_page
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.tabs import tenant_tabs
from frontend.views.page import tenant_page
from frontend.views.places import read_place, sealed_place
from registry.discovery_records import SearchAsked
from registry.errors import SearchTooLong
from registry.queries.discovery import found_without, search_fields
from tenants.slugs import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope
    from frontend.pages.search import SearchPage


@tenant_page
def search(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Show what answers a search; without one, how to search."""
    query = read_search_query(request.GET.dict(), read_place(request))
    frame = Frame(_("Search"), crumbs_to(scope.tenant.slug, "", Crumb(_("Search"))))
    tabs = tenant_tabs(scope, "search")

    def shown(page: SearchPage, status: int = 200) -> HttpResponse:
        return render_page(request, "search.html", page=page, frame=frame, status=status)

    try:
        asked = read_search(query.text)
        if asked.is_empty:
            return shown(search_page(scope, query, tabs=tabs))
        looked = SearchAsked(asked, query.kind, query.after, PART)
        found = search_fields(scope, looked)
        hidden = () if found.total else found_without(scope, looked)
    except InvalidSearch as refusal:
        return shown(search_page(scope, query, tabs=tabs, refusal=refusal.message), 422)
    except SearchTooLong as refusal:
        return shown(search_page(scope, query, tabs=tabs, refusal=refusal.message), 503)
    page = search_page(scope, query, tabs=tabs, search=asked, found=found)
    after = sealed_place(request, found.after and json.dumps(found.after))
    namespace = found.hits[0].namespace if found.hits else DEFAULT_NAMESPACE
    registry = request.build_absolute_uri(f"/sr/{scope.tenant.slug}/{namespace}")
    page = replace(
        page,
        more=address_of(page.url, query, after=after) if after else "",
        left_out=left_out_of(page, asked, hidden),
        command=command_of(query, registry),
    )
    return shown(page)
