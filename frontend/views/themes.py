"""The theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from frontend.theme import read_theme, remember
from frontend.views.page import is_fragment

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme and go back to where one was; the script has changed the page already."""
    answer = HttpResponse(status=204) if is_fragment(request) else HttpResponseRedirect(_goes_to(request))
    remember(answer, read_theme(request.POST.get("theme", "")), is_secure=request.is_secure())
    return answer


def _goes_to(request: HttpRequest) -> str:
    """Return where to go next: only ever a page of ours."""
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else reverse("frontend:home")
