"""The public reference of all interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import PUBLIC_URL
from frontend.pages.api_reference import openapi_document, operation_page, reference_page
from frontend.pages.shell import Crumb, Frame, render_page
from frontend.views.page import open_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@open_page
def reference(request: HttpRequest) -> HttpResponse:
    """List the operations, or those that answer a search."""
    frame = Frame(_("API reference"), (Crumb(_("API reference")),), section="api")
    page = reference_page(request.GET.get("q", ""))
    return render_page(request, "api_reference.html", page=page, frame=frame)


@open_page
def operation(request: HttpRequest, name: str) -> HttpResponse:
    """Tell all there is to know of one operation."""
    page = operation_page(name, configured(PUBLIC_URL))
    if page is None:
        raise Http404
    way = (Crumb(_("API reference"), reverse("frontend:api-reference")), Crumb(name))
    return render_page(request, "api_operation.html", page=page, frame=Frame(name, way, section="api"))


@open_page
def document(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001  # the signature is Django's
    """Hand out the OpenAPI document of one interface."""
    found = openapi_document(name)
    if found is None:
        raise Http404
    return JsonResponse(found)
