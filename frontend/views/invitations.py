"""Accepting an invitation on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accord.errors import AccordError
from accord_server.kit import attempts
from accord_server.kit.configuration import configured
from accord_server.kit.request_id import request_id_of
from accord_server.kit.settings_table import OIDC_PROVIDERS
from frontend.pages.accounts import InvitationPage
from frontend.pages.shell import Frame, render_page
from frontend.views.account_page import BUSY, REFUSED
from tenants.services.invitations import accept_invitation

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LONGEST = 200


@sensitive_post_parameters("password", "token")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """Let somebody become a member, with an account that is there or a new one."""
    if request.method != "POST":
        return _form(request, "")
    name, address = request.POST.get("username", "")[:LONGEST], str(request.META.get("REMOTE_ADDR"))
    if not attempts.may_try(address, name):
        return _form(request, _("Too many attempts. Wait a few minutes and try again."), BUSY)
    try:
        accept_invitation(
            value=request.POST.get("token", "")[:LONGEST].strip(),
            username=name,
            password=request.POST.get("password", ""),
            request_id=request_id_of(request.META),
            address=address,
        )
    except AccordError as refusal:
        return _form(request, refusal.message, REFUSED)
    attempts.succeeded(address, name)
    return HttpResponseRedirect(reverse("account_login", query={"done": "invitation"}))


def _form(request: HttpRequest, error: str, status: int = 200) -> HttpResponse:
    posted = request.POST
    page = InvitationPage(
        posted.get("token", "")[:LONGEST],
        posted.get("username", "")[:LONGEST],
        error,
        configured(OIDC_PROVIDERS),
    )
    frame = Frame(_("Accept an invitation"))
    return render_page(request, "invitation.html", page=page, frame=frame, status=status)
