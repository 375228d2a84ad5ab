"""Signing in through a provider of OpenID Connect, and what is joined to an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.decorators import reauthentication_required
from allauth.socialaccount.providers.openid_connect import views as openid
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from requests.exceptions import RequestException

from frontend.pages.accounts import OutsidePage
from frontend.pages.shell import Frame, render_page
from frontend.views.page import member_of
from tenants.identities import CONNECT, INVITATION
from tenants.services import sign_ins
from tenants.services.identities import remove_identity

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

LONGEST_INVITATION = 200


@never_cache
@require_POST
def begin(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Send somebody to the provider who wants to sign in, with the invitation they came with."""
    invitation = request.POST.get("token", "")[:LONGEST_INVITATION].strip()
    if invitation:
        request.session[INVITATION] = invitation
    return _to_provider(request, provider_id, "login")


@login_required
@reauthentication_required(app="allauth.socialaccount")
@never_cache
@require_POST
def connect(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Send somebody to the provider whose identity there shall belong to their account."""
    return _to_provider(request, provider_id, CONNECT)


@never_cache
@require_safe
def back(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Let in whom the provider sends back."""
    answer: HttpResponseBase = openid.callback(request, provider_id)
    return answer


@login_required
@reauthentication_required(app="allauth.socialaccount")
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an identity off the account, unless nobody could sign in afterwards."""
    user = member_of(request)
    if not remove_identity(user, pk):
        raise Http404
    sign_ins.note(request, user, sign_ins.REMOVE_IDENTITY)
    return HttpResponseRedirect(reverse("account", query={"done": "identities"}))


def _to_provider(request: HttpRequest, provider_id: str, process: str) -> HttpResponseBase:
    """Go there by a page in between: a form of ours must lead to no other host (form-action)."""
    wanted: Any = QueryDict(mutable=True)
    wanted.update({"process": process, "next": request.POST.get("next", "")})
    request.GET = wanted
    try:
        answer: HttpResponseBase = openid.login(request, provider_id)
    except RequestException:
        return HttpResponseRedirect(reverse("account_login", query={"done": "provider"}))
    page = OutsidePage(answer.headers.get("Location", ""))
    if not page.url.startswith(("https://", "http://")):
        return answer
    return render_page(request, "outside.html", page=page, frame=Frame(_("One moment")))
