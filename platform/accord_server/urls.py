"""The roof: which room opens for which path. It holds no logic."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import URLPattern, URLResolver, include, path, re_path

from accord_server.kit import health
from accord_server.kit.configuration import configured
from accord_server.kit.paths import ROOT_SEGMENTS
from accord_server.kit.settings_table import ROOT_NAMESPACE

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

handler400 = "accord_server.kit.errors.bad_request"
handler403 = "accord_server.kit.errors.forbidden"
handler404 = "accord_server.kit.errors.not_found"
handler500 = "accord_server.kit.errors.crash"


def registry(request: HttpRequest, tenant: str, namespace: str, path: str) -> HttpResponseBase:
    """Hand a call to the Confluent dialect of one namespace; ``path`` is decoded and starts with /."""
    answer: HttpResponseBase = import_module("registry.api.confluent.urls").dispatch(
        request, tenant, namespace, path
    )
    return answer


def registry_at_root(request: HttpRequest, path: str) -> HttpResponseBase:
    """Serve the root namespace to clients that know no prefix."""
    root = configured(ROOT_NAMESPACE)
    if root is None:
        raise Http404
    return registry(request, root.tenant, root.namespace, f"/{path}")


urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.live),
    path("readyz", health.ready),
    path("metrics", health.measured),
    # Greedy: subjects hold slashes, line ends and anything else; the dialect reads the rest itself.
    re_path(r"(?s)^sr/(?P<tenant>[^/]+)/(?P<namespace>[^/]+)(?P<path>/.*|)\Z", registry),
    re_path(rf"(?s)^(?P<path>(?:{'|'.join(sorted(ROOT_SEGMENTS))})(?:/.*|))\Z", registry_at_root),
]
with suppress(ImportError):
    urlpatterns.append(path("", include("frontend.urls")))
