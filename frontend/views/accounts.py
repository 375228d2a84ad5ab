"""Signing in and out with Django's accounts, and the theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accord_server.kit import attempts
from frontend.pages.shell import Frame, render_page
from frontend.theme import read_theme, remember
from frontend.views.page import is_fragment

if TYPE_CHECKING:
    from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class SignInPage:
    """The form as it stands: what was typed, what was wrong, where to go afterwards."""

    username: str = ""
    error: str = ""
    goes_to: str = ""


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask who it is, or let them in."""
    if request.method == "POST":
        return _try(request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(_goes_to(request))
    return _form(request, SignInPage(goes_to=request.GET.get("next", "")))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return HttpResponseRedirect(reverse("frontend:sign-in"))


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme and go back to where one was; the script has changed the page already."""
    answer = HttpResponse(status=204) if is_fragment(request) else HttpResponseRedirect(_goes_to(request))
    remember(answer, read_theme(request.POST.get("theme", "")), is_secure=request.is_secure())
    return answer


def _try(request: HttpRequest) -> HttpResponse:
    username = request.POST.get("username", "")[:150]
    page = SignInPage(username=username, goes_to=request.POST.get("next", ""))
    address = str(request.META.get("REMOTE_ADDR"))
    if not attempts.may_try(address, username):
        return _form(
            request, page, error=_("Too many attempts. Wait a few minutes and try again."), status=429
        )
    form = AuthenticationForm(request, data=request.POST)
    if not form.is_valid():
        return _form(request, page, error=_("This name and password do not match an account."), status=403)
    attempts.succeeded(address, username)
    login(request, form.get_user())
    return HttpResponseRedirect(_goes_to(request))


def _form(request: HttpRequest, page: SignInPage, *, error: str = "", status: int = 200) -> HttpResponse:
    shown = SignInPage(page.username, error, page.goes_to)
    return render_page(request, "sign_in.html", page=shown, frame=Frame(_("Sign in")), status=status)


def _goes_to(request: HttpRequest) -> str:
    """Return where to go next: only ever a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else reverse("frontend:home")
