"""What every page view shares: who may come in, how, and the scope of who does."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeAlias, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from accord_server.kit.errors import remember_scope
from tenants import pacing
from tenants.errors import SecondFactorMissing
from tenants.queries import scope_for_user

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

# The converters of a route decide which arguments a view gets.
View: TypeAlias = "Callable[..., HttpResponseBase]"


def open_page(view: View) -> View:
    """Make a page that everybody may read."""
    return require_safe(_kept(view))


def member_page(view: View) -> View:
    """Make a page that asks for a sign-in first."""
    return login_required(open_page(view))


def tenant_page(view: View) -> View:
    """Make a page inside a tenant: the view gets the scope in place of the slugs of the address."""
    return member_page(_scoped(view))


def tenant_form(view: View) -> View:
    """Make a page inside a tenant that also takes what its form sends back."""
    methods = require_http_methods(["GET", "HEAD", "POST"])
    return login_required(methods(_kept(_scoped(view))))


def _kept(view: View) -> View:
    return cache_control(private=True, no_cache=True)(vary_on_headers("HX-Request", "Cookie")(view))


def _scoped(view: View) -> View:
    @wraps(view)
    def scoped(
        request: HttpRequest, *, tenant: str, namespace: str | None = None, **rest: object
    ) -> HttpResponseBase:
        try:
            scope = scope_for_user(request.user, tenant, namespace)
        except SecondFactorMissing as missing:
            return HttpResponseRedirect(reverse("account", query={"needed": missing.tenant}))
        remember_scope(request, scope)
        pacing.admit(scope)
        return view(request, scope, **rest)

    return scoped


def member_of(request: HttpRequest) -> User:
    """Return who asked for a page that asks for a sign-in first."""
    return cast("User", request.user)


def is_fragment(request: HttpRequest) -> bool:
    """Tell whether htmx wants the part that it swaps; after a step back it wants the whole page."""
    headers = request.headers
    return (
        "HX-Request" in headers
        and "HX-History-Restore-Request" not in headers
        and "HX-Boosted" not in headers
    )
