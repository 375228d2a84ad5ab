"""The roof: which room opens for which path. It holds no logic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from accord_server.kit import errors, health
from accord_server.kit.configuration import configured
from accord_server.kit.paths import ROOT_SEGMENTS
from accord_server.kit.settings_table import ROOT_NAMESPACE
from frontend.views.tenants import home as home_page
from registry.api.confluent.urls import dispatch
from registry.api.descriptors import urls as descriptors

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

handler400 = "accord_server.kit.errors.bad_request"
handler403 = "accord_server.kit.errors.forbidden"
handler404 = "accord_server.kit.errors.not_found"
handler500 = "accord_server.kit.errors.crash"


def registry_at_root(request: HttpRequest, path: str) -> HttpResponseBase:
    """Serve the root namespace to clients that know no prefix."""
    root = configured(ROOT_NAMESPACE)
    if root is None:
        raise Http404
    return dispatch(request, root.tenant, root.namespace, f"/{path}")


def descriptors_at_root(request: HttpRequest, path: str) -> HttpResponseBase:
    """Serve the descriptor sets of the root namespace likewise."""
    root = configured(ROOT_NAMESPACE)
    if root is None:
        raise Http404
    return descriptors.dispatch(request, root.tenant, root.namespace, path)


@csrf_exempt  # clients of the root namespace may post here; the page for people only reads
def home(request: HttpRequest) -> HttpResponseBase:
    """Show people their home; a client of the root namespace asks here whether it is well."""
    is_person = "text/html" in request.headers.get("Accept", "")
    if is_person or configured(ROOT_NAMESPACE) is None:
        return home_page(request)
    errors.answer_as(request, "confluent")
    return registry_at_root(request, "")


urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.live),
    path("readyz", health.ready),
    path("metrics", health.measured),
    # Greedy: subjects hold slashes, line ends and anything else; the dialect reads the rest itself.
    # No inline flag such as (?s): Django cannot reverse any address beside a pattern that has one.
    re_path(
        r"^sr/(?P<tenant>[^/]+)/(?P<namespace>[^/]+)/descriptors(?P<path>/[\s\S]*|)\Z", descriptors.dispatch
    ),
    re_path(r"^sr/(?P<tenant>[^/]+)/(?P<namespace>[^/]+)(?P<path>/[\s\S]*|)\Z", dispatch),
    path("api/v1/", include("registry.api.native.urls")),
    # The reference of the API is a page.
    re_path(r"^(?:sr|api(?!/docs(?:/|\Z)))(?:/[\s\S]*|)\Z", errors.unknown_route),
    re_path(r"^descriptors(?P<path>/[\s\S]*|)\Z", descriptors_at_root),
    re_path(
        rf"^(?P<path>(?:{'|'.join(sorted(map(re.escape, ROOT_SEGMENTS)))})(?:/[\s\S]*|))\Z", registry_at_root
    ),
    path("", home),
    path("", include("frontend.account_urls")),
    path("", include("frontend.urls")),
]
